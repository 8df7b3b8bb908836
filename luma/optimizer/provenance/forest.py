"""A second e-graph, in Python, that knows why its terms are equal.

Every term keeps the operands that it was made with.  Each time two classes become one, the two
terms that did it are linked with the reason; links form a forest, so between any two equal terms
there is one path, and each step of it is a reason (as in Nieuwenhuis and Oliveras, Proof-producing
congruence closure, 2005).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from luma.language.types import Type
from luma.optimizer.provenance.recording import HELPER_SORTS
from luma.optimizer.schema import CONSTRUCTORS

#: A term's number.
Vertex: TypeAlias = int

SORTS: dict[str, str] = {name: c.sorts for name, c in CONSTRUCTORS.items()} | {
    name: sorts[1:-1] for name, sorts in HELPER_SORTS.items()
}


@dataclass(frozen=True, slots=True)
class Made:
    """A term as it was made; its arguments follow the constructor's sorts, vertices for E."""

    constructor: str
    type: Type
    args: tuple[Any, ...]

    @property
    def kids(self) -> tuple[Vertex, ...]:
        """The operands, in order."""
        sorts = SORTS[self.constructor]
        return tuple(a for s, a in zip(sorts, self.args, strict=True) if s == "E")


Key: TypeAlias = "tuple[str, Type, tuple[Any, ...]]"


def key(made: Made, number: Callable[[Vertex], int]) -> Key:
    """What tells a term from others, its operands told apart by ``number``."""
    sorts = SORTS[made.constructor]
    args = tuple(number(a) if s == "E" else a for s, a in zip(sorts, made.args, strict=True))
    return made.constructor, made.type, args


class Congruence:
    """The reason for terms that are alike but for operands that are equal."""


class Same:
    """The reason for terms that the encoder has written for one value."""


class Unknown:
    """Where it is not known why terms are equal."""


@dataclass(frozen=True, slots=True)
class Hop:
    """A step of a path: from a term to an equal one, along a link or (``backward``) against it."""

    start: Vertex
    end: Vertex
    reason: object
    backward: bool


class Forest:
    """Terms, the classes they are in so far, and the links between them.

    ``final`` has for each term (by :func:`key` with the classes of its operands) its class in the
    graph that all of this leads to.
    """

    def __init__(self, final: Mapping[Key, int]) -> None:
        self.classes = final
        self.made: list[Made] = []
        self.final: list[int] = []
        self._parent: list[Vertex] = []
        self._links: list[list[tuple[Vertex, object, bool]]] = []
        self._table: dict[Key, Vertex] = {}
        #: The vertices of a final class, by constructor.
        self.members: dict[tuple[int, str], list[Vertex]] = {}

    def find(self, v: Vertex) -> Vertex:
        """The vertex that stands for the class of ``v``."""
        parent = self._parent
        while parent[v] != v:
            parent[v] = parent[parent[v]]
            v = parent[v]
        return v

    def seen(self, made: Made) -> Vertex | None:
        """The vertex of a term that there is."""
        return self._table.get(key(made, self.find))

    def add(self, made: Made) -> Vertex | None:
        """The vertex of a term, which is made if there is none.

        None if the final graph has no such term.
        """
        known = self.seen(made)
        if known is not None:
            return known
        c = self.classes.get(key(made, self.final.__getitem__))
        if c is None:
            return None
        v = len(self.made)
        self.made.append(made)
        self.final.append(c)
        self._parent.append(v)
        self._links.append([])
        self._table[key(made, self.find)] = v
        self.members.setdefault((c, made.constructor), []).append(v)
        return v

    def link(self, a: Vertex, b: Vertex, reason: object) -> bool:
        """Say that two terms are equal; whether that is news."""
        low, high = sorted((self.find(a), self.find(b)))
        if low == high:
            return False
        self._parent[high] = low
        self._links[a].append((b, reason, False))
        self._links[b].append((a, reason, True))
        return True

    def settle(self) -> None:
        """Make terms equal whose operands have become so, until there are no more."""
        changed = True
        while changed:
            changed = False
            table: dict[Key, Vertex] = {}
            for v, made in enumerate(self.made):
                other = table.setdefault(key(made, self.find), v)
                if other != v and self.link(other, v, Congruence()):
                    changed = True
            self._table = table

    def path(self, start: Vertex, end: Vertex) -> list[Hop] | None:
        """The way between two terms, None if they are not known to be equal."""
        if start == end:
            return []
        came: dict[Vertex, Hop] = {}
        work = deque([start])
        while work:
            v = work.popleft()
            for other, reason, backward in self._links[v]:
                if other == start or other in came:
                    continue
                came[other] = Hop(v, other, reason, backward)
                if other == end:
                    return list(reversed(list(_back(came, start, end))))
                work.append(other)
        return None


def _back(came: Mapping[Vertex, Hop], start: Vertex, end: Vertex) -> Iterator[Hop]:
    while end != start:
        hop = came[end]
        yield hop
        end = hop.start
