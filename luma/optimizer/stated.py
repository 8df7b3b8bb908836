"""The facts that an author states, as facts of a function's values.

A parameter has those that stand on it; what is read from memory that the shader is given has those
of the resource, or of the field of a struct that it is.  A struct that the shader makes itself has
none, and neither has what it may write.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from luma.frontend.typed import Access
from luma.ir.module import Function, Global, Instr
from luma.language.evaluate import rounding
from luma.language.facts import Fact, fields_with_facts, whole_bounds
from luma.language.types import (
    Array,
    Matrix,
    Pointer,
    Space,
    Struct,
    Type,
    Vector,
    element,
    is_float,
    scalar_of,
)
from luma.optimizer.term import Definition, Stated

#: What is stated of each global that can be relied on, by its name.
Given = Mapping[str, tuple[Fact, ...]]

#: Memory that is filled before the shader runs.
_BOUND = frozenset({Space.UNIFORM, Space.PUSH_CONSTANT, Space.STORAGE})
#: Facts that hold of a vector's components too.
_OF_COMPONENTS = frozenset({"range", "nonnegative"})


def given(globals: Iterable[Global]) -> tuple[tuple[str, tuple[Fact, ...]], ...]:
    """The globals that only the application writes, and of which something is stated, by name.

    Of some it is stated of a field only.  A buffer that can be written may hold what another
    invocation has put there.
    """
    return tuple(
        (g.name, g.facts)
        for g in globals
        if g.space in _BOUND
        and g.access is Access.READ
        and (g.facts or any(fields_with_facts(g.type)))
    )


def stating(
    definitions: list[Definition], function: Function, base: int, globals: Given
) -> list[Definition]:
    """The definitions, in whose terms numbers are raised by ``base``, with what is stated."""
    facts = stated(function, globals)
    if not facts:
        return definitions
    return [
        d._replace(facts=tuple(s._replace(id=d.id) for s in facts[d.id - base]))
        if d.id - base in facts
        else d
        for d in definitions
    ]


def stated(function: Function, globals: Given) -> dict[int, tuple[Stated, ...]]:
    """What is stated of each value that something is stated of."""
    found = {
        p.id: _told(p.id, p.type, p.facts) for p in function.params if p.facts and p.column is None
    }
    if not globals and not any(p.facts for p in function.params):
        return found
    reader = _Reader(function, globals)
    for instr in function.instructions():
        facts = reader.read(instr)
        if facts:
            found[instr.id] = _told(instr.id, instr.type, facts)
    return found


@dataclass(frozen=True, slots=True)
class _Part:
    """A part of something that is given: its type, and what is stated of it."""

    type: Type
    facts: tuple[Fact, ...]

    def at(self, step: int | None) -> _Part:
        """The part of this part at an index; None for an index known at run time only."""
        inner = element(self.type, step or 0)
        match self.type:
            case Struct(fields=fields):
                return _Part(inner, fields[step or 0].facts)
            case Array():
                return _Part(inner, self.facts)
            case Vector():
                return _Part(inner, tuple(f for f in self.facts if f.name in _OF_COMPONENTS))
            case Matrix(cols=cols) if Fact("rigid") in self.facts:
                turns = cols == 3 or (step is not None and step < 3)  # the last one moves
                return _Part(inner, (Fact("unit"),) if turns else ())
        return _Part(inner, ())


class _Reader:
    """Follows a function's instructions through what is given."""

    def __init__(self, function: Function, globals: Given) -> None:
        self._globals = globals
        self._columns = {p.id: (at, p) for at, p in enumerate(function.params) if p.facts}
        #: What pointers point to, and what is loaded and taken apart.
        self._parts: dict[int, _Part] = {}

    def read(self, instr: Instr) -> tuple[Fact, ...]:
        """What is stated of the value of the next instruction."""
        match instr.op:
            case "global":
                self._name(instr)
            case "access" | "extract":
                self._enter(instr)
            case "construct" if isinstance(instr.type, Matrix):
                return self._matrix(instr)
            case "load" if instr.args[0] in self._parts:
                self._parts[instr.id] = self._parts[instr.args[0]]
        found = self._parts.get(instr.id)
        return () if found is None or isinstance(instr.type, Pointer) else found.facts

    def _name(self, instr: Instr) -> None:
        facts = self._globals.get(str(instr.imm[0]))
        if facts is not None and isinstance(instr.type, Pointer):
            self._parts[instr.id] = _Part(instr.type.pointee, facts)

    def _enter(self, instr: Instr) -> None:
        part = self._parts.get(instr.args[0])
        if part is None:
            return
        for step in instr.imm:
            assert step is None or isinstance(step, int)
            part = part.at(step)
        self._parts[instr.id] = part

    def _matrix(self, instr: Instr) -> tuple[Fact, ...]:
        """What is stated of the matrix that came in by the columns that are put together."""
        columns = [self._columns.get(a) for a in instr.args]
        first = columns[0]
        if first is None:
            return ()
        at, head = first
        for number, column in enumerate(columns):
            if column is None or column[0] != at + number or column[1].column != number:
                return ()
        return head.facts


def _told(id: int, t: Type, facts: tuple[Fact, ...]) -> tuple[Stated, ...]:
    if isinstance(t, Array):
        return ()
    return tuple(s for fact in facts for s in _one(id, t, fact))


def _one(id: int, t: Type, fact: Fact) -> Iterator[Stated]:
    match fact.name, fact.bounds:
        case "range", (low, high):
            yield from _bounds(id, t, low, high)
        case "nonnegative", _:
            yield from _bounds(id, t, 0.0, math.inf)
        case _:
            yield Stated(id, fact.name)
            if fact.name == "rigid" and t == Matrix(4, 4):
                yield Stated(id, "affine")


def _bounds(id: int, t: Type, low: float, high: float) -> Iterator[Stated]:
    if is_float(t):
        nearest = rounding(scalar_of(t))  # as the author's number is in that type
        for fact, bound in (("low", nearest(low)), ("high", nearest(high))):
            if math.isfinite(bound):
                yield Stated(id, fact, bound)
        return
    least, most = whole_bounds(t, low, high)
    yield Stated(id, "least", least)
    yield Stated(id, "most", most)
