"""Whether a rule is true, by trying: both sides on many points, compared.

An exact rule must give the same bits everywhere.  A fast rule must hold of real numbers (judged in
double precision), and its right side must not lose much more by rounding than its left.
"""

from __future__ import annotations

import math
import zlib
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from luma.language.types import (
    FLOAT,
    HALF,
    Matrix,
    Scalar,
    Type,
    Vector,
    element,
    element_count,
    is_float,
    scalar_of,
)
from luma.optimizer.rulefiles.arrays import Array, Value, components, rounded
from luma.optimizer.rulefiles.drawing import Draw, draw, indices, same
from luma.optimizer.rulefiles.machine import Machine, Unknown, point, result_type
from luma.optimizer.rulefiles.meaning import FUNCTIONS, RELATIONS
from luma.optimizer.rulefiles.tree import Call, Fact, Rule, shown
from luma.optimizer.rulefiles.typings import Typing

#: How many points a rule is tried on, for each width of floats that it matches.
POINTS = 100_000
#: How far the sides of a fast rule may be apart as real numbers: of the value, absolutely below 1.
REAL_ERROR = 1e-6
#: How far rounding may take the right side of a fast rule from the real number, by type, ...
ROUNDING_ERROR = {FLOAT: 2.0**-12, HALF: 2.0**-4}
#: ... unless the left side is nearly as far off, and but for so many of the points.
NEARLY, EXCEPTIONS = 16.0, 0.001
#: Greater results are nothing that a fast rule promises anything of.
ORDINARY = {FLOAT: 1e6, HALF: 1e3}


@dataclass(frozen=True, slots=True)
class Counterexample:
    """Values for which a rule is not true.  ``left`` and ``right`` are None for facts."""

    typing: Typing
    values: dict[str, tuple[Type | None, object]]
    left: object
    right: object
    type: Type | None
    remark: str = ""


@dataclass(frozen=True, slots=True)
class Tried:
    """What came of trying: how many points met the conditions, the worst error of a fast rule."""

    points: int
    worst: float
    counterexample: Counterexample | None


def try_rule(rule: Rule, at_types: Sequence[Typing], points: int = POINTS) -> Tried:
    """Try a rule at some typings.  Raises machine.Unknown if it has no meaning for values."""
    rng = np.random.default_rng(zlib.crc32(rule.name.encode()))
    allowed = stated_error(rule)
    groups: dict[tuple[bool, bool], list[Typing]] = {}
    for typing in at_types:
        kinds = [t for t in (*typing.expressions.values(), *typing.types.values()) if is_float(t)]
        half = any(scalar_of(t) == HALF for t in kinds)
        groups.setdefault((bool(kinds), half), []).append(typing)
    total, worst = 0, 0.0
    with np.errstate(all="ignore"):
        for group in groups.values():
            ways = [(t, at) for t in group for at in indices(t)[0]]
            shares = [1.0 / _size(typing) for typing, _ in ways]
            for (typing, at), share in zip(ways, shares, strict=True):
                wanted = max(int(points * share / sum(shares)) + 1, 500)
                tried = _try(rule, typing, at, wanted, rng, allowed)
                total += tried.points
                worst = max(worst, tried.worst)
                if tried.counterexample is not None:
                    return Tried(total, worst, tried.counterexample)
    return Tried(total, worst, None)


def _size(typing: Typing) -> int:
    """How many numbers a point is made of: types of few get more of the points."""
    return sum(_count(t) for t in typing.expressions.values()) or 1


def _count(t: Type) -> int:
    if isinstance(t, Scalar):
        return 1
    return sum(_count(element(t, n)) for n in range(element_count(t)))


def stated_error(rule: Rule) -> float:
    """The error that the rule's comment admits (``; error: 0.01``), else 0."""
    text = rule.remark("error")
    try:
        error = 0.0 if text is None else abs(float(text))
    except ValueError:
        return 0.0
    return error if math.isfinite(error) else 0.0


#: How often values are drawn anew because few met the conditions.
_ATTEMPTS = 12


def _try(
    rule: Rule, typing: Typing, at: dict[str, int], wanted: int, rng: np.random.Generator,
    allowed: float,
) -> Tried:  # fmt: skip
    found, worst = 0, 0.0
    for _ in range(_ATTEMPTS):
        drawn = draw(rule, typing, at, wanted, rng)
        compare = _facts if rule.right is None else _fast if rule.fast else _exact
        tried = compare(rule, drawn, rng, allowed)
        found += tried.points
        worst = max(worst, tried.worst)
        if tried.counterexample is not None or found >= wanted:
            return Tried(found, worst, tried.counterexample)
        if found == 0 and not drawn.held.any() and _ > 2:
            break
    return Tried(found, worst, None)


# ---------------------------------------------------------------- comparing


def _exact(rule: Rule, drawn: Draw, rng: np.random.Generator, allowed: float) -> Tried:
    a, b = (Machine(drawn.typing, drawn.count, _narrowed(drawn), rng) for _ in range(2))
    left = a.expression(rule.left)
    assert rule.right is not None
    right = b.expression(rule.right)
    counts = drawn.held & a.free
    if _is_helper(rule.right):
        counts &= a.valid & b.valid
    remarks = [
        (~b.free, "the right side has no specified value"),
        (~b.valid & a.valid, "the right side has no specified value"),
        (b.broken & a.valid, "the right side makes a literal that its type does not have"),
        (~same(left, right) & a.valid, ""),
    ]
    return _judged(rule, drawn, left, right, counts, remarks, 0.0)


