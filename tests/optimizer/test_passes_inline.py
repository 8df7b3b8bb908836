"""The plain passes: inlining."""

from __future__ import annotations

import pytest

from luma.ir.verify import verify
from luma.optimizer.inline import inline
from luma.optimizer.returns import single_return
from tests.optimizer.sources import (
    compute,
    operations,
    optimized,
    ran,
)

EARLY = """function f(a: int) -> int
          if a < 2 then return 1 end
          if a < 5 then
            return a
          else
            a += 3
          end
          return a * 2
        end"""
MIXED = """function f(a: int) -> int
          if a < 2 then
            if a < 1 then return 7 end
            a += 1
          else
            a += 2
          end
          return a
        end"""
IN_LOOP = """function f(a: int) -> int
          @unroll(9) for i = 0, a do
            if i * i > a then return i end
          end
          return 0
        end"""


def test_early_returns_nest_into_the_other_arm() -> None:
    module = inline(compute("ints[1] = f(n)", EARLY))
    assert verify(module) == []
    assert [f.name for f in module.functions] == ["main"]


@pytest.mark.parametrize("source", [MIXED, IN_LOOP])
def test_returns_that_cannot_be_nested_set_a_flag(source: str) -> None:
    module = inline(compute("ints[1] = f(n)", source), from_loops=True)
    assert verify(module) == []
    assert [f.name for f in module.functions] == ["main"]


def test_a_function_that_returns_from_a_loop_stays() -> None:
    """Its flags would cost more than the call, which drivers inline."""
    module = inline(compute("ints[1] = f(n)", IN_LOOP))
    assert [f.name for f in module.functions] == ["f", "main"]


def test_calls_in_loops_and_their_conditions() -> None:
    module = inline(
        compute("@max_iterations(9) while f(n) < 9 do n += f(n) end ints[0] = n", EARLY)
    )
    assert verify(module) == []
    assert "call" not in operations(module.function("main"))


def test_single_return_of_a_function_that_has_one() -> None:
    function = compute("ints[0] = f(n)", "function f(a: int) -> int return a end").function("f")
    assert single_return(function) is not None


LONG = """function g(a: int, mode: int) -> int
          if mode == 1 then return a + 1 end
          let s = a
          for i = 0, 9 do s = s * 3 + (s >> 2) end
          for i = 0, 9 do s = s * 5 + (s >> 3) end
          return s
        end"""


def test_a_large_function_called_often_stays() -> None:
    module = inline(compute("ints[1] = g(n, k) ints[2] = g(n + 1, k) ints[3] = g(k, k)", LONG))
    assert verify(module) == []
    assert operations(module.function("main")).count("call") == 3


def test_a_large_function_called_once_is_inlined() -> None:
    module = inline(compute("ints[1] = g(n, k)", LONG))
    assert [f.name for f in module.functions] == ["main"]


SMALL = "function h(a: int, b: int) -> int return (a * b) ~ (a + b) end"


def test_a_small_function_called_often_is_inlined() -> None:
    body = " ".join(f"ints[{i}] = h(n, {i})" for i in range(12))
    assert "call" not in operations(inline(compute(body, SMALL)).function("main"))


BY_MODE = """function m(a: int, mode: int) -> int
          let w = mode * 3 + 1
          let x = w * w - mode
          let y = (x << 2) + (w ~ x)
          let z = (y & 255) | (mode * 9)
          return a * z
        end"""


def test_a_function_that_constants_make_small_is_inlined() -> None:
    body = " ".join(f"ints[{i}] = m(n, {i})" for i in range(5)) + " ints[9] = m(n, k)"
    body += " ints[8] = m(k, n)"
    module = inline(compute(body, BY_MODE))
    assert operations(module.function("main")).count("call") == 2


def test_values_of_a_loop_outlive_its_return() -> None:
    """What a loop makes and what follows uses does not exist on the way of the return."""
    source = """function f(a: int) -> int
          let last: int = 0
          @unroll(9) for i = 0, a do
            @unroll(4) for j = 0, i do
              last = i * j
              if last > 20 then return last end
            end
            if last == 6 then return -1 end
          end
          if last > 2 then
            @unroll(3) for i = 0, a do if i * last == 4 then return 77 end end
          end
          return last
        end"""
    module = compute("ints[1] = f(n)", source)
    done = inline(module, from_loops=True)
    assert verify(done) == []
    assert [f.name for f in done.functions] == ["main"]
    for start in (-1, 0, 2, 3, 4, 5, 9):
        assert ran(done, start) == ran(module, start)


def test_a_return_inside_a_loop_gives_a_struct() -> None:
    source = """struct Hit
          at: vec2
          found: bool
        end
        function f(a: int) -> Hit
          @unroll(9) for i = 0, a do
            if i * i > 10 then return Hit { at = vec2(float(i)), found = true } end
          end
          return Hit { at = vec2(0.0), found = false }
        end"""
    module = compute("let h = f(n) if h.found then ints[1] = int(h.at.y) end", source)
    done = inline(module, from_loops=True)
    assert [f.name for f in done.functions] == ["main"]
    for start in (0, 9):
        assert ran(done, start) == ran(module, start)
        assert ran(optimized(module), start) == ran(module, start)
