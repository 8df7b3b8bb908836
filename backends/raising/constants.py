"""Operations on constants, done beforehand: a target may do them with other types than Luma's."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

from luma.ir.effects import value_types
from luma.ir.module import Block, Function, Instr, Module
from luma.ir.shape import next_id
from luma.language.builtins import OPERATIONS
from luma.language.evaluate import evaluate
from luma.language.types import INT, Scalar, Type, Vector, is_float, is_integer, scalar_of

from .builder import Builder

_PARTS = frozenset({"convert", "extract", "shuffle"})


def fold(module: Module) -> Module:
    """The module with every operation on constants that has one right result replaced by it.

    Those that are not exact (``sin``), that a target may define (an int divided by zero), and whose
    result is no finite number are left.
    """
    return replace(module, functions=tuple(_Folder(f).run() for f in module.functions))


class _Folder:
    def __init__(self, function: Function) -> None:
        self._function = function
        self._builder = Builder(value_types(function), next_id(function))
        self._known: dict[int, Any] = {}

    def run(self) -> Function:
        blocks = tuple(self._block(block) for block in self._function.blocks)
        return replace(self._function, blocks=blocks)

    def _block(self, block: Block) -> Block:
        b = self._builder
        b.instrs = []
        for instr in block.instrs:
            value = self._value(instr)
            if value is None or instr.op in ("const", "splat", "construct"):
                b.append(instr)
            else:
                self._constant(instr, value)
            if value is not None:
                self._known[instr.id] = value
        return replace(block, instrs=tuple(b.instrs))

    def _value(self, instr: Instr) -> Any:
        """The value of what is made of constants; None for anything else."""
        if instr.op == "const":
            return instr.imm[0]
        row = OPERATIONS.get(instr.op)
        exact = instr.op in ("splat", "construct", *_PARTS) or (row is not None and row.exact)
        if not exact or not instr.args or not isinstance(instr.type, Scalar | Vector):
            return None
        if not all(arg in self._known for arg in instr.args):
            return None
        types = [self._builder.types[arg] for arg in instr.args]
        values = [self._known[arg] for arg in instr.args]
        truncates = instr.op == "convert" and is_float(types[0]) and is_integer(instr.type)
        if truncates and not _in_range(scalar_of(instr.type), values[0]):
            return None  # it is whatever the device gives
        path = tuple(None if i is None else int(i) for i in instr.imm)
        return _evaluated(instr, types, values, path)

    def _constant(self, instr: Instr, value: Any) -> None:
        """Put a constant in the place of an instruction."""
        b, elem = self._builder, scalar_of(instr.type)
        if isinstance(instr.type, Scalar):
            b.append(Instr(instr.id, "const", elem, (), (value,)))
            return
        parts = tuple(b.constant(part, elem) for part in value)
        self._known.update(zip(parts, value, strict=True))
        if len(set(map(repr, value))) == 1:
            b.append(Instr(instr.id, "splat", instr.type, parts[:1]))
        else:
            b.append(Instr(instr.id, "construct", instr.type, parts))


def _in_range(elem: Scalar, value: Any) -> bool:
    """Whether floats have integers of a type near them."""
    low, high = (-(2.0**31), 2.0**31) if elem == INT else (0.0, 2.0**32)
    parts = value if isinstance(value, tuple) else (value,)
    return all(low <= part < high for part in parts)


def _evaluated(
    instr: Instr, types: list[Type], values: list[Any], path: tuple[int | None, ...]
) -> Any:
    try:
        value = evaluate(instr.op, instr.type, types, values, path)
    except (ValueError, KeyError):
        return None
    parts = value if isinstance(value, tuple) else (value,)
    return value if all(map(math.isfinite, parts)) else None
