"""Which values of a function are put together in place, and which read memory to be so.

An aggregate is stored part by part where memory is not laid out like a value.  What such a part
reads must be read before the first part is written: it may lie in the very place.
"""

from __future__ import annotations

from dataclasses import dataclass

from luma.ir.effects import value_types
from luma.ir.module import Function, Instr
from luma.ir.ops import CONSTANT_SPACES
from luma.language.types import Pointer, Type


@dataclass(frozen=True, slots=True)
class Uses:
    """``made`` are the constructed values, ``stored`` those of them that become parts of a store,
    ``reading`` the values whose text may read memory that can change."""

    made: frozenset[int] = frozenset()
    stored: frozenset[int] = frozenset()
    reading: frozenset[int] = frozenset()


def uses_of(function: Function) -> Uses:
    """Look through a function."""
    types = value_types(function)
    made: dict[int, Instr] = {}
    reading: set[int] = set()
    pending: list[int] = []
    for instr in function.instructions():
        if instr.op == "construct":
            made[instr.id] = instr
        elif instr.op == "store":
            pending.append(instr.args[1])
        if _reads(instr, types) or any(a in reading for a in instr.args):
            reading.add(instr.id)
    stored: set[int] = set()
    while pending:
        value = pending.pop()
        if value in made and value not in stored:
            stored.add(value)
            pending += made[value].args
    return Uses(frozenset(made), frozenset(stored), frozenset(reading))


def _reads(instr: Instr, types: dict[int, Type]) -> bool:
    if instr.op == "load":
        pointer = types[instr.args[0]]
        return isinstance(pointer, Pointer) and pointer.space not in CONSTANT_SPACES
    return instr.op == "call" or instr.op.startswith("atomic_")
