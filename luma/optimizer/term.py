"""What goes into the e-graph and what comes out of it, without a word of egglog."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from luma.language.types import Type


@dataclass(frozen=True, slots=True)
class Ref:
    """A value of the function by its id, as an argument of a term."""

    id: int


@dataclass(frozen=True, slots=True)
class Term:
    """A constructor applied: to types, terms, refs and immediates, in the order of its sorts."""

    constructor: str
    type: Type
    args: tuple[TermArg, ...] = ()


TermArg: TypeAlias = "Type | Term | Ref | int | float | str"


class Node(NamedTuple):
    """A term of the saturated graph.

    ``args`` follow the constructor's sorts, expressions being class numbers; ``kids`` are the
    distinct classes among them.
    """

    constructor: str
    type: Type
    args: tuple[int | float | str | Type, ...]
    kids: tuple[int, ...]
    cost: int


def priced(node: Node, cost: int) -> Node:
    """The node at another cost."""
    return Node(node.constructor, node.type, node.args, node.kids, cost)


class Graph(NamedTuple):
    """The saturated graph: each class's nodes, and the class of each value.

    Classes are numbered by the first value in them, the others after; nodes are sorted, so that
    nothing depends on the order in which rules fired.
    """

    nodes: list[list[Node]]
    classes: dict[int, int]


class Stated(NamedTuple):
    """A fact of a value, by the name that rules know it by, with its number if it has one."""

    id: int
    fact: str
    number: int | float | None = None


class Definition(NamedTuple):
    """The term that a value stands for; ``also`` are terms equal to it, ``facts`` known of it."""

    id: int
    term: Term
    also: tuple[Term, ...] = ()
    facts: tuple[Stated, ...] = ()


def subterms(term: Term) -> Iterator[Term]:
    """The term and every term inside it."""
    yield term
    for a in term.args:
        if isinstance(a, Term):
            yield from subterms(a)
