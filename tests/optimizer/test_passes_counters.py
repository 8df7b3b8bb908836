"""The plain passes: a loop's bound counted by the author's own counter."""

from __future__ import annotations

import pytest

from luma.ir.module import Function
from luma.ir.verify import verify
from luma.optimizer.counters import fuse_counters
from tests.optimizer.sources import compute, optimized, ran, with_last

LOOP = (
    "let i: int = {first} @max_iterations({bound}) while {cond} do ints[i & 31] += k i {step} end"
)


def _fused(body: str) -> Function | None:
    """The main function with counters fused, which does what it did; None if nothing was to do."""
    module = compute(body)
    done = with_last(module, fuse_counters(module.functions[-1]))
    assert verify(done) == []
    for n, k in ((0, 0), (1, 5), (3, 2), (7, -4), (20, 9), (-9, 1)):
        assert ran(done, n, k) == ran(module, n, k)
        assert ran(optimized(module), n, k) == ran(module, n, k)
    return None if done == module else done.functions[-1]


def _loop(cond: str, *, first: int = 0, bound: int = 9, step: str = "+= 1") -> str:
    return LOOP.format(cond=cond, first=first, bound=bound, step=step)


def _nearer(function: Function | None) -> list[str]:
    assert function is not None
    return [i.op for i in function.instructions() if i.op in ("min", "max")]


@pytest.mark.parametrize("bound", [1, 4, 9, 100])
@pytest.mark.parametrize(
    ("cond", "step"),
    [("i < n", "+= 1"), ("n > i", "+= 1"), ("i < n", "+= 3"), ("i < n and i * k < 40", "+= 2")],
)
def test_of_two_conditions_on_one_counter_one_is_left(bound: int, cond: str, step: str) -> None:
    assert _nearer(_fused(_loop(cond, bound=bound, step=step))) == ["min"]


def test_counting_down() -> None:
    assert _nearer(_fused(_loop("i > n", first=12, bound=5, step="-= 2"))) == ["max"]


def test_a_for_has_a_counter_of_its_own() -> None:
    assert _nearer(_fused("@unroll(100) for i = 0, n do ints[i & 31] += k end")) == ["min"]


def test_another_condition_leaves_the_bound_to_the_counter() -> None:
    function = _fused(_loop("i * k < n", bound=6))
    assert _nearer(function) == []


def test_a_loop_to_be_unrolled_keeps_its_counters() -> None:
    assert _fused("@unroll(8) for i = 0, n do ints[i & 31] += k end") is None


def test_a_counter_that_wraps_around_does_not_bound() -> None:
    assert _fused(_loop("i != n", bound=9, step="+= 1000000000")) is None


@pytest.mark.parametrize("step", ["+= k", "= i * 2 + 1"])
def test_an_unknown_step_does_not_count(step: str) -> None:
    assert _fused(_loop("i < n and i >= 0", step=step)) is None


def test_a_limit_that_changes_in_the_loop() -> None:
    body = "let m: int = n " + _loop("i < m", bound=7).replace("+= k", "+= k m -= 1")
    assert _nearer(_fused(body)) == ["min"]


def test_a_counter_that_is_needed_after_the_loop() -> None:
    assert _fused(_loop("i < n", bound=5) + " ints[30] = i") is not None
