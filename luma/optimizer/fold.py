"""Folding constants, forwarding what was put into aggregates, dropping parameters that say nothing.

One walk in dominance order: what is known of operands is known before their users.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from luma.ir.effects import value_types
from luma.ir.module import Block, Branch, Function, Instr, Param, successors
from luma.ir.ops import CONSTANT_SPACES
from luma.ir.shape import next_id, renamed, renamed_terminator, resolved, substitute, with_branches
from luma.language.builtins import OPERATIONS
from luma.language.evaluate import STRUCTURAL_EVALUATED, evaluator
from luma.language.numbers import INT_MAX, INT_MIN, UINT_MAX, f32
from luma.language.types import (
    INT,
    Array,
    Matrix,
    Pointer,
    Scalar,
    Struct,
    Type,
    Vector,
    element_count,
    is_float,
    is_integer,
    scalar_of,
    walk_path,
)


def fold(function: Function) -> Function:
    """The function with constants folded, bit for bit as the targets would compute them.

    Transcendental functions, results that are infinite or not a number, and conversions out of
    range are left alone.  One walk: what it finds out may leave more for another.
    """
    return _without_redundant_params(_Folder(function).run())


@dataclass(slots=True)
class _Folder:
    function: Function
    types: dict[int, Type]
    values: dict[int, Any]
    definitions: dict[int, Instr]
    same: dict[int, int]
    fresh: int
    out: list[Instr]

    def __init__(self, function: Function) -> None:
        self.function = function
        self.types = value_types(function)
        self.values, self.definitions, self.same = {}, {}, {}
        self.fresh = next_id(function)
        self.out = []

    def run(self) -> Function:
        blocks = tuple(self._block(b) for b in self.function.blocks)
        if blocks == self.function.blocks:
            return self.function
        return substitute(replace(self.function, blocks=blocks), self.same)

    def _block(self, block: Block) -> Block:
        self.out = []
        for instr in block.instrs:
            self._instr(renamed(instr, self.same))
        terminator = renamed_terminator(block.terminator, self.same)
        return replace(block, instrs=tuple(self.out), terminator=terminator)

    def _instr(self, instr: Instr) -> None:
        if instr.op in ("access", "extract"):
            instr = self._static(instr)
        if instr.op == "access":
            instr = self._flat(instr)
        elif instr.op == "extract":
            instr = self._part_of_memory(instr)
        found = self._equal(instr)
        if found is not None:
            self.same[instr.id] = found
            return
        value = self._value(instr)
        if value is None:
            self.definitions[instr.id] = instr
            self.out.append(instr)
            return
        self.values[instr.id] = value
        if instr.op not in ("const", "construct", "splat"):
            instr = self._constant(instr.id, instr.type, value)
        self.definitions[instr.id] = instr
        self.out.append(instr)

    # ------------------------------------------------------------ constants

    def _value(self, instr: Instr) -> Any:
        """The instruction's value if it is known, else None."""
        if instr.op == "const":
            return instr.imm[0]
        args = [self.values.get(a) for a in instr.args]
        if None in args or not _foldable(instr):
            return None
        types = tuple(self.types[a] for a in instr.args)
        if instr.op == "convert" and not _converts(args[0], types[0], instr.type):
            return None
        try:
            value = evaluator(instr.op, instr.type, types, instr.imm)(*args)
        except (ValueError, KeyError, OverflowError):
            return None
        return value if _representable(value) else None

    def _constant(self, id: int, type: Type, value: Any) -> Instr:
        """An instruction for a value; its parts are put before it."""
        if isinstance(type, Scalar):
            return Instr(id, "const", type, (), (value,))
        parts = [self._part(scalar_of(type), v) for v in value]
        if len({_key(v) for v in value}) == 1:
            return Instr(id, "splat", type, (parts[0],))
        return Instr(id, "construct", type, tuple(parts))

    def _part(self, type: Scalar, value: Any) -> int:
        id, self.fresh = self.fresh, self.fresh + 1
        self.out.append(Instr(id, "const", type, (), (value,)))
        self.types[id], self.values[id] = type, value
        self.definitions[id] = self.out[-1]
        return id

    # ------------------------------------------------------------ values that are there already

    def _equal(self, instr: Instr) -> int | None:
        """The value that the instruction only picks out of others, if that is known."""
        match instr.op:
            case "extract" if None not in instr.imm:
                return self._forward(instr.args[0], instr.imm)
            case "select" if isinstance(self.types[instr.args[0]], Scalar):
                condition = self.values.get(instr.args[0])
                return None if condition is None else instr.args[1 if condition else 2]
            case "convert" if self.types[instr.args[0]] == instr.type:
                return instr.args[0]
        return None

    def _forward(self, value: int, path: tuple[Any, ...]) -> int | None:
        """The value at a path into another, if it was put there by name."""
        while path:
            made = self.definitions.get(value)
            if made is None:
                return None
            if made.op == "insert":
                into = made.imm
                if path[: len(into)] == into:
                    value, path = made.args[1], path[len(into) :]
                elif into[: len(path)] == path:
                    return None
                else:
                    value = made.args[0]
            elif made.op == "construct" and len(made.args) == element_count(made.type):
                value, path = made.args[path[0]], path[1:]
            elif made.op == "splat":
                value, path = made.args[0], path[1:]
            else:
                return None
        return value

    # ------------------------------------------------------------ run-time indices that are known

    def _static(self, instr: Instr) -> Instr:
        """The access or extract with the indices that are constants, and in range, in its path."""
        if None not in instr.imm:
            return self._shorter(instr)
        whole = self.types[instr.args[0]]
        at: Type = whole.pointee if isinstance(whole, Pointer) else whole
        indices = list(instr.args[1:])
        path: list[Any] = []
        kept: list[int] = []
        for index in instr.imm:
            if index is None:
                operand = indices.pop(0)
                known = self.values.get(operand)
                if known is not None and _in_range(known, at):
                    index = int(known)
                else:
                    kept.append(operand)
            path.append(index)
            at = walk_path(at, (index,))  # type: ignore[arg-type]
        return replace(instr, args=(instr.args[0], *kept), imm=tuple(path))

    def _shorter(self, instr: Instr) -> Instr:
        """An extract from an insert that it does not see."""
        made = self.definitions.get(instr.args[0])
        while instr.op == "extract" and made is not None and made.op == "insert":
            both = min(len(made.imm), len(instr.imm))
            if made.imm[:both] == instr.imm[:both]:
                break
            instr = replace(instr, args=(made.args[0],))
            made = self.definitions.get(instr.args[0])
        return instr

    # ------------------------------------------------------------ memory that nobody can change

    def _flat(self, instr: Instr) -> Instr:
        """An access into an access, as one."""
        base = self.definitions.get(instr.args[0])
        if base is None or base.op != "access":
            return instr
        return replace(instr, args=base.args + instr.args[1:], imm=base.imm + instr.imm)

    def _part_of_memory(self, instr: Instr) -> Instr:
        """Of a struct or array in constant memory, a load of just the part that is taken."""
        whole = self.definitions.get(instr.args[0])
        if whole is None or whole.op != "load" or not isinstance(whole.type, Array | Struct):
            return instr
        pointer = self.types[whole.args[0]]
        if not (isinstance(pointer, Pointer) and pointer.space in CONSTANT_SPACES):
            return instr
        id, self.fresh = self.fresh, self.fresh + 1
        self.types[id] = Pointer(pointer.space, instr.type)
        access = Instr(id, "access", self.types[id], (whole.args[0], *instr.args[1:]), instr.imm)
        access = self._flat(access)
        self.definitions[id] = access
        self.out.append(access)
        return Instr(instr.id, "load", instr.type, (id,))


