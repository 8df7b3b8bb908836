"""Loads of what is known: from the same place before, on every way, with nothing changing it since.

Barriers, atomics and calls that write end what is known of memory that other invocations see.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TypeAlias

from luma.ir.cfg import loop_blocks, predecessors, reverse_postorder
from luma.ir.effects import function_effects, value_types
from luma.ir.module import Block, Function, Instr, Module, operands
from luma.ir.shape import next_id, substitute
from luma.language.builtins import Effect
from luma.language.types import Array, Matrix, Pointer, Space, Struct, element
from luma.optimizer.places import EVERYTHING, SHARED, Index, Memory, Place

#: What memory is known to hold.
Known: TypeAlias = dict[Place, int]


def forward_loads(module: Module) -> Module:
    """The module without loads of what was loaded or stored before.

    A store may change every place that may be the one it names.
    """
    effects = function_effects(module)
    functions = tuple(_Forwarding(f, effects).run() for f in module.functions)
    if all(a is b for a, b in zip(functions, module.functions, strict=True)):
        return module
    return replace(module, functions=functions)


def narrow_loads(function: Function) -> Function:
    """The function with only the part loaded of an aggregate of which one part is used."""
    while (narrower := _narrower(function)) is not function:
        function = narrower
    return function


def _narrower(function: Function) -> Function:
    parts = _used_parts(function)
    fresh = next_id(function)
    same: dict[int, int] = {}
    blocks = []
    types = value_types(function)
    for block in function.blocks:
        kept: list[Instr] = []
        for instr in block.instrs:
            part = parts.get(instr.id) if instr.op == "load" else None
            of_part = instr.args[0] in same if instr.op == "extract" else False
            if part is not None:
                pointer = types[instr.args[0]]
                assert isinstance(pointer, Pointer)
                type = element(pointer.pointee, part)
                way = Pointer(pointer.space, type)
                kept.append(Instr(fresh, "access", way, (instr.args[0],), (part,)))
                kept.append(Instr(fresh + 1, "load", type, (fresh,)))
                same[instr.id] = fresh + 1
                fresh += 2
            elif of_part and len(instr.imm) == 1:
                same[instr.id] = same[instr.args[0]]
            elif of_part:
                args = (same[instr.args[0]], *instr.args[1:])
                kept.append(replace(instr, args=args, imm=instr.imm[1:]))
            else:
                kept.append(instr)
        blocks.append(replace(block, instrs=tuple(kept)))
    if not same:
        return function
    return substitute(replace(function, blocks=tuple(blocks)), same)


def _used_parts(function: Function) -> dict[int, int]:
    """The part of each loaded aggregate that is used, if it is one and its number is known."""
    used: dict[int, set[object]] = {}
    for instr in function.instructions():
        if instr.op == "load" and isinstance(instr.type, Struct | Array | Matrix):
            used[instr.id] = set()
        for at, value in enumerate(instr.args):
            if value in used:
                only_part = instr.op == "extract" and at == 0
                used[value].add(instr.imm[0] if only_part else None)
    for block in function.blocks:
        for value in operands(block.terminator):
            if value in used:
                used[value].add(None)
    return {
        value: part
        for value, parts in used.items()
        if len(parts) == 1 and isinstance(part := next(iter(parts)), int)
    }


class _Forwarding:
    def __init__(self, function: Function, effects: Mapping[str, Effect]) -> None:
        self.function = function
        self.same: dict[int, int] = {}
        self.memory = Memory(function, effects, self.same)
        self.leaving: dict[int, Known] = {}

    def run(self) -> Function:
        if not any(i.op == "load" for i in self.function.instructions()):
            return self.function
        blocks = {b.label: b for b in self.function.blocks}
        before = predecessors(self.function)
        loops = loop_blocks(self.function)
        done: dict[int, Block] = {}
        for label in reverse_postorder(self.function):
            known = self._entering(label, before[label])
            if label in loops:
                inside = (i for b in loops[label] for i in blocks[b].instrs)
                known = self._after_all(known, inside)
            done[label] = self._block(blocks[label], known)
            self.leaving[label] = known
        kept = tuple(done.get(b.label, b) for b in self.function.blocks)
        if kept == self.function.blocks:
            return self.function
        return substitute(replace(self.function, blocks=kept), self.same)

    def _entering(self, label: int, before: tuple[int, ...]) -> Known:
        """What all ways into a block agree about; those back to a header come later."""
        ways = [self.leaving[p] for p in before if p in self.leaving]
        if not ways:
            return {}
        first, *others = ways
        return {k: v for k, v in first.items() if all(o.get(k) == v for o in others)}

    def _after_all(self, known: Known, instrs: Iterable[Instr]) -> Known:
        """What is known whatever of some instructions may have been done."""
        changed: set[Place] = set()
        for instr in instrs:
            if instr.op == "store":
                changed.add(self.memory.of(instr.args[0]))
            elif self.memory.changes_shared(instr):
                changed |= EVERYTHING
        return {k: v for k, v in known.items() if not any(k.may_be(c) for c in changed)}

    def _block(self, block: Block, known: Known) -> Block:
        kept: list[Instr] = []
        for instr in block.instrs:
            if instr.op == "load":
                self._load(instr, known, kept)
                continue
            kept.append(instr)
            if instr.op == "store":
                place = self.memory.of(instr.args[0])
                for k in [k for k in known if k.may_be(place)]:
                    del known[k]
                if place.root is not None:
                    known[place] = instr.args[1]
            elif self.memory.changes_shared(instr):
                for k in [k for k in known if k.space in SHARED]:
                    del known[k]
        return replace(block, instrs=tuple(kept))

    def _load(self, instr: Instr, known: Known, kept: list[Instr]) -> None:
        place = self.memory.of(instr.args[0])
        if place.root is None:
            kept.append(instr)
            return
        if place.space is Space.HANDLE:
            kept.append(instr)
            return
        found = known.get(place)
        if found is not None:
            self.same[instr.id] = found
            return
        part = self._part(place, known)
        if part is not None:
            value, path = part
            imm = tuple(s if isinstance(s, int) else None for s in path)
            given = tuple(s.value for s in path if isinstance(s, Index))
            kept.append(replace(instr, op="extract", args=(value, *given), imm=imm))
        else:
            kept.append(instr)
        known[place] = instr.id

    def _part(self, place: Place, known: Known) -> tuple[int, tuple[object, ...]] | None:
        """A known value that the place is a part of, with the known way into it."""
        for length in range(len(place.path) - 1, -1, -1):
            value = known.get(replace(place, path=place.path[:length]))
            way = place.path[length:]
            if value is not None and all(isinstance(s, int) for s in way):
                return value, way
        return None
