"""The facts that an author states, as facts of a function's values.

They stand on fields of structs.  A stage input has those of its field; so has what is loaded from
such a field of memory that is bound.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from luma.ir.effects import value_types
from luma.ir.module import Function, Instr
from luma.language.facts import Fact
from luma.language.types import Matrix, Pointer, Space, Struct, Type, is_float, walk_path
from luma.optimizer.term import Definition, Stated

#: Where what an author states holds of memory: what the shader makes itself is its own affair.
_BOUND = frozenset({Space.UNIFORM, Space.PUSH_CONSTANT, Space.STORAGE})


def stating(definitions: list[Definition], function: Function, base: int) -> list[Definition]:
    """The definitions, in whose terms numbers are raised by ``base``, with what is stated."""
    facts = stated(function)
    if not facts:
        return definitions
    return [
        d._replace(facts=tuple(s._replace(id=d.id) for s in facts[d.id - base]))
        if d.id - base in facts
        else d
        for d in definitions
    ]


def stated(function: Function) -> dict[int, tuple[Stated, ...]]:
    """What is stated of each value that something is stated of."""
    found = {p.id: _told(p.id, p.type, p.facts) for p in function.params if p.facts}
    types = value_types(function)
    places = {i.id: i for i in function.instructions() if i.op == "access"}
    for instr in function.instructions():
        place = places.get(instr.args[0]) if instr.op == "load" else None
        facts = () if place is None else _of_place(place, types)
        if facts:
            found[instr.id] = _told(instr.id, instr.type, facts)
    return found


def _of_place(access: Instr, types: dict[int, Type]) -> tuple[Fact, ...]:
    """The facts of the field that an access leads to."""
    base = types[access.args[0]]
    if not isinstance(base, Pointer) or base.space not in _BOUND:
        return ()
    whole = base.pointee
    for index in access.imm[:-1]:
        whole = walk_path(whole, (index,))  # type: ignore[arg-type]
    last = access.imm[-1] if access.imm else None
    if isinstance(whole, Struct) and isinstance(last, int):
        return whole.fields[last].facts
    return ()


def _told(id: int, t: Type, facts: tuple[Fact, ...]) -> tuple[Stated, ...]:
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
        yield Stated(id, "low", low)
        if math.isfinite(high):
            yield Stated(id, "high", high)
        return
    yield Stated(id, "least", math.ceil(low))
    if math.isfinite(high):
        yield Stated(id, "most", math.floor(high))
