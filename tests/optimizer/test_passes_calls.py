"""The plain passes: what functions take and give."""

from __future__ import annotations

import pytest

from luma.ir.module import Module
from luma.ir.verify import verify
from luma.language.types import INT
from luma.optimizer.calls import drop_unused, share_constants
from tests.optimizer.sources import compute, operations, optimized, ran

#: Too much to be inlined where it is called twice.
WORK = "for i = 0, 30 do s = s * 3 ~ (s >> 2) + i * a s = s + (s << 1) ~ (s & a) end"


def _same(module: Module, done: Module) -> None:
    assert verify(done) == []
    for n in (0, 3, -8):
        assert ran(done, n) == ran(module, n)


def test_a_constant_that_all_calls_share_moves_in() -> None:
    before = f"function f(a: int, s: int, w: vec2) -> int {WORK} return s * int(w.y) end"
    module = compute("ints[1] = f(n, 7, vec2(1.0, 3.0)) ints[2] = f(k, 7, vec2(1.0, 3.0))", before)
    done = drop_unused(share_constants(module))
    assert [p.name for p in done.function("f").params] == ["a"]
    _same(module, done)


@pytest.mark.parametrize("other", ["8", "n"])
def test_constants_that_differ_stay_arguments(other: str) -> None:
    before = f"function f(a: int, s: int) -> int {WORK} return s end"
    module = compute(f"ints[1] = f(n, 7) ints[2] = f(k, {other})", before)
    assert share_constants(module) is module


def test_zeros_of_both_signs_are_not_the_same() -> None:
    before = "function f(a: float) -> float return 1.0 / a end"
    module = compute("out[1] = f(0.0) out[2] = f(-0.0)", before)
    done = share_constants(module)
    assert len(done.function("f").params) == 1


def test_constants_are_handed_on() -> None:
    before = """function f(a: int, b: int) -> int return a * b end
        function g(a: int, b: int) -> int return f(a, b) + f(b, b) end"""
    module = compute("ints[1] = g(n, 3) + g(k, 3)", before)
    done = drop_unused(share_constants(module))
    assert [len(done.function(name).params) for name in "fg"] == [1, 1]
    _same(module, done)


def test_what_is_not_read_is_not_passed() -> None:
    before = f"""function f(a: int, _b: float, s: int) -> int {WORK} return s end
        function g(a: int, b: float) -> int return f(a, b, a) + f(a, b * 2.0, 2) end"""
    module = compute("ints[1] = g(n, out[3]) + g(k, 3.0)", before)
    done = drop_unused(drop_unused(module))
    assert [p.name for p in done.function("f").params] == ["a", "s"]
    assert [p.name for p in done.function("g").params] == ["a", "b"]  # until its work is removed
    _same(module, done)
    done = optimized(module)
    assert all(p.type == INT for f in done.functions if f.name != "main" for p in f.params)


def test_results_that_nobody_reads_are_not_returned() -> None:
    before = "function f(a: int) -> int ints[a & 7] = a if a > 3 then return 1 end return a end"
    module = compute("let _x = f(n) let _y = f(k)", before)
    done = drop_unused(module)
    assert done.function("f").results == ()
    assert operations(done.function("main")).count("call") == 2
    _same(module, done)


def test_a_result_that_one_call_reads_stays() -> None:
    before = "function f(a: int) -> int ints[a & 7] = a return a end"
    module = compute("let _x = f(n) ints[9] = f(k)", before)
    assert drop_unused(module) is module


def test_inputs_and_outputs_of_entry_points_stay() -> None:
    module = compute("ints[1] = 2")
    done = optimized(module)
    assert done.entry_points == module.entry_points
    assert len(done.function("main").params) == 1


def test_functions_that_nobody_calls_go() -> None:
    module = compute("ints[1] = 2", "function f(a: int) -> int return a end")
    assert [f.name for f in drop_unused(module).functions] == ["main"]
