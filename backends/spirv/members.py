"""Which members of structs in buffers a module touches: without names, only those are declared."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from luma.ir.module import Instr, Module
from luma.language.types import Array, Pointer, Space, Struct, Type, element

_BUFFERS = (Space.UNIFORM, Space.STORAGE, Space.PUSH_CONSTANT)


@dataclass(frozen=True, slots=True)
class Members:
    """The members to declare, by struct; ``everything`` keeps them all."""

    everything: bool = True
    touched: Mapping[Struct, frozenset[int]] = field(default_factory=dict)

    def kept(self, struct: Struct) -> tuple[int, ...]:
        """The members of a struct that are declared, in order; at least one.

        Of a struct that nothing goes into (an array of it may be asked for its length) it is the
        last one.
        """
        every = range(len(struct.fields))
        if self.everything:
            return tuple(every)
        touched = self.touched.get(struct, frozenset())
        return tuple(at for at in every if at in touched) or tuple(every[-1:])

    def position(self, struct: Struct, member: int) -> int:
        """Where a member stands among those that are declared."""
        return self.kept(struct).index(member)


def touched_members(module: Module) -> Members:
    """The members that some function of a module goes to, or moves with a whole struct."""
    touched: dict[Struct, set[int]] = {}
    for function in module.functions:
        pointers: dict[int, Pointer] = {}
        for instr in function.instructions():
            for struct, member in _touches(instr, pointers):
                touched.setdefault(struct, set()).add(member)
            if isinstance(instr.type, Pointer) and instr.type.space in _BUFFERS:
                pointers[instr.id] = instr.type
    return Members(False, {struct: frozenset(found) for struct, found in touched.items()})


def _touches(instr: Instr, pointers: Mapping[int, Pointer]) -> Iterator[tuple[Struct, int]]:
    for arg in instr.args:
        if arg not in pointers:
            continue
        pointee = pointers[arg].pointee
        match instr.op:
            case "access":
                yield from _on_the_way(pointee, instr)
            case "array_length":  # of the array that an access goes to
                pass
            case _:
                yield from _inside(pointee)


def _on_the_way(t: Type, access: Instr) -> Iterator[tuple[Struct, int]]:
    for step in access.imm:
        at = step if isinstance(step, int) else 0
        if isinstance(t, Struct):
            yield t, at
        t = element(t, at)


def _inside(t: Type) -> Iterator[tuple[Struct, int]]:
    """Every member of every struct in a type."""
    match t:
        case Array(elem):
            yield from _inside(elem)
        case Struct(fields=fields):
            for at, inner in enumerate(fields):
                yield t, at
                yield from _inside(inner.type)
