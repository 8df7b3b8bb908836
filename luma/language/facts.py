"""What an author states of fields, parameters and resources: facts that fast rules may rely on."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from luma.language.types import (
    BOOL,
    UINT,
    Array,
    Field,
    Matrix,
    Scalar,
    Struct,
    Type,
    Vector,
    is_float,
    is_integer,
    scalar_of,
)


@dataclass(frozen=True, slots=True)
class Fact:
    """A fact by the name of its attribute; ``bounds`` are the ends of a range."""

    name: str
    bounds: tuple[float, ...] = ()

    def __str__(self) -> str:
        numbers = ", ".join(repr(float(b)) for b in self.bounds)
        return f"@{self.name}({numbers})" if numbers else f"@{self.name}"


def _is_number(t: Type) -> bool:
    return isinstance(t, Scalar | Vector) and scalar_of(t) != BOOL


#: Of each fact, the types of values that it can be about, in a test and in words.
SUITS: dict[str, tuple[Callable[[Type], bool], str]] = {
    "unit": (lambda t: isinstance(t, Vector) and is_float(t), "a vector of floats"),
    "rigid": (lambda t: t in (Matrix(3, 3), Matrix(4, 4)), "a mat3 or mat4"),
    "affine": (lambda t: t == Matrix(4, 4), "a mat4"),
    "range": (_is_number, "a number or a vector of numbers"),
    "nonnegative": (_is_number, "a number or a vector of numbers"),
}


def suits(name: str, t: Type) -> bool:
    """Whether a fact can be about a type: a fact about an array is one about each element."""
    while isinstance(t, Array):
        t = t.elem
    return SUITS[name][0](t)


def fields_with_facts(t: Type) -> Iterator[Field]:
    """The fields inside a type of which something is stated, each struct looked at once."""
    seen: set[str] = set()
    pending = [t]
    while pending:
        match pending.pop():
            case Array(elem):
                pending.append(elem)
            case Struct(name, fields) if name not in seen:
                seen.add(name)
                yield from (f for f in fields if f.facts)
                pending += [f.type for f in fields]


def contradiction(facts: tuple[Fact, ...], t: Type) -> str | None:
    """Why no value of a type can meet all the facts, None if some may."""
    low, high = -math.inf, math.inf
    for fact in facts:
        if fact.name == "range":
            low, high = max(low, fact.bounds[0]), min(high, fact.bounds[1])
        elif fact.name == "nonnegative":
            low = max(low, 0.0)
    if low > high:
        return f"no number is at least {low!r} and at most {high!r}"
    while isinstance(t, Array):
        t = t.elem
    if is_integer(t) and facts:
        least, most = whole_bounds(t, low, high)
        if least > most:
            return f"no {scalar_of(t)} is at least {low!r} and at most {high!r}"
    return None


def whole_bounds(t: Type, low: float, high: float) -> tuple[int, int]:
    """The least and the most that an integer of a type between two numbers can be."""
    first, last = (0, 2**32 - 1) if scalar_of(t) == UINT else (-(2**31), 2**31 - 1)
    least = math.ceil(max(low, first))
    most = math.floor(min(high, last))
    return least, most
