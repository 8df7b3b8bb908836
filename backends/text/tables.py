"""Constant arrays indexed at run time, which text targets print once, as tables."""

from __future__ import annotations

from luma.ir.module import Instr
from luma.language.types import Array

from .body import Body


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
