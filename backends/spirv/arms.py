"""Branches turned round where their `then` does nothing: Mesa turns those that compare by itself,
and keeps an empty arm, and a second mask of lanes, for `and` and `or`.
"""

from __future__ import annotations

from dataclasses import replace

from luma.ir.cfg import by_label
from luma.ir.effects import value_types
from luma.ir.module import Block, CondBranch, Function, Instr, Return
from luma.ir.shape import next_id, uses_of
from luma.language.types import BOOL, is_integer

_JOINED = {"and": "or", "or": "and"}
_OPPOSITE = {"lt": "ge", "ge": "lt", "le": "gt", "gt": "le", "eq": "ne", "ne": "eq"}
#: Conditions of more levels are turned as a whole.
_DEEPEST = 16


def turned_branches(function: Function) -> Function:
    """The function without branches by `and` or `or` of which only `else` does something.

    What returns at once does nothing: a driver takes what follows for the other arm.
    """
    blocks = by_label(function)
    merges = {b.loop.merge for b in function.blocks if b.loop is not None}
    idle = frozenset(b.label for b in function.blocks if _is_idle(b, blocks, merges))
    if not idle:
        return function
    turner = _Turner(function)
    made = tuple(turner.turned(b) if b.label in idle else b for b in function.blocks)
    return replace(function, blocks=made)


def _is_idle(block: Block, blocks: dict[int, Block], merges: set[int]) -> bool:
    """Whether a block ends in such a branch, by a condition of its own."""
    terminator = block.terminator
    if not isinstance(terminator, CondBranch):
        return False
    if not any(i.id == terminator.cond and i.op in _JOINED for i in block.instrs):
        return False
    then, otherwise, merge = terminator.then.target, terminator.otherwise.target, terminator.merge
    if merge is None:  # it leaves a loop
        return otherwise in merges and then not in merges
    if then == merge:
        return otherwise != merge
    return otherwise == merge and _returns(blocks[then])


def _returns(block: Block) -> bool:
    return isinstance(block.terminator, Return) and all(i.op == "const" for i in block.instrs)


class _Turner:
    def __init__(self, function: Function) -> None:
        self.types = value_types(function)
        self.uses = uses_of(function)
        self.fresh = next_id(function)
        self.own: dict[int, Instr] = {}
        self.added: list[Instr] = []

    def turned(self, block: Block) -> Block:
        """The block with the opposite condition and its ways exchanged."""
        terminator = block.terminator
        assert isinstance(terminator, CondBranch)
        self.own, self.added = {i.id: i for i in block.instrs}, []
        cond = self._opposite(terminator.cond, _DEEPEST)
        ways = (terminator.otherwise, terminator.then)
        turned = CondBranch(cond, *ways, terminator.merge)
        return replace(block, instrs=(*block.instrs, *self.added), terminator=turned)

    def _opposite(self, value: int, depth: int) -> int:
        """The number of the opposite of a truth, made of opposites while nothing else needs it."""
        instr = self.own.get(value)  # a loop should not compute again what is above it
        if instr is not None and self.uses[value] == 1 and depth > 0:
            if instr.op == "not":
                return instr.args[0]
            if instr.op in _JOINED:
                parts = tuple(self._opposite(a, depth - 1) for a in instr.args)
                return self._new(_JOINED[instr.op], parts)
            if instr.op in _OPPOSITE and is_integer(self.types[instr.args[0]]):
                return self._new(_OPPOSITE[instr.op], instr.args)
        return self._new("not", (value,))

    def _new(self, op: str, args: tuple[int, ...]) -> int:
        self.added.append(Instr(self.fresh, op, BOOL, args))
        self.fresh += 1
        return self.fresh - 1
