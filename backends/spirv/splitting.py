"""Structs that blocks pass on, field by field: what a branch does not change needs no phi."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from luma.ir.effects import value_types
from luma.ir.module import Block, Branch, Function, Instr, Param, successors
from luma.ir.shape import next_id, resolved, substitute, with_branches
from luma.language.types import Struct


def split_structs(function: Function) -> Function:
    """The function with each block parameter that is a struct and used by field split into those.

    The struct is put together again at the block's start, for who wants it whole.
    """
    taken_apart = {i.args[0] for i in function.instructions() if _field(i) is not None}
    split = {
        p.id: p.type
        for block in function.blocks
        for p in block.params
        if isinstance(p.type, Struct) and p.id in taken_apart
    }
    return _Splitter(function, split).run() if split else function


def _field(instr: Instr) -> int | None:
    """The field that an extract or insert goes to first."""
    if instr.op not in ("extract", "insert") or not isinstance(instr.imm[0], int):
        return None
    return instr.imm[0]


class _Splitter:
    def __init__(self, function: Function, split: Mapping[int, Struct]) -> None:
        self.function, self.split = function, split
        self.fresh = next_id(function)
        self._types = value_types(function)
        self.defs = {i.id: i for i in function.instructions()}
        self.params = {b.label: b.params for b in function.blocks}
        self.fields = {p: [self._new() for _ in t.fields] for p, t in split.items()}
        #: What is taken out of a value right after it is defined.
        self.after: dict[int, dict[int, Instr]] = {}
        self.same: dict[int, int] = {}

    def _new(self) -> int:
        id, self.fresh = self.fresh, self.fresh + 1
        return id

    def run(self) -> Function:
        blocks = [self._block(b) for b in self.function.blocks]
        blocks = [self._with_parts(b) for b in blocks]
        return substitute(replace(self.function, blocks=self._needed(blocks)), self.same)

    def _known(self, value: int, at: int) -> tuple[int | None, int]:
        """A field of a value, where it stands by itself; else None, and the value that has it."""
        while (value := resolved(self.same, value)) not in self.fields:
            instr = self.defs.get(value)
            if instr is None:
                return None, value
            if instr.op == "construct":
                return instr.args[at], value
            if instr.op != "insert" or _field(instr) is None:
                return None, value
            if instr.imm[0] == at:
                return (instr.args[1] if len(instr.imm) == 1 else None), value
            value = instr.args[0]
        return self.fields[value][at], value

    def _part(self, value: int, at: int, struct: Struct) -> int:
        known, value = self._known(value, at)
        if known is not None:
            return known
        parts = self.after.setdefault(value, {})
        if at not in parts:
            parts[at] = Instr(self._new(), "extract", struct.fields[at].type, (value,), (at,))
        return parts[at].id

    # ------------------------------------------------------------ blocks

    def _block(self, block: Block) -> Block:
        params: list[Param] = []
        instrs: list[Instr] = []
        for p in block.params:
            struct = self.split.get(p.id)
            if struct is None:
                params.append(p)
                continue
            ids = self.fields[p.id]
            params += (Param(id, f.type) for id, f in zip(ids, struct.fields, strict=True))
            instrs.append(Instr(p.id, "construct", struct, tuple(ids)))
        for instr in block.instrs:
            at = _field(instr) if instr.op == "extract" else None
            known = None
            if at is not None and isinstance(self._types[instr.args[0]], Struct):
                known, _ = self._known(instr.args[0], at)
            if known is None:
                instrs.append(instr)
            elif len(instr.imm) == 1:
                self.same[instr.id] = known
            else:
                instrs.append(replace(instr, args=(known, *instr.args[1:]), imm=instr.imm[1:]))
        terminator = with_branches(block.terminator, self._branch)
        return replace(block, params=tuple(params), instrs=tuple(instrs), terminator=terminator)

    def _branch(self, branch: Branch) -> Branch:
        args: list[int] = []
        for p, value in zip(self.params[branch.target], branch.args, strict=True):
            struct = self.split.get(p.id)
            if struct is None:
                args.append(value)
            else:
                args += (self._part(value, at, struct) for at in range(len(struct.fields)))
        return Branch(branch.target, tuple(args))

    def _with_parts(self, block: Block) -> Block:
        """The block with what is taken out of the values that it defines."""
        given = [p.id for p in block.params]
        if block.label == self.function.blocks[0].label:
            given += (p.id for p in self.function.params)
        instrs = [part for id in given for part in self.after.get(id, {}).values()]
        for instr in block.instrs:
            taken = self.after.get(instr.args[0], {}) if instr.op == "extract" else {}
            at = _field(instr)
            if at is not None and len(instr.imm) == 1 and at in taken:
                self.same[instr.id] = taken[at].id
            else:
                instrs.append(instr)
            instrs += self.after.get(instr.id, {}).values()
        return replace(block, instrs=tuple(instrs))

    # ------------------------------------------------------------ what is always the same

    def _needed(self, blocks: list[Block]) -> tuple[Block, ...]:
        """The blocks without the new parameters that are one value whichever way one comes."""
        new = {id for ids in self.fields.values() for id in ids}
        params = {b.label: b.params for b in blocks}
        incoming: dict[int, set[int]] = {id: set() for id in new}
        for block in blocks:
            for branch in successors(block.terminator):
                for p, value in zip(params[branch.target], branch.args, strict=True):
                    if p.id in new:
                        incoming[p.id].add(value)
        gone: set[int] = set()
        while True:
            found = False
            for id in sorted(new - gone):
                ways = {resolved(self.same, v) for v in incoming[id]} - {id}
                if len(ways) == 1:
                    self.same[id] = ways.pop()
                    gone.add(id)
                    found = True
            if not found:
                break

        def shorter(branch: Branch) -> Branch:
            pairs = zip(params[branch.target], branch.args, strict=True)
            return Branch(branch.target, tuple(v for p, v in pairs if p.id not in gone))

        def block_of(block: Block) -> Block:
            terminator = with_branches(block.terminator, shorter)
            kept = tuple(p for p in block.params if p.id not in gone)
            return replace(block, params=kept, terminator=terminator)

        return tuple(map(block_of, blocks))
