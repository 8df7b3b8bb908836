"""What the facts of rule files say about values, and how to find values of which they hold.

A fact of an expression is a relation (``(unit e)``: it holds or not) or a function (``(uniform
k)``: it tells something).  A rule with facts among its conditions is judged over values that meet
them; a rule that states facts is judged by whether they hold of the values.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from luma.language.types import Type, is_float
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


def _everywhere(value: Value) -> Array:
    return np.ones(len(components(value)[0]), bool)


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


_SAME = Function(_uniform, _first, _is_first)

FUNCTIONS: dict[str, Function] = {"uniform": _SAME, "whole": _SAME}

#: Facts about how a value is written, and not about the value: they hold of any.
SHAPES = frozenset({"open"})

RELATIONS: dict[str, Relation] = {
    name: Relation(lambda value, t: _everywhere(value)) for name in SHAPES
}
