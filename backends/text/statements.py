"""The statements of a function's text, as a tree.

Nodes are mutable while the tree is built and tidied; nobody keeps them after printing.  A
``variable`` is the number that :class:`Variables` gives, or a negative one for a temporary.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TypeAlias

from luma.frontend.typed import Unroll
from luma.ir.module import Instr


@dataclass(slots=True)
class Define:
    """Compute an instruction's value into its variable."""

    variable: int
    instr: Instr
    declares: bool = False


@dataclass(slots=True)
class Assign:
    """Copy a value (negative: a temporary) into a variable."""

    variable: int
    value: int
    declares: bool = False


@dataclass(slots=True)
class Declare:
    """A variable that gets its value later; of local memory, the memory."""

    variable: int


@dataclass(slots=True)
class Perform:
    """An instruction for its effect alone."""

    instr: Instr
    declares: bool = False  # a store that gives local memory its first contents


@dataclass(slots=True)
class Condition:
    """A bool value, or its negation."""

    value: int
    negated: bool = False


@dataclass(slots=True)
class If:
    """``default`` marks an ``otherwise`` that was no block, only values for the merge."""

    condition: Condition
    then: list[Statement]
    otherwise: list[Statement]
    default: bool = False


@dataclass(slots=True)
class Loop:
    """Repeat ``body``, then ``tail``, until the body leaves.

    ``condition`` is tested before each round, if there is one.
    """

    body: list[Statement]
    tail: list[Statement]
    unroll: Unroll | int | None = None
    condition: Condition | None = None


@dataclass(slots=True)
class For:
    """A loop whose ``init`` declares its variable and whose ``step`` ends each round."""

    init: Assign | Define
    condition: Condition
    step: Assign | Define
    body: list[Statement]
    unroll: Unroll | int | None = None


@dataclass(slots=True)
class Return:
    """Leave the function."""

    values: tuple[int, ...]


@dataclass(slots=True)
class Discard:
    """End the fragment's effects."""


@dataclass(slots=True)
class Break:
    """Leave the innermost loop."""


@dataclass(slots=True)
class Continue:
    """Begin the innermost loop's next round."""


Jump: TypeAlias = Return | Discard | Break | Continue
Statement: TypeAlias = Define | Assign | Declare | Perform | If | Loop | For | Jump


@dataclass(slots=True)
class Tree:
    """A function's statements and the types of its temporaries are all in one place."""

    body: list[Statement]
    temporaries: dict[int, int] = field(default_factory=dict)  # to the variable they stand in for


def inner_lists(statement: Statement) -> tuple[list[Statement], ...]:
    """The lists of statements inside a statement, in the order of the text."""
    match statement:
        case If(then=then, otherwise=otherwise):
            return (then, otherwise)
        case Loop(body=body, tail=tail):
            return (body, tail)
        case For(body=body):
            return (body,)
    return ()


def walk(body: list[Statement]) -> Iterator[Statement]:
    """Every statement of a list and inside it."""
    pending = [iter(body)]
    while pending:
        statement = next(pending[-1], None)
        if statement is None:
            pending.pop()
        else:
            yield statement
            pending += (iter(inner) for inner in reversed(inner_lists(statement)))


def ends(body: list[Statement]) -> bool:
    """Whether control never passes the end of the list."""
    if not body:
        return False
    match body[-1]:
        case Return() | Discard() | Break() | Continue():
            return True
        case If(then=then, otherwise=otherwise):
            return ends(then) and ends(otherwise)
        case Loop(condition=None) as loop:
            return not leaves(loop.body)
    return False


def leaves(body: list[Statement]) -> bool:
    """Whether a loop's body holds a break of that loop."""
    return any(
        isinstance(s, Break) or (isinstance(s, If) and any(map(leaves, inner_lists(s))))
        for s in body
    )
