"""The plain passes: loops."""

from __future__ import annotations

import pytest

from luma.ir.verify import verify
from luma.optimizer.unroll import unroll
from tests.optimizer.sources import (
    compute,
    main_of,
    operations,
    with_last,
)


def test_asked_for_a_loop_is_unrolled() -> None:
    function = main_of("@unroll for i = 0, 20 do out[i] = float(i) end")
    assert len(function.blocks) == 1 and operations(function).count("store") == 20


def test_nobody_asked_for_a_long_one() -> None:
    function = main_of("for i = 0, 20 do out[i] = float(i) * float(n) end")
    assert any(b.loop is not None for b in function.blocks)


def test_short_loops_unroll_unasked() -> None:
    function = main_of("let s: int = 0 for i = 0, 3 do s += n * i end ints[0] = s")
    assert len(function.blocks) == 1


def test_nested_loops_unroll_inside_out() -> None:
    body = "@unroll for i = 0, 3 do @unroll for j = 0, i do ints[i * 4 + j] = n end end"
    assert operations(main_of(body)).count("store") == 3


@pytest.mark.parametrize("end", ["return", "if n > j then return else return end"])
def test_loops_whose_ends_are_never_reached(end: str) -> None:
    """A loop's copies take along the merge and continue blocks that control never comes to."""
    body = f"for i = 0, 3 do @unroll for j = 0, n do ints[j] = i {end} end end"
    main_of(body)  # which verifies
    module = compute(body)
    assert verify(with_last(module, unroll(module.functions[-1]))) == []


def test_loops_left_early_stay() -> None:
    module = compute("@unroll for i = 0, 4 do if i > n then return end ints[i] = i end")
    assert verify(module) == []
    done = unroll(module.functions[-1])
    assert done is module.functions[-1] or verify(with_last(module, done)) == []


def test_invariants_leave_loops() -> None:
    function = main_of("@unroll(9) for i = 0, n do out[i] = sqrt(float(k)) * float(i) end")
    assert any(i.op == "sqrt" for i in function.blocks[0].instrs)
