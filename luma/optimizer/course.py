"""How a loop goes round: found by running, with whole numbers, what decides it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from luma.ir.effects import value_types
from luma.ir.module import (
    Block,
    Branch,
    CondBranch,
    Function,
    Instr,
    Param,
    Terminator,
    operands,
    successors,
)
from luma.ir.shape import size
from luma.language.evaluate import evaluator
from luma.language.types import BOOL, Type, is_integer

#: Loops of more rounds are not looked into.
MAX_ROUNDS = 256


@dataclass(frozen=True, slots=True)
class Course:
    """What is known of a loop: it is left in round ``rounds`` (from 0) at the latest.

    ``last`` is the block where it then leaves and which of the block's ways it takes; None if the
    round does not come to its end.  ``uncertain`` tells that something may leave earlier, ``known``
    are the values that each round knows when it begins.
    """

    rounds: int
    last: tuple[int, int] | None
    uncertain: bool
    known: frozenset[int]


class Outline:
    """What a look into any loop of a function asks of the whole of it: gathered once."""

    def __init__(self, function: Function) -> None:
        self.types = value_types(function)
        self.constants = {i.id: i.imm[0] for i in function.instructions() if i.op == "const"}
        self.blocks = {block.label: block for block in function.blocks}
        #: Where each block stands among the others.
        self.places = {block.label: at for at, block in enumerate(function.blocks)}
        #: The ways to each block, with the block that each comes from.
        self.entering: dict[int, list[tuple[int, Branch]]] = {}
        for block in function.blocks:
            for way in successors(block.terminator):
                self.entering.setdefault(way.target, []).append((block.label, way))
        self.size = size(function)


def course(outline: Outline, header: Block, blocks: tuple[Block, ...]) -> Course | None:
    """How a loop of some blocks goes round; None if it is not known to end."""
    return _Walk(outline, header, blocks).run()


class _Walk:
    def __init__(self, outline: Outline, header: Block, blocks: tuple[Block, ...]) -> None:
        assert header.loop is not None
        self.header, self.loop = header, header.loop
        self.around = {b.label: b for b in blocks}
        self.types = outline.types
        self.steps = [i for b in blocks for i in b.instrs if _counts(i)]
        ways = outline.entering.get(header.label, ())
        self.entering = [way.args for label, way in ways if label not in self.around]
        asked = {a for i in self.steps for a in i.args}
        asked.update(a for args in self.entering for a in args)
        asked.update(a for b in blocks for a in operands(b.terminator))
        #: The constants that matter to the loop.
        self.constants = {a: outline.constants[a] for a in asked if a in outline.constants}
        self.uncertain = False
        self.evaluators: dict[int, Callable[..., Any]] = {}

    def run(self) -> Course | None:
        again = self._again()
        if again is None or not self.entering:
            return None
        known = self._at_first()
        always: set[int] = set()
        for count in range(MAX_ROUNDS + 1):
            env = self._values(known)
            found = self._round(env)
            if count == 0:
                always = env.keys() - self.constants.keys()
            if found is not None:
                if found == _LOST:
                    return None
                last = None if found == _ENDED else found
                return Course(count, last, self.uncertain, frozenset(always))
            known = _given(self.header.params, again, env)
        return None

    def _again(self) -> tuple[int, ...] | None:
        """What the continue block gives the header, if one block at most leads there at its end."""
        again = self.around[self.loop.continue_]
        before = [b for b in self.around.values() if again.label in _targets(b)]
        if again is self.header or not isinstance(again.terminator, Branch):
            return None
        if len(before) > 1 or any(not isinstance(b.terminator, Branch) for b in before):
            return None
        return again.terminator.args

    def _at_first(self) -> dict[int, Any]:
        """The header's parameters that every way in gives one constant."""
        known: dict[int, Any] = {}
        for p, args in zip(self.header.params, zip(*self.entering, strict=True), strict=True):
            values = [self.constants.get(a) for a in args]
            if values[0] is not None and values.count(values[0]) == len(values):
                known[p.id] = values[0]
        return known

    def _values(self, known: dict[int, Any]) -> dict[int, Any]:
        env = self.constants | known
        for instr in self.steps:
            args = [env.get(a) for a in instr.args]
            if None not in args and not (instr.op == "div" and args[1] == 0):
                env[instr.id] = self._evaluator(instr)(*args)
            elif instr.op in ("and", "or") and (instr.op == "or") in args:
                env[instr.id] = instr.op == "or"
        return env

    def _evaluator(self, instr: Instr) -> Callable[..., Any]:
        found = self.evaluators.get(instr.id)
        if found is None:
            types = tuple(self.types[a] for a in instr.args)
            found = self.evaluators[instr.id] = evaluator(instr.op, instr.type, types)
        return found

    def _round(self, env: dict[int, Any]) -> tuple[int, int] | None:
        """Where a round is known to leave, as in Course; None if it goes on to the next."""
        at = self.header.label
        while at != self.loop.continue_:
            block = self.around[at]
            if block.loop is not None and block is not self.header:
                at = block.loop.merge
                continue
            ways = successors(block.terminator)
            if not ways:
                return _ENDED
            taken = self._taken(block.terminator, env)
            if taken is None:
                assert isinstance(block.terminator, CondBranch)
                merge = block.terminator.merge
                if merge is None:
                    return _LOST
                self.uncertain = self.uncertain or self._may_leave(ways, merge)
                at = merge
                continue
            at, before = ways[taken].target, at
            if at == self.loop.merge:
                return (before, taken)
        return None

    def _taken(self, terminator: Terminator, env: dict[int, Any]) -> int | None:
        """Which way a block takes if it is known, or stays in the loop by; None of a selection."""
        if not isinstance(terminator, CondBranch):
            return 0
        known = env.get(terminator.cond)
        if known is not None:
            return 0 if known else 1
        leaving = [w.target == self.loop.merge for w in successors(terminator)]
        if sum(leaving) != 1:
            return None
        self.uncertain = True
        return leaving.index(False)

    def _may_leave(self, ways: tuple[Branch, ...], merge: int) -> bool:
        """Whether control may leave the loop, or end, before it comes to a merge block."""
        seen: set[int] = {merge}
        pending = [w.target for w in ways]
        while pending:
            label = pending.pop()
            if label in seen:
                continue
            seen.add(label)
            if label == self.loop.merge or not _targets(self.around[label]):
                return True
            pending += _targets(self.around[label])
        return False


#: In place of where a round leaves: it ends otherwise, or nobody knows.
_ENDED, _LOST = (-1, 0), (-1, 1)


def _targets(block: Block) -> list[int]:
    return [way.target for way in successors(block.terminator)]


def _given(params: tuple[Param, ...], args: tuple[int, ...], env: dict[int, Any]) -> dict[int, Any]:
    pairs = zip(params, args, strict=True)
    return {p.id: env[a] for p, a in pairs if a in env}


def _counts(instr: Instr) -> bool:
    """Whether an instruction may take part in counting: sums and comparisons of integers."""
    return instr.op in _COUNTING and _is_whole(instr.type)


def _is_whole(type: Type) -> bool:
    return type == BOOL or is_integer(type)


_COUNTING = frozenset(["add", "sub", "mul", "div", "neg", "min", "max", "shl", "shr", "select"]) | {
    *("lt", "le", "gt", "ge", "eq", "ne", "and", "or", "not"),
    *("bit_and", "bit_or", "bit_xor", "bit_not"),
}