def _foldable(instr: Instr) -> bool:
    if isinstance(instr.type, Matrix | Array | Struct):
        return False
    row = OPERATIONS.get(instr.op)
    if row is None:
        return instr.op in STRUCTURAL_EVALUATED
    return row.exact and row.eval is not None and instr.type is not None and bool(instr.args)


def _converts(value: Any, source: Type, to: Type) -> bool:
    """Whether a conversion of a constant has a specified result."""
    if not (is_float(source) and is_integer(to)):
        return True
    low, high = (INT_MIN, INT_MAX) if scalar_of(to) == INT else (0, UINT_MAX)
    parts = value if isinstance(value, tuple) else (value,)
    return all(math.isfinite(v) and low <= math.trunc(v) <= high for v in parts)


def _representable(value: Any) -> bool:
    if isinstance(value, tuple):
        return all(_representable(v) for v in value)
    return not isinstance(value, float) or math.isfinite(f32(value))


def _key(value: Any) -> tuple[Any, ...]:
    return (value, math.copysign(1.0, value) if isinstance(value, float) else 0)


def _in_range(index: Any, whole: Type) -> bool:
    if isinstance(whole, Array) and whole.size is None:
        return bool(index >= 0)
    return isinstance(whole, Vector | Matrix | Array) and 0 <= index < element_count(whole)


# ---------------------------------------------------------------- block parameters


def _without_redundant_params(function: Function) -> Function:
    """The function without parameters that every branch gives the same value.

    A constant counts as the same if it has the same bits, though made twice.
    """
    if not any(block.params for block in function.blocks):
        return function
    constants = {i.id: i for i in function.instructions() if i.op == "const"}
    incoming = _incoming(function)
    same: dict[int, int] = {}
    copies: dict[int, Instr] = {}
    for block in function.blocks:
        for p in block.params:
            found = {resolved(same, v) for v in incoming[p.id]} - {p.id}
            if len(found) == 1:
                same[p.id] = found.pop()
            elif found and len({_constant_key(constants.get(v)) for v in found}) == 1:
                made = constants.get(min(found))
                if made is not None:
                    copies[p.id] = replace(made, id=p.id)
    if not same and not copies:
        return function
    blocks = tuple(_drop(b, function, same, copies) for b in function.blocks)
    return substitute(replace(function, blocks=blocks), same)


def _constant_key(instr: Instr | None) -> tuple[Any, ...] | None:
    return None if instr is None else (instr.type, *_key(instr.imm[0]))


def _incoming(function: Function) -> Mapping[int, list[int]]:
    params = {b.label: b.params for b in function.blocks}
    found: dict[int, list[int]] = {p.id: [] for b in function.blocks for p in b.params}
    for block in function.blocks:
        for branch in successors(block.terminator):
            for p, value in zip(params[branch.target], branch.args, strict=True):
                found[p.id].append(value)
    return found


def _drop(
    block: Block, function: Function, same: Mapping[int, int], copies: Mapping[int, Instr]
) -> Block:
    params = {b.label: b.params for b in function.blocks}

    def kept(p: Param) -> bool:
        return p.id not in same and p.id not in copies

    def way(branch: Branch) -> Branch:
        pairs = zip(params[branch.target], branch.args, strict=True)
        return Branch(branch.target, tuple(a for p, a in pairs if kept(p)))

    terminator = with_branches(block.terminator, way)
    made = tuple(copies[p.id] for p in block.params if p.id in copies)
    return replace(
        block,
        params=tuple(p for p in block.params if kept(p)),
        instrs=(*made, *block.instrs),
        terminator=terminator,
    )
