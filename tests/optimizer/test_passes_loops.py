"""The plain passes: loops."""

from __future__ import annotations

import pytest

from luma.ir.module import Function
from luma.ir.verify import verify
from luma.optimizer.bounds import drop_bounds
from luma.optimizer.unroll import unroll
from tests.optimizer.sources import (
    compute,
    main_of,
    operations,
    optimized,
    ran,
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


def test_invariants_leave_loops() -> None:
    function = main_of("@unroll(9) for i = 0, n do out[i] = sqrt(float(k)) * float(i) end")
    assert any(i.op == "sqrt" for i in function.blocks[0].instrs)


def _same(body: str, before: str = "") -> Function:
    """The unrolled main function, which does what it did."""
    module = compute(body, before)
    done = with_last(module, unroll(module.functions[-1]))
    assert verify(done) == []
    for n, k in ((0, 0), (1, 5), (3, 2), (7, -4), (20, 9)):
        assert ran(done, n, k) == ran(module, n, k)
        assert ran(optimized(module), n, k) == ran(module, n, k)
    return done.functions[-1]


def _loops(function: Function) -> int:
    return sum(b.loop is not None for b in function.blocks)


def test_loops_left_early_nest_their_rounds() -> None:
    body = """let s: int = 0
      @unroll for i = 0, 4 do
        if i > n then ints[20] = s return end
        s += ints[i]
        if s == k then return end
      end
      ints[21] = s"""
    assert _loops(_same(body)) == 0


def test_a_return_in_an_inner_loop_leaves_both() -> None:
    body = """let s: int = 0
      @unroll for i = 0, 3 do
        @unroll(9) for j = 0, n do
          s += i * j
          if s > 8 then ints[20] = s return end
        end
        ints[i] = s
      end
      ints[21] = s"""
    assert _loops(_same(body)) == 3


def test_a_condition_of_several_blocks() -> None:
    """The loop's end is known though its header does not decide it."""
    before = "function more(a: int) -> bool ints[30] = ints[30] + 1 return a < 9 end"
    body = """let s: int = 1
      @max_iterations(3) while more(s) do s += n end
      ints[21] = s"""
    _same(body, before)


def test_a_limit_and_a_count_that_nobody_knows() -> None:
    """`@unroll(N)` limits: a loop whose rounds are not known stays unless it is tiny."""
    body = "let s: int = 0 @unroll(16) for i = 0, n do s += ints[i] * i ints[i + 20] = s end"
    assert _loops(_same(body.replace("+ 20", "+ 19"))) == 1


def test_long_loops_are_unrolled_in_part_if_asked() -> None:
    body = """let s: int = 0
      @unroll for i = 0, 240 do s = s * 3 + ints[i & 31] ints[8 + (s & 7)] = i + n + s * 7 end
      ints[21] = s"""
    function = _same(body)
    assert _loops(function) == 1
    assert operations(function).count("store") > 2


def test_branches_in_a_loop_that_is_unrolled_in_part() -> None:
    body = """let s: int = 0
      @unroll for i = 0, 200 do
        if (i & 3) == n then s += ints[i & 31] else s = s * 3 ~ k end
        @unroll(2) for j = 0, n do s += j * i end
      end
      ints[21] = s"""
    function = _same(body)
    assert _loops(function) > 1


def test_a_loop_of_one_round_goes() -> None:
    body = "for i = 5, 6 do ints[1] = i * n ints[2] = ints[3] * i + ints[4] * ints[5] ~ n end"
    assert _loops(_same(body)) == 0


def test_a_loop_that_drivers_unroll_as_well_stays_short() -> None:
    body = "let s: int = 0 for i = 0, 12 do s = s * n + ints[i] ~ (ints[i + 1] * k) end ints[0] = s"
    assert _loops(_same(body)) == 1


# ---------------------------------------------------------------- bounds

HALVING = "let w: int = 32 {bound} while w > 0 do ints[w] += k w /= 2 end"


def _unbounded(body: str) -> bool:
    """Whether the bounds of a body's loops go, which then does what it did."""
    module = compute(body)
    done = with_last(module, drop_bounds(module.functions[-1]))
    assert verify(done) == []
    for n, k in ((0, 0), (1, 5), (3, 2), (7, -4), (20, 9)):
        assert ran(done, n, k) == ran(module, n, k)
    return done != module


@pytest.mark.parametrize("bound", [1, 5, 6, 7, 200])
def test_of_two_conditions_the_one_that_ends_the_loop_stays(bound: int) -> None:
    """The loop makes six rounds if it may; a lower bound makes the author's condition needless."""
    assert _unbounded(HALVING.format(bound=f"@max_iterations({bound})"))


def test_a_bound_that_a_loop_may_meet_stays() -> None:
    assert not _unbounded(
        "let i: int = 0 @max_iterations(9) while i < n do ints[i] += k i += 1 end"
    )


def test_a_bound_stays_where_the_loop_is_left_otherwise() -> None:
    rounds = "while w > n do ints[w] += k w /= 2 if w == 0 then return end end"
    assert not _unbounded(f"let w: int = 32 @max_iterations(9) {rounds}")


def test_a_bound_stays_where_a_round_does_not_know_the_condition() -> None:
    body = "let w: int = 32 @max_iterations(9) while w > 0 do ints[w] += k w = ints[w] end"
    assert not _unbounded(body)


def test_rounds_end_where_a_counter_is_divided_by_zero() -> None:
    body = "let w: int = 4 @max_iterations(9) while w > 0 do ints[w] += k w = 8 / (w - 4) end"
    assert not _unbounded(body)


def test_a_counter_that_counts_for_nothing_is_gone() -> None:
    headers = [b for b in main_of(HALVING.format(bound="@max_iterations(9)")).blocks if b.loop]
    assert [len(b.params) for b in headers] == [1]
