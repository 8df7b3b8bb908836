"""Functions with several returns made into ones with a single return at the end.

What follows an `if` that returns is nested into the other arm, as a person would write it with
`else`.  Returns from inside loops, and ones that leave part of an arm, are not converted.
"""

from __future__ import annotations

from dataclasses import replace

from luma.ir.cfg import by_label, reverse_postorder
from luma.ir.module import Block, Branch, CondBranch, Discard, Function, Param, Return, successors
from luma.optimizer.shape import next_id, next_label, ordered


class _NotConvertibleError(Exception):
    """The function returns where nesting cannot help."""


def single_return(function: Function) -> Function | None:
    """The function with one Return, in its last block outside all constructs; None if it cannot be.

    A function that never returns (it discards on every path) cannot.
    """
    reached = set(reverse_postorder(function))
    if not any(isinstance(b.terminator, Return) for b in function.blocks if b.label in reached):
        return None
    try:
        return ordered(_Nesting(function).run())
    except _NotConvertibleError:
        return None


class _Nesting:
    def __init__(self, function: Function) -> None:
        self.function = function
        self.blocks = by_label(function)
        self.fresh = next_id(function)
        self.label = next_label(function)

    def run(self) -> Function:
        exit_, params = self._new_merge()
        self.blocks[exit_] = replace(
            self.blocks[exit_], terminator=Return(tuple(p.id for p in params))
        )
        self._tail(self.function.blocks[0].label, exit_)
        return replace(self.function, blocks=tuple(self.blocks.values()))

    def _new_merge(self) -> tuple[int, tuple[Param, ...]]:
        """A new block that takes the function's results as parameters."""
        label, self.label = self.label, self.label + 1
        params = tuple(Param(self.fresh + n, t) for n, t in enumerate(self.function.results))
        self.fresh += len(params)
        self.blocks[label] = Block(label, params, (), Discard())
        return label, params

    def _tail(self, label: int, exit_: int) -> None:
        """Make what runs from a block to the function's end go to ``exit_`` instead."""
        pending = [(label, exit_)]
        while pending:
            at, leave = pending.pop()
            block = self.blocks[at]
            terminator = block.terminator
            if block.loop is not None:
                if any(self._returns(inside) for inside in self._arm(at, block.loop.merge)):
                    raise _NotConvertibleError
                pending.append((block.loop.merge, leave))
            elif isinstance(terminator, Return):
                self.blocks[at] = replace(block, terminator=Branch(leave, terminator.values))
            elif isinstance(terminator, Branch):
                pending.append((terminator.target, leave))
            elif isinstance(terminator, CondBranch):
                pending += self._selection(block, terminator, leave)

    def _selection(self, block: Block, terminator: CondBranch, leave: int) -> list[tuple[int, int]]:
        merge = terminator.merge
        if merge is None:
            raise _NotConvertibleError
        arms = [self._arm(way.target, merge) for way in (terminator.then, terminator.otherwise)]
        if not any(self._returns(label) for arm in arms for label in arm):
            return [(merge, leave)]
        if all(merge in self._targets(terminator, arm, n) for n, arm in enumerate(arms)):
            raise _NotConvertibleError
        joined, params = self._new_merge()
        self.blocks[joined] = replace(
            self.blocks[joined], terminator=Branch(leave, tuple(p.id for p in params))
        )
        self.blocks[block.label] = replace(block, terminator=replace(terminator, merge=joined))
        return [(way.target, joined) for way in (terminator.then, terminator.otherwise)]

    def _arm(self, start: int, merge: int) -> list[int]:
        """The blocks from which control has not come to the merge block yet."""
        seen: dict[int, None] = {}
        pending = [start]
        while pending:
            label = pending.pop()
            if label == merge or label in seen:
                continue
            seen[label] = None
            pending += (b.target for b in successors(self.blocks[label].terminator))
        return list(seen)

    def _targets(self, terminator: CondBranch, arm: list[int], which: int) -> set[int]:
        """Where an arm goes: an empty one straight to its target."""
        way = (terminator.then, terminator.otherwise)[which]
        found = {way.target}
        for label in arm:
            found.update(b.target for b in successors(self.blocks[label].terminator))
        return found

    def _returns(self, label: int) -> bool:
        return isinstance(self.blocks[label].terminator, Return)
