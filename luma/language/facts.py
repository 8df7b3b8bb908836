"""What an author states of a struct's fields: facts that fast rules may rely on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from luma.language.types import BOOL, Matrix, Scalar, Type, Vector, is_float, scalar_of


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


def contradiction(facts: tuple[Fact, ...]) -> str | None:
    """Why no value can meet all the facts, None if some may."""
    low, high = -float("inf"), float("inf")
    for fact in facts:
        if fact.name == "range":
            low, high = max(low, fact.bounds[0]), min(high, fact.bounds[1])
        elif fact.name == "nonnegative":
            low = max(low, 0.0)
    return None if low <= high else f"no number is at least {low!r} and at most {high!r}"
