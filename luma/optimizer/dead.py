"""Dead code: values nobody uses, parameters nobody reads, local memory that is only written."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from luma.ir.module import (
    Block,
    Branch,
    CondBranch,
    Function,
    Instr,
    Return,
    successors,
)
from luma.ir.ops import WRITING
from luma.ir.shape import with_branches
from luma.language.builtins import Effect


def remove_dead(function: Function, effects: Mapping[str, Effect]) -> Function:
    """The function without what has no influence on its results or on memory.

    ``effects`` are those of the module's functions (:func:`luma.ir.effects.function_effects`).
    """
    live = _Liveness(function, effects)
    blocks = tuple(live.block(b) for b in function.blocks)
    return function if blocks == function.blocks else replace(function, blocks=blocks)


class _Liveness:
    def __init__(self, function: Function, effects: Mapping[str, Effect]) -> None:
        self.blocks = {b.label: b for b in function.blocks}
        self.live: set[int] = set()
        self.work: list[int] = []
        self.definitions = {i.id: i for b in function.blocks for i in b.instrs}
        self.incoming = self._incoming(function)
        unread = _unread_memory(function)
        #: Instructions that stay even if nobody uses their value, by identity.
        self.needed = {
            id(i)
            for i in function.instructions()
            if i.op in WRITING
            and i.op != "local"
            and not (i.op == "call" and effects[str(i.imm[0])] is not Effect.WRITE)
            and not (i.op == "store" and i.args[0] in unread)
        }
        self._mark_roots(function)
        while self.work:
            self._mark_operands(self.work.pop())

    @staticmethod
    def _incoming(function: Function) -> dict[int, list[int]]:
        """The values that branches give to each block parameter."""
        blocks = {b.label: b for b in function.blocks}
        incoming: dict[int, list[int]] = {}
        for block in function.blocks:
            for branch in successors(block.terminator):
                for p, value in zip(blocks[branch.target].params, branch.args, strict=True):
                    incoming.setdefault(p.id, []).append(value)
        return incoming

    def _use(self, value: int) -> None:
        if value not in self.live:
            self.live.add(value)
            self.work.append(value)

    def _mark_roots(self, function: Function) -> None:
        for block in function.blocks:
            for instr in block.instrs:
                if id(instr) in self.needed:
                    for a in instr.args:
                        self._use(a)
            match block.terminator:
                case CondBranch(cond=cond):
                    self._use(cond)
                case Return(values):
                    for v in values:
                        self._use(v)

    def _mark_operands(self, value: int) -> None:
        instr = self.definitions.get(value)
        for used in instr.args if instr is not None else self.incoming.get(value, ()):
            self._use(used)

    # ------------------------------------------------------------ what remains

    def block(self, block: Block) -> Block:
        return replace(
            block,
            params=tuple(p for p in block.params if p.id in self.live),
            instrs=tuple([i for i in block.instrs if self._stays(i)]),
            terminator=with_branches(block.terminator, self._branch),
        )

    def _stays(self, instr: Instr) -> bool:
        if id(instr) in self.needed:
            return True
        return instr.id in self.live and self.definitions.get(instr.id) is instr

    def _branch(self, branch: Branch) -> Branch:
        params = self.blocks[branch.target].params
        args = tuple(a for p, a in zip(params, branch.args, strict=True) if p.id in self.live)
        return Branch(branch.target, args)


def _unread_memory(function: Function) -> set[int]:
    """Pointers into local memory that is stored to and nothing else."""
    root = {i.id: i.id for i in function.instructions() if i.op == "local"}
    if not root:
        return set()
    read: set[int] = set()
    for instr in function.instructions():
        if instr.op == "access" and instr.args[0] in root:
            root[instr.id] = root[instr.args[0]]
        else:
            used = instr.args[1:] if instr.op == "store" else instr.args
            read.update(root[a] for a in used if a in root)
    return {pointer for pointer, local in root.items() if local not in read}