def _narrowed(drawn: Draw) -> dict[str, Value]:
    """The values as their types have them: those that meet a fact do so as real numbers."""
    types = drawn.typing.expressions
    return {
        n: rounded(v, types[n]) if _is_numeric(types.get(n)) else v for n, v in drawn.values.items()
    }


def _is_numeric(t: Type | None) -> bool:
    return isinstance(t, Scalar | Vector | Matrix)


def _is_helper(pattern: object) -> bool:
    return isinstance(pattern, Call) and pattern.name in ("Rounded", "Wrapped", "Lit", "Int")


def _fast(rule: Rule, drawn: Draw, rng: np.random.Generator, allowed: float) -> Tried:
    assert rule.right is not None
    sides = (rule.left, rule.right)
    near = [Machine(drawn.typing, drawn.count, _narrowed(drawn), rng) for _ in sides]
    real = [Machine(drawn.typing, drawn.count, drawn.values, rng, exact=True) for _ in sides]
    left, right = (m.expression(p) for m, p in zip(near, sides, strict=True))
    true_left, true_right = (m.expression(p) for m, p in zip(real, sides, strict=True))
    t = result_type(rule.left, drawn.typing)
    counts = drawn.held & near[0].valid & near[0].ordinary & real[0].valid & real[0].ordinary
    if _is_helper(rule.right):
        counts &= near[1].valid
    floats = is_float(scalar_of(t))
    for part in components(true_left) if floats else ():
        counts &= np.abs(part) < ORDINARY[scalar_of(t)]
    if not floats:
        remarks = [(~same(true_left, true_right), "as real numbers")]  # rounding may tip a choice
        return _judged(rule, drawn, left, right, counts, remarks, 0.0)
    error = _distance(true_left, true_right)
    lost, lost_before = _distance(true_left, right), _distance(true_left, left)
    bound = ROUNDING_ERROR[scalar_of(t)] + allowed
    worse = ~(lost <= np.maximum(bound, NEARLY * lost_before))
    worse &= counts
    if worse.sum() <= EXCEPTIONS * counts.sum() and np.isfinite(lost[worse]).all():
        worse = np.zeros_like(worse)
    bounded = lost[counts & np.isfinite(lost)]
    worst = float(np.quantile(bounded, 1.0 - EXCEPTIONS)) if bounded.size else 0.0
    remarks = [
        (~(error <= REAL_ERROR + allowed), _bound(REAL_ERROR + allowed)),
        (worse, _bound(bound)),
    ]
    return _judged(rule, drawn, left, right, counts, remarks, worst)


def _bound(bound: float) -> str:
    return f"off by more than {bound:.2g}"


def _distance(a: Value, b: Value) -> Array:
    """How far b is from a: of a, absolutely where a is below 1; the worst component."""
    parts = zip(components(a), components(b), strict=True)
    return np.maximum.reduce(
        [np.nan_to_num(np.abs(x - y) / np.maximum(1.0, np.abs(x)), nan=np.inf) for x, y in parts]
    )


def _facts(rule: Rule, drawn: Draw, rng: np.random.Generator, allowed: float) -> Tried:
    """Whether what the rule states holds of the values."""
    machine = Machine(drawn.typing, drawn.count, _narrowed(drawn), rng)
    remarks: list[tuple[Array, str]] = []
    left = machine.expression(rule.left)
    for fact in rule.states:
        remarks.append((~_true(fact, machine), "what it states does not hold"))
    counts = drawn.held & machine.valid
    if rule.fast:
        counts &= machine.ordinary
    return _judged(rule, drawn, left, None, counts, remarks, 0.0)


def _true(fact: Fact, machine: Machine) -> Array:
    assert isinstance(fact.left, Call)
    name, argument = fact.left.name, fact.left.args[0]
    if name not in RELATIONS and name not in FUNCTIONS:
        raise Unknown(shown(fact.left))
    value, t = machine.expression(argument), result_type(argument, machine.typing)
    if fact.right is None:
        return RELATIONS[name].holds(value, t)
    return FUNCTIONS[name].true(value, t, machine.number(fact.right))


def _judged(
    rule: Rule, drawn: Draw, left: Value, right: Value | None, counts: Array,
    remarks: list[tuple[Array, str]], worst: float,
) -> Tried:  # fmt: skip
    for wrong, remark_ in remarks:
        bad = np.flatnonzero(counts & wrong)
        if bad.size:
            at = int(bad[0])
            typing = drawn.typing
            values = {
                name: (typing.expressions.get(name), point(value, at))
                for name, value in drawn.values.items()
            }
            example = Counterexample(
                typing, values, point(left, at), None if right is None else point(right, at),
                result_type(rule.left, typing), remark_,
            )  # fmt: skip
            return Tried(int(counts.sum()), worst, example)
    return Tried(int(counts.sum()), worst, None)
