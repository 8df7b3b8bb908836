"""What the facts of rule files say about values, and how to find values of which they hold.

A fact of an expression is a relation (``(unit e)``: it holds or not) or a function (``(uniform
k)``: it tells something).  A rule with facts among its conditions is judged over values that meet
them; a rule that states facts is judged by whether they hold of the values.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from luma.language.types import HALF, Type, is_float, scalar_of
from luma.optimizer.rulefiles.arrays import Array, Value, components

Random = np.random.Generator


@dataclass(frozen=True, slots=True)
class Relation:
    """A fact that holds or not: where it does, and values brought to where it does (``meet``)."""

    holds: Callable[[Value, Type], Array]
    meet: Callable[[Value, Type, Random], Value] | None = None


@dataclass(frozen=True, slots=True)
class Function:
    """A fact that tells a number: where it is known, and one that is true of the value.

    ``true`` tells whether a number that a rule states is true of the value.
    """

    known: Callable[[Value, Type], Array]
    number: Callable[[Value, Type, Random], Array]
    true: Callable[[Value, Type, Array], Array]


def _everywhere(value: Value, t: Type) -> Array:
    return np.ones(len(components(value)[0]), bool)


# ---------------------------------------------------------------- constants


def _uniform(value: Value, t: Type) -> Array:
    parts = components(value)
    same = np.logical_and.reduce([p == parts[0] for p in parts])
    if not is_float(t):
        return same
    return same & np.isfinite(parts[0]) & ~((parts[0] == 0) & np.signbit(parts[0]))


def _first(value: Value, t: Type, rng: Random) -> Array:
    first = components(value)[0]
    return first if first.dtype == np.float64 else first.astype(np.int64)


def _is_first(value: Value, t: Type, number: Array) -> Array:
    return _uniform(value, t) & (components(value)[0] == number)


# ---------------------------------------------------------------- bounds


def _least(value: Value) -> Array:
    return np.minimum.reduce(components(value))


def _most(value: Value) -> Array:
    return np.maximum.reduce(components(value))


#: Numbers that bounds often are.
_MARKS = (-1, 0, 1, 31)


def _some_bound(least: Array, rng: Random, sign: int) -> Array:
    """A number that is no more than another: it itself, or a round one near it."""
    found = least
    for mark in _MARKS:
        fits = mark * sign <= least
        found = np.where(fits & (rng.random(len(least)) < 0.4), mark * sign, found)
    return found


def _below(value: Value, t: Type, rng: Random) -> Array:
    return _some_bound(_least(value), rng, 1)


def _above(value: Value, t: Type, rng: Random) -> Array:
    return -_some_bound(-_most(value), rng, -1)


def _slack(number: Array, t: Type) -> Array:
    """By how much rounding may take a float beyond a bound that rules compute in doubles."""
    return (2e-3 if scalar_of(t) == HALF else 1e-6) * np.maximum(1.0, np.abs(number))


_LEAST = Function(_everywhere, _below, lambda value, t, n: _least(value) >= n)
_MOST = Function(_everywhere, _above, lambda value, t, n: _most(value) <= n)
_LOW = Function(_everywhere, _below, lambda value, t, n: _least(value) >= n - _slack(n, t))
_HIGH = Function(_everywhere, _above, lambda value, t, n: _most(value) <= n + _slack(n, t))
_SAME = Function(_uniform, _first, _is_first)

FUNCTIONS: dict[str, Function] = {
    "uniform": _SAME, "whole": _SAME, "least": _LEAST, "low": _LOW, "most": _MOST, "high": _HIGH,
}  # fmt: skip

# ---------------------------------------------------------------- directions and matrices


def _dot(a: Value, b: Value) -> Array:
    return sum(x * y for x, y in zip(a, b, strict=True))


def _is_unit(value: Value, t: Type) -> Array:
    near = 4e-3 if scalar_of(t) == HALF else 1e-5
    return np.abs(_dot(value, value) - 1.0) < near


def _to_unit(value: Value, t: Type, rng: Random) -> Value:
    length = np.sqrt(_dot(value, value))
    first = np.where(length > 1e-3, value[0], 1.0)
    rest = tuple(np.where(length > 1e-3, x, 0.0) for x in value[1:])
    length = np.where(length > 1e-3, length, 1.0)
    return tuple(x / length for x in (first, *rest))


def _is_cosine(value: Value, t: Type) -> Array:
    return np.abs(value) < 1.0 + (4e-3 if scalar_of(t) == HALF else 1e-5)


def _to_cosine(value: Value, t: Type, rng: Random) -> Value:
    return rng.uniform(-1.0, 1.0, len(value))


def _turning(value: Value) -> list[Value]:
    """The columns of the part of a matrix that turns: three dimensions of four."""
    n = min(len(value), 3)
    return [column[:n] for column in value[:n]]


def _determinant(columns: list[Value]) -> Array:
    if len(columns) == 2:
        (a, b), (c, d) = columns
        return a * d - b * c
    a, b, c = columns
    return _dot(a, _cross(b, c))


def _cross(a: Value, b: Value) -> Value:
    return (
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    )


def _is_rigid(value: Value, t: Type) -> Array:
    columns = _turning(value)
    found = np.abs(_determinant(columns) - 1.0) < 1e-4
    for n, a in enumerate(columns):
        for m, b in enumerate(columns):
            found &= np.abs(_dot(a, b) - (n == m)) < 1e-4
    return found & _is_affine(value, t) if len(value) == 4 else found


def _to_rigid(value: Value, t: Type, rng: Random) -> Value:
    """By Gram and Schmidt, with the last column such that the matrix does not mirror."""
    first = _to_unit(_turning(value)[0], t, rng)
    if len(value) == 2:
        return (first, (-first[1], first[0]))
    other = _turning(value)[1]
    along = _dot(first, other)
    rest = tuple(x - along * y for x, y in zip(other, first, strict=True))
    short = _dot(rest, rest) < 1e-4
    axis = (np.abs(first[0]) < 0.7, np.abs(first[0]) >= 0.7, np.zeros_like(first[0]))
    across = _cross(first, tuple(a.astype(np.float64) for a in axis))
    second = _to_unit(
        tuple(np.where(short, a, b) for a, b in zip(across, rest, strict=True)), t, rng
    )
    columns = (first, second, _cross(first, second))
    if len(value) == 3:
        return columns
    none, one = np.zeros_like(first[0]), np.ones_like(first[0])
    return (*((*c, none) for c in columns), (*value[3][:3], one))


def _is_affine(value: Value, t: Type) -> Array:
    last = [column[-1] for column in value]
    return np.logical_and.reduce([x == (n == len(last) - 1) for n, x in enumerate(last)])


def _to_affine(value: Value, t: Type, rng: Random) -> Value:
    ends = [np.full_like(c[-1], n == len(value) - 1) for n, c in enumerate(value)]
    return tuple((*c[:-1], end) for c, end in zip(value, ends, strict=True))


#: Facts about how a value is written, and not about the value: they hold of any.
SHAPES = frozenset({"open"})

RELATIONS: dict[str, Relation] = {
    "unit": Relation(_is_unit, _to_unit),
    "cosine": Relation(_is_cosine, _to_cosine),
    "rigid": Relation(_is_rigid, _to_rigid),
    "affine": Relation(_is_affine, _to_affine),
    **{name: Relation(_everywhere) for name in SHAPES},
}
