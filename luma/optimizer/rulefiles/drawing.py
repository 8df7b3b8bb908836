"""Values to judge rules on: ordinary, treacherous, random ones, that meet the conditions."""

from __future__ import annotations

import itertools
import math
import random
from dataclasses import dataclass

import numpy as np

from luma.language.numbers import FLT_MAX, INT_MAX, INT_MIN, UINT_MAX
from luma.language.types import (
    BOOL,
    HALF,
    INT,
    Array,
    Matrix,
    Scalar,
    Struct,
    Type,
    Vector,
    element,
    element_count,
    is_float,
    is_integer,
    scalar_of,
)
from luma.optimizer.rulefiles.arrays import Array as Points
from luma.optimizer.rulefiles.arrays import Value, components, narrowed
from luma.optimizer.rulefiles.machine import Machine, result_type
from luma.optimizer.rulefiles.meaning import RELATIONS, Random
from luma.optimizer.rulefiles.tree import Call, Fact, Literal, Rule, Var, is_term, walk
from luma.optimizer.rulefiles.typings import Typing

FLOATS = (0.0, -0.0, 1.0, -1.0, np.nan, np.inf, -np.inf, 0.5, 2.0, -3.5, 2.0**-149, -(2.0**-149),
          2.0**-126, -1e-40, FLT_MAX, -FLT_MAX, 0.1, 16777215.0, -0.75, 1e10)  # fmt: skip
HALVES = (0.0, -0.0, 1.0, -1.0, np.nan, np.inf, -np.inf, 0.5, 2.0, -1.5, 2.0**-24, -(2.0**-24),
          2.0**-14, 65504.0, -65504.0, 0.1, 2047.0)  # fmt: skip
INTS = (0, 1, -1, 2, 3, -7, 31, 32, 33, INT_MIN, INT_MAX, INT_MIN + 1, 255, -256, 0x55555555)
UINTS = (0, 1, 2, 3, 31, 32, 33, 1 << 31, UINT_MAX, UINT_MAX - 1, 0xFF, 0x55555555)


@dataclass(frozen=True, slots=True)
class Draw:
    """A rule's variables at ``count`` points, and where its conditions hold."""

    typing: Typing
    count: int
    values: dict[str, Value]
    held: Points


#: In so many ways the positions in a rule are chosen; of more, so many at random.
MOST_WAYS = 256


def indices(typing: Typing) -> tuple[list[dict[str, int]], bool]:
    """Ways to choose the positions that a rule's numbers stand for, and whether these are all."""
    limits = {name: n for name, n in typing.numbers.items() if isinstance(n, int)}
    ranges = [range(min(n, 4)) for n in limits.values()]
    whole = math.prod(map(len, ranges)) <= MOST_WAYS
    rng = random.Random(0)
    some = ([rng.choice(r) for r in ranges] for _ in range(MOST_WAYS))
    ways = itertools.product(*ranges) if whole else some
    return [dict(zip(limits, chosen, strict=True)) for chosen in ways], whole


@np.errstate(all="ignore")
def draw(rule: Rule, typing: Typing, at: dict[str, int], count: int, rng: Random) -> Draw:
    """Values for the variables of a rule, most of which meet its conditions."""
    values: dict[str, Value] = dict(at)
    for name, limit in typing.numbers.items():
        if not isinstance(limit, int):
            values[name] = _literal(limit, rule, count, rng)
    constants = constants_of(rule.conditions)
    for name, t in typing.expressions.items():
        if name in constants:
            values[name] = _constant(t, constants[name], rule, count, rng)
        else:
            values[name] = _like_another(_value(t, rule, count, rng), t, typing, values, rng)
    for fact in rule.conditions:
        _meet(fact, typing, values, rng)
    machine = Machine(typing, count, values, rng)
    held = np.ones(count, bool)
    pending = list(rule.conditions)
    while pending:  # a condition may use what a later one gives a value
        later = [f for f in pending if not _hold(f, machine, values, held)]
        if len(later) == len(pending):
            break
        pending = later
    return Draw(typing, count, values, held & machine.valid)


def constants_of(conditions: tuple[Fact, ...]) -> dict[str, int | float | None]:
    """The variables that conditions say are constants, with the constant if they say which."""
    found: dict[str, int | float | None] = {}
    for fact in conditions:
        for side in fact.sides:
            for p in walk(side):
                if isinstance(p, Call) and p.name in _CONSTANT and isinstance(p.args[0], Var):
                    found.setdefault(p.args[0].name, None)
        sides = fact.sides if len(fact.sides) == 2 else ()
        for a, b in (sides, sides[::-1]) if sides else ():
            match a, b:
                case Call(fact_name, (Var(name),)), Literal(int() | float() as value):
                    if fact_name in _CONSTANT:
                        found[name] = value
    return found


