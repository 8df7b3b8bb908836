"""The plain passes: folding constants."""

from __future__ import annotations

import pytest

from tests.optimizer.sources import (
    main_of,
    operations,
    work,
)


@pytest.mark.parametrize(
    ("source", "value"),
    [
        ("sqrt(2.0)", 1.4142135381698608),
        ("floor(-2.5)", -3.0),
        ("0.1 + 0.2", 0.30000001192092896),
        ("float(int(7) / 2)", 3.0),
        ("float(-int(7) % 3)", -1.0),
        ("float(int(2147483647) + 1)", -2147483648.0),
        ("float(int(1) << 33)", 2.0),
        ("vec3(1.0, 2.0, 3.0).z * 2.0", 6.0),
        ("-0.0 * 1.0", -0.0),
    ],
)
def test_constants_fold_as_binary32(source: str, value: float) -> None:
    function = main_of(f"out[0] = {source}", level="basic")
    (store,) = (i for i in function.instructions() if i.op == "store")
    (made,) = (i for i in function.instructions() if i.id == store.args[1])
    assert made.op == "const" and str(made.imm[0]) == str(value)


@pytest.mark.parametrize(
    "source",
    [
        "out[0] = sin(1.0)",
        "out[0] = exp(2.0)",
        "let z = 0.0 out[0] = 1.0 / z",
        "let x = 3e9 out[0] = float(int(x))",
        "let x = 3e38 out[0] = x * 10.0",
    ],
)
def test_what_targets_may_compute_otherwise_stays(source: str) -> None:
    assert work(main_of(source, level="basic")) != ["store"]


def test_a_division_by_zero_is_neither_folded_nor_moved() -> None:
    function = main_of("if n > 0 then out[0] = float(k / n) end")
    (block,) = (b for b in function.blocks if any(i.op == "div" for i in b.instrs))
    assert block is not function.blocks[0]


def test_a_division_by_a_constant_leaves_the_loop() -> None:
    function = main_of("@unroll(9) for i = 0, n do out[i] = float(k / 3) end")
    assert any(i.op == "div" for i in function.blocks[0].instrs)


def test_what_is_put_into_aggregates_comes_out() -> None:
    before = """struct S
          a: float
          b: vec2
        end"""
    function = main_of(
        "let s = S { a = float(n), b = vec2(1.0, 2.0) } s.b.x = s.a out[0] = s.b.x + s.b.y",
        before,
        "basic",
    )
    assert "insert" not in operations(function) and "construct" not in operations(function)
