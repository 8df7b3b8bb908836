"""Constant arrays indexed at run time, which text targets print once, as tables."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from luma.ir.module import Instr
from luma.language.types import Array

from .body import Body
from .expressions import Form


def table_key(body: Body, instr: Instr) -> object:
    """What constant arrays of equal contents have in common; None for anything else."""
    if not isinstance(instr.type, Array) or not body.is_constant(instr.id):
        return None
    return str(instr.type), _contents(body, instr.id)


def _contents(body: Body, value: int) -> object:
    instr = body.forms.instrs[value]
    if instr.op == "const":
        return repr(instr.imm[0])
    return instr.op, tuple(_contents(body, part) for part in instr.args)


def read_tables(bodies: Iterable[Body]) -> Iterator[tuple[object, Body, Instr]]:
    """The constant arrays that some function reads elements of: equal ones once, with their key."""
    found: set[object] = set()
    for body in bodies:
        for use in body.forms.instrs.values():
            if use.op != "extract" or body.forms.form[use.id] is Form.DEAD:
                continue
            instr = body.forms.instrs.get(use.args[0])
            key = None if instr is None else table_key(body, instr)
            if instr is not None and key is not None and key not in found:
                found.add(key)
                yield key, body, instr