#: The facts that make an expression a constant.
_CONSTANT = ("uniform", "whole")


# ---------------------------------------------------------------- values


def _constant(t: Type, number: int | float | None, rule: Rule, count: int, rng: Random) -> Value:
    elem = scalar_of(t)
    if number is not None:
        return spread(t, narrowed(np.full(count, number), elem))
    drawn = scalars(elem, rule.fast, count, rng)
    if is_float(elem):
        marks = narrowed(np.array(_marks(rule) or [1.0]), elem)
        drawn = np.where(rng.random(count) < 0.4, rng.choice(marks, count), drawn)
        drawn = np.where(np.isfinite(drawn), drawn, 1.0) + 0.0
    return spread(t, drawn)


def _marks(rule: Rule) -> list[float]:
    """The floats that conditions speak of, and what is between them."""
    found = sorted(
        p.value
        for fact in rule.conditions
        for side in fact.sides
        for p in walk(side)
        if isinstance(p, Literal) and isinstance(p.value, float)
    )
    between = [(a + b) / 2 for a, b in itertools.pairwise(found)]
    return [*found, *between]


def spread(t: Type, value: Points) -> Value:
    """A value with every component the same."""
    match t:
        case Vector(size=size):
            return (value,) * size
        case Matrix(cols=cols):
            return (spread(t.column, value),) * cols
    return value


def _value(t: Type, rule: Rule, count: int, rng: Random) -> Value:
    match t:
        case Vector(elem, size):
            return tuple(_value(elem, rule, count, rng) for _ in range(size))
        case Matrix(cols=cols):
            return tuple(_value(t.column, rule, count, rng) for _ in range(cols))
        case Array() | Struct():
            return tuple(_value(element(t, n), rule, count, rng) for n in range(element_count(t)))
    assert isinstance(t, Scalar)
    drawn = scalars(t, rule.fast, count, rng)
    written = _written(rule, t)
    if not written:
        return drawn
    numbers = narrowed(np.array(written), t)
    return np.where(rng.random(count) < 0.05, rng.choice(numbers, count), drawn)


def _written(rule: Rule, t: Scalar) -> list[int | float]:
    """The numbers that a rule names, and their opposites: where a comparison tips over."""
    sides = (rule.left, rule.right, *(s for f in (*rule.conditions, *rule.states) for s in f.sides))
    kind, low, high = (float, -FLT_MAX, FLT_MAX) if is_float(t) else (int, INT_MIN, INT_MAX)
    found = {
        sign * p.value
        for side in sides
        for p in walk(side)
        for sign in (1, -1)
        if isinstance(p, Literal) and isinstance(p.value, kind) and low <= p.value <= high
    }
    return [] if t == BOOL else sorted(found)


def _like_another(
    value: Value, t: Type, typing: Typing, values: dict[str, Value], rng: Random
) -> Value:
    """The value, at some points that of another variable of its type: equal ones are special."""
    for name, other in typing.expressions.items():
        if other == t and name in values:
            same = rng.random(len(components(value)[0])) < 0.1
            return _where(same, values[name], value)
    return value


def _where(condition: Points, a: Value, b: Value) -> Value:
    if isinstance(a, tuple):
        return tuple(_where(condition, x, y) for x, y in zip(a, b, strict=True))
    return np.where(condition, a, b)


