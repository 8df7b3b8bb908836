"""What random programs are made of: pairs of a text and its meaning."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

#: What a run knows: variables by number, the invocation's own memory, effects counted.
Env: TypeAlias = dict[Any, Any]
Compute: TypeAlias = Callable[[Env], Any]
Action: TypeAlias = Callable[[Env], None]

CELLS = 8  # words of buffer memory that an invocation owns
RESULTS = 8  # words that it writes at the end
RUNS = 6

VECTORS = {"ivec2": ("int", 2), "ivec3": ("int", 3), "uvec2": ("uint", 2), "uvec4": ("uint", 4)}
SCALARS = ("int", "uint", "bool", "float")


class Returned(Exception):
    """A function of the program returns."""

    def __init__(self, value: Any) -> None:
        self.value = value


@dataclass(frozen=True, slots=True)
class Expr:
    """An expression: its text and its meaning."""

    text: str
    compute: Compute


@dataclass(frozen=True, slots=True)
class Real(Expr):
    """A float expression: at most ``bound``, and a multiple of 2 to the power -``bits``."""

    bound: int
    bits: int = 0


@dataclass(frozen=True, slots=True)
class Variable:
    """A variable in scope; ``key`` is its number in an Env."""

    name: str
    type: str
    key: int
    mutable: bool = True


@dataclass(slots=True)
class Function:
    """A function of the program that others may call."""

    name: str
    params: list[str]
    result: str
    call: Callable[[Env, list[Any]], Any]


def wrap(kind: str, x: int) -> int:
    """An int or uint in its range."""
    x &= 0xFFFFFFFF
    return x - (1 << 32) if kind == "int" and x >> 31 else x


def quotient(a: int, b: int) -> int:
    """Division that truncates."""
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


#: Operators of ints; the result is to be wrapped.
ARITHMETIC: dict[str, Callable[[int, int], int]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "&": lambda a, b: a & b,
    "|": lambda a, b: a | b,
    "~": lambda a, b: a ^ b,
    "<<": lambda a, b: a << (b & 31),
    ">>": lambda a, b: a >> (b & 31),
}
COMPARE: dict[str, Callable[[Any, Any], bool]] = {
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
}


def atom(e: Expr) -> str:
    """The text of an expression that a postfix or a prefix can stand at."""
    return e.text if e.text.startswith("(") or e.text.isidentifier() else f"({e.text})"


def dot(a: list[Any], b: list[Any]) -> Any:
    """The scalar product."""
    return sum(x * y for x, y in zip(a, b, strict=True))


def pick(condition: bool, a: Any, b: Any) -> Any:
    """``select``."""
    return a if condition else b
