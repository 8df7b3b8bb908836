"""Superfluous phis go, needed ones stay; the environment forks and joins."""

from __future__ import annotations

from luma.frontend.typed import Local
from luma.ir.lower.ssa import Environment, Phi, live_phis, remove_trivial
from luma.language.types import FLOAT
from luma.source import Span

NOWHERE = Span(0, 0)


def phi(value: int, *operands: int | None) -> Phi:
    return Phi(value, FLOAT, list(operands))


def test_a_phi_of_one_value_is_that_value() -> None:
    found = remove_trivial([phi(10, 1, 1), phi(11, 2, 11), phi(12, 3, None)])
    assert [found(v) for v in (10, 11, 12)] == [1, 2, 3]


def test_a_phi_of_two_values_stays() -> None:
    assert not remove_trivial([phi(10, 1, 2), phi(11, 1, 10)]).forward


def test_removing_one_makes_others_trivial() -> None:
    # An inner loop's phi of an outer loop's phi: neither changes the variable.
    outer, inner = phi(10, 1, 11), phi(11, 10, 11)
    for order in ([outer, inner], [inner, outer]):
        found = remove_trivial(order)
        assert (found(10), found(11)) == (1, 1)


def test_users_of_a_replaced_phi_are_looked_at_again() -> None:
    a, b, c = phi(10, 1, 10), phi(11, 10, 1), phi(12, 11, 10)
    found = remove_trivial([c, b, a])
    assert {found(v) for v in (10, 11, 12)} == {1}


def test_a_swap_needs_both_phis() -> None:
    a, b = phi(10, 1, 11), phi(11, 2, 10)
    assert not remove_trivial([a, b]).forward


def test_phis_that_only_feed_each_other_are_dead() -> None:
    phis = [phi(10, 1, 11), phi(11, 2, 10), phi(12, 3, 4)]
    found = remove_trivial(phis)
    assert live_phis(phis, [5, 12], found) == {12}
    assert live_phis(phis, [11], found) == {10, 11}


def test_environment_undoes_a_branch_and_tells_its_changes() -> None:
    outer, inner, other = (Local(name, FLOAT, NOWHERE) for name in "xyz")
    env = Environment()
    env.write(outer, 1)
    env.write(other, 2)
    env.begin()
    env.write(outer, 3)
    env.write(inner, 4)
    env.begin()
    env.write(outer, 5)
    env.write(inner, 6)
    assert env.end() == {outer: 5, inner: 6}
    assert (env.read(outer), env.read(inner)) == (3, 4)
    assert env.end() == {outer: 3}
    assert (env.read(outer), env.read(other)) == (1, 2)
    assert inner not in env.values