@np.errstate(all="ignore")
def scalars(t: Scalar, fast: bool, count: int, rng: Random) -> Points:
    """Numbers of one type: ordinary ones for fast rules, else of every kind."""
    if t == BOOL:
        return rng.random(count) < 0.5
    if is_integer(t):
        low, high, special = (INT_MIN, INT_MAX, INTS) if t == INT else (0, UINT_MAX, UINTS)
        return _mixed(
            count, rng,
            (0.3, rng.choice(np.array(special, np.int64), count)),
            (0.2, rng.integers(max(low, -8), 40, count)),
            (0.5, rng.integers(low, high + 1, count)),
        )  # fmt: skip
    if fast:
        reach = 2.0 if t == HALF else 8.0
        scale = np.exp2(rng.uniform(-reach, reach, count))
        drawn = _mixed(
            count, rng,
            (0.55, rng.uniform(0.1, 3.0, count)),
            (0.3, rng.uniform(-3.0, 3.0, count)),
            (0.1, rng.uniform(-1.0, 1.0, count) * scale),
            (0.05, rng.integers(-3, 4, count).astype(np.float64)),
        )  # fmt: skip
        return narrowed(drawn, t)
    bits = rng.integers(0, 1 << 32, count, dtype=np.uint32)
    any_bits = (bits & 0xFFFF).astype(np.uint16).view(np.float16) if t == HALF else bits.view("<f4")
    drawn = _mixed(
        count, rng,
        (0.25, rng.choice(np.array(HALVES if t == HALF else FLOATS), count)),
        (0.3, any_bits.astype(np.float64)),
        (0.25, rng.normal(0.0, 2.0, count)),
        (0.1, np.ldexp(rng.choice([-1.0, 1.0], count), rng.integers(-14, 15, count))),
        (0.1, rng.integers(-5, 6, count).astype(np.float64)),
    )  # fmt: skip
    return narrowed(drawn, t)


def _mixed(count: int, rng: Random, *parts: tuple[float, Points]) -> Points:
    which = np.searchsorted(np.cumsum([share for share, _ in parts])[:-1], rng.random(count))
    return np.choose(which, [points for _, points in parts])


def _literal(t: Type, rule: Rule, count: int, rng: Random) -> Points:
    """What a literal of the e-graph may hold; a number on its way to one may be any."""
    elem = scalar_of(t)
    drawn = scalars(elem, rule.fast, count, rng)
    helper = rule.left.name if isinstance(rule.left, Call) else ""
    if is_float(elem):
        drawn = np.where(np.isfinite(drawn), drawn, 0.0) + 0.0
        if helper == "Rounded":
            drawn = np.where(rng.random(count) < 0.5, drawn * rng.uniform(0.9, 1.1, count), drawn)
        return drawn
    if helper == "Wrapped":
        return drawn.astype(np.int64) * rng.integers(-4, 1 << 30, count)
    return drawn.astype(np.int64)


# ---------------------------------------------------------------- conditions


def _meet(fact: Fact, typing: Typing, values: dict[str, Value], rng: Random) -> None:
    """Bring a variable's values to where a condition holds of them, if it is known how."""
    if fact.right is None and isinstance(fact.left, Call):
        relation = RELATIONS.get(fact.left.name)
        if relation is not None and relation.meet is not None:
            argument = fact.left.args[0]
            if isinstance(argument, Var) and argument.name in typing.expressions:
                t = typing.expressions[argument.name]
                values[argument.name] = relation.meet(values[argument.name], t, rng)


def _hold(fact: Fact, machine: Machine, values: dict[str, Value], held: Points) -> bool:
    """Note where a condition holds, or let it give a variable its value; False if not yet known."""
    left, right = fact.left, fact.right
    try:
        if right is None:
            if isinstance(left, Call):
                held &= _holds(left, machine)
            return True
        for a, b in ((left, right), (right, left)):
            if isinstance(a, Var) and a.name not in values:
                known = machine.expression if _is_expression(b, machine) else machine.number
                values[a.name] = known(b)
                return True
        if any(_is_expression(side, machine) for side in fact.sides):
            held &= same(machine.expression(left), machine.expression(right))
        else:
            held &= machine.number(left) == machine.number(right)
    except KeyError:
        return False
    return True


def _holds(call: Call, machine: Machine) -> Points:
    if call.name in ("float", "integer"):
        return np.ones(machine.count, bool)
    if call.name in ("!=", "=") and any(_is_expression(a, machine) for a in call.args):
        a, b = (machine.expression(p) for p in call.args)
        return same(a, b) ^ (call.name == "!=")
    relation = RELATIONS.get(call.name)
    if relation is None:
        return np.asarray(machine.number(call), bool)
    argument = call.args[0]
    return relation.holds(machine.expression(argument), result_type(argument, machine.typing))


def _is_expression(pattern: object, machine: Machine) -> bool:
    if isinstance(pattern, Var):
        return pattern.name in machine.typing.expressions
    return is_term(pattern)  # type: ignore[arg-type]


def same(a: Value, b: Value) -> Points:
    """Where two values are the same by bits (all NaNs are one)."""
    if isinstance(a, tuple):
        return np.logical_and.reduce([same(x, y) for x, y in zip(a, b, strict=True)])
    equal = a == b
    if a.dtype == np.float64:
        equal &= np.signbit(a) == np.signbit(b)
        equal |= np.isnan(a) & np.isnan(b)
    return equal
