"""Keeps WGSL from evaluating at compile time what it would evaluate otherwise, or refuse.

A shader that computes an overflow, a NaN or a division by zero from constants is an error in WGSL,
and constant floats are computed in double precision (WGSL specification, 8.1).  An operation on
constants alone is therefore folded here if its value is exact and finite; otherwise one operand
goes through a variable.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

from luma.ir.effects import value_types
from luma.ir.module import Block, Function, Instr, Module
from luma.ir.shape import next_id
from luma.language.builtins import OPERATIONS
from luma.language.evaluate import evaluate
from luma.language.types import (
    VOID,
    Array,
    Pointer,
    Scalar,
    Space,
    Type,
    Vector,
    element,
    element_count,
    is_float,
    is_integer,
    scalar_of,
)

from ..raising.builder import Builder
from ..text.raising import forward_parts

_STRUCTURE = frozenset({"construct", "splat", "const", "spec", "global", "local", "load", "call"})
_VALUES = frozenset({"convert", "extract", "insert", "shuffle"})


def hide_constants(module: Module) -> Module:
    """The module without operations that WGSL would reject or evaluate differently."""
    functions = tuple(_Hider(forward_parts(f)).run() for f in module.functions)
    return replace(module, functions=functions)


class _Hider:
    def __init__(self, function: Function) -> None:
        self.function = function
        self.builder = Builder(value_types(function), next_id(function))
        self.known: dict[int, Any] = {}
        self.locals: list[Instr] = []

    def run(self) -> Function:
        blocks = [self._block(block) for block in self.function.blocks]
        if self.locals:
            blocks[0] = replace(blocks[0], instrs=(*self.locals, *blocks[0].instrs))
        names = dict(self.function.names)
        return replace(self.function, blocks=tuple(blocks), names=names)

    def _block(self, block: Block) -> Block:
        self.builder.instrs = []
        for instr in block.instrs:
            self._instr(instr)
        return replace(block, instrs=tuple(self.builder.instrs))

    def _instr(self, instr: Instr) -> None:
        self._learn(instr)
        if instr.op in _STRUCTURE or not instr.args:
            self.builder.append(instr)
        elif all(arg in self.known for arg in instr.args):
            if not self._folded(instr):
                self.builder.append(self._hide(instr, 0))
        else:
            self.builder.append(self._partly(instr))

    def _learn(self, instr: Instr) -> None:
        """Note the value of what is made of constants; so far as WGSL calls it constant."""
        if instr.op == "const":
            self.known[instr.id] = instr.imm[0]
        elif instr.op in ("construct", "splat") and all(a in self.known for a in instr.args):
            types = [self.builder.types[a] for a in instr.args]
            values = [self.known[a] for a in instr.args]
            self.known[instr.id] = evaluate(instr.op, instr.type, types, values)

    # ------------------------------------------------------------ all operands constant

    def _folded(self, instr: Instr) -> bool:
        row = OPERATIONS.get(instr.op)
        exact = instr.op in _VALUES or (row is not None and row.exact)
        if not exact or not isinstance(instr.type, Scalar | Vector):
            return False
        types = [self.builder.types[a] for a in instr.args]
        if instr.op == "convert" and is_float(types[0]) and is_integer(instr.type):
            return False  # out of range, it is whatever the device gives
        path = tuple(None if i is None else int(i) for i in instr.imm)
        try:
            value = evaluate(instr.op, instr.type, types, [self.known[a] for a in instr.args], path)
        except (ValueError, KeyError):
            return False
        parts = value if isinstance(instr.type, Vector) else (value,)
        if not all(math.isfinite(part) for part in parts):
            return False
        self._constant(instr, value)
        self.known[instr.id] = value
        return True

    def _constant(self, instr: Instr, value: Any) -> None:
        """Put a constant in the place of an instruction."""
        b, elem = self.builder, scalar_of(instr.type)
        if isinstance(instr.type, Scalar):
            b.append(Instr(instr.id, "const", elem, (), (value,)))
            return
        parts = tuple(b.constant(part, elem) for part in value)
        if len(set(map(repr, value))) == 1:
            b.append(Instr(instr.id, "splat", instr.type, parts[:1]))
        else:
            b.append(Instr(instr.id, "construct", instr.type, parts))
        for part, number in zip(parts, value, strict=True):
            self.known[part] = number

    # ------------------------------------------------------------ some operands constant

    def _partly(self, instr: Instr) -> Instr:
        """Hide an operand that WGSL looks at even beside others that are not constant."""
        values = [self.known.get(a) for a in instr.args]
        match instr.op, values:
            case (("div" | "rem"), [_, by]) if by is not None and is_integer(instr.type):
                return self._hide(instr, 1) if 0 in _flat(by) else instr
            case (("shl" | "shr"), [_, by]) if by is not None:
                return self._with_count(instr, by)
            case "clamp", [_, low, high] if low is not None and high is not None:
                return self._hide(instr, 1) if _any_above(low, high) else instr
            case "smoothstep", [low, high, _] if low is not None and high is not None:
                return self._hide(instr, 0) if _any_above(low, high, equal=True) else instr
            case (("access" | "extract"), _):
                return self._with_indices(instr)
        return instr

    def _with_count(self, instr: Instr, count: Any) -> Instr:
        """A shift by a constant modulo 32."""
        parts = [part & 31 for part in _flat(count)]
        if parts == list(_flat(count)):
            return instr
        b = self.builder
        t = b.types[instr.args[1]]
        each = [b.constant(part, scalar_of(t)) for part in parts]
        new = each[0] if isinstance(t, Scalar) else b.construct(t, each)
        return replace(instr, args=(instr.args[0], new))

    def _with_indices(self, instr: Instr) -> Instr:
        """Constant indices that are out of range are errors in WGSL."""
        t: Type = self.builder.types[instr.args[0]]
        t = t.pointee if isinstance(t, Pointer) else t
        at = 0
        for index in instr.imm:
            if index is None:
                at += 1
                value = self.known.get(instr.args[at])
                if value is not None and not _is_inside(t, value):
                    instr = self._hide(instr, at)
            t = element(t, int(index or 0))
        return instr

    def _hide(self, instr: Instr, position: int) -> Instr:
        """The instruction with an operand that comes out of a variable."""
        b = self.builder
        value = instr.args[position]
        t = b.types[value]
        memory = b.next_id
        b.next_id += 1
        self.locals.append(Instr(memory, "local", Pointer(Space.FUNCTION, t)))
        b.types[memory] = Pointer(Space.FUNCTION, t)
        b.append(Instr(b.next_id, "store", VOID, (memory, value)))
        b.next_id += 1
        loaded = b.add("load", t, [memory])
        return replace(
            instr, args=tuple(loaded if at == position else a for at, a in enumerate(instr.args))
        )


def _flat(value: Any) -> tuple[Any, ...]:
    return value if isinstance(value, tuple) else (value,)


def _any_above(low: Any, high: Any, equal: bool = False) -> bool:
    a, b = _flat(low), _flat(high)
    count = max(len(a), len(b))
    a, b = (a * count)[:count], (b * count)[:count]
    return any(x > y or (equal and x == y) for x, y in zip(a, b, strict=True))


def _is_inside(t: Type, index: int) -> bool:
    if isinstance(t, Array) and t.size is None:
        return index >= 0
    return 0 <= index < element_count(t)
