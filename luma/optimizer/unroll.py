"""Unrolling: loops whose number of rounds is known become that many copies of their body."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from luma.ir.cfg import by_label, predecessors, ways_from
from luma.ir.effects import value_types
from luma.ir.module import Block, Branch, CondBranch, Function, Instr, Loop, Param, successors
from luma.language.evaluate import evaluator
from luma.language.types import BOOL, VOID, Type, is_integer
from luma.optimizer.branches import merge_blocks
from luma.optimizer.fold import fold
from luma.optimizer.shape import (
    copied,
    copied_terminator,
    next_id,
    next_label,
    ordered,
    size,
    substitute,
)

#: How many instructions a loop may become if nobody asked for it, and if `@unroll` did.
UNASKED, ASKED = 32, 1_500
#: Loops of more rounds stay, asked for or not.
MAX_ROUNDS = 256
#: A function that would grow beyond this keeps its loops.
MAX_INSTRUCTIONS = 6_000


def unroll(function: Function) -> Function:
    """The function with its short loops of known length unrolled, inner ones first."""
    tried: set[int] = set()
    while True:
        headers = [b for b in function.blocks if b.loop is not None and b.label not in tried]
        if not headers:
            return function
        header = headers[-1]  # an inner loop comes after the one around it
        tried.add(header.label)
        plan = _plan(function, header)
        if plan is not None:
            function = fold(merge_blocks(ordered(_Unroller(function, plan).run())))


@dataclass(frozen=True, slots=True)
class _Plan:
    """A loop to unroll: its blocks (the header first), who enters it, how often it goes round."""

    header: Block
    blocks: tuple[Block, ...]
    before: int
    rounds: int


def _plan(function: Function, header: Block) -> _Plan | None:
    loop, terminator = header.loop, header.terminator
    assert loop is not None
    if not isinstance(terminator, CondBranch):
        return None
    blocks = _construct(function, header, loop)
    inside = {b.label for b in blocks}
    before = [p for p in predecessors(function)[header.label] if p not in inside]
    if len(before) != 1 or _leaves_early(blocks, loop):
        return None
    rounds = _rounds(function, header, blocks, before[0])
    if rounds is None:
        return None
    work = sum(1 for b in blocks for i in b.instrs if i.op not in ("const", "global"))
    grown = rounds * work
    limit = UNASKED if loop.unroll is None else ASKED
    if rounds > 1 and (grown > limit or size(function) + grown > MAX_INSTRUCTIONS):
        return None
    return _Plan(header, blocks, before[0], rounds)


def _construct(function: Function, header: Block, loop: Loop) -> tuple[Block, ...]:
    """The loop's blocks: those that the header leads to without passing the merge block.

    Merge and continue blocks belong to their constructs even where control never comes to them.
    """
    blocks = by_label(function)
    seen, pending = {loop.merge}, [header.label, loop.continue_]
    while pending:
        label = pending.pop()
        if label not in seen:
            seen.add(label)
            pending += ways_from(blocks[label], structural=True)
    return tuple(b for b in function.blocks if b.label in seen and b.label != loop.merge)


def _leaves_early(blocks: tuple[Block, ...], loop: Loop) -> bool:
    """Whether another block than the header leaves the loop, or cuts a round short."""
    return any(
        (b.loop is None and isinstance(b.terminator, CondBranch) and b.terminator.merge is None)
        or any(way.target == loop.merge for way in successors(b.terminator))
        for b in blocks[1:]
    )


# ---------------------------------------------------------------- how often it goes round


def _rounds(
    function: Function, header: Block, blocks: tuple[Block, ...], before: int
) -> int | None:
    """The number of rounds, found by running what decides it; None if that is not known."""
    around = by_label(function)
    assert header.loop is not None
    enter = _arguments(around[before], header.label)
    again = _arguments(around[header.loop.continue_], header.label)
    if enter is None or again is None:
        return None
    types = value_types(function)
    outside = {i.id: i.imm[0] for i in function.instructions() if i.op == "const"}
    steps = [i for b in blocks for i in b.instrs if _counts(i)]
    known = _given(header.params, enter, outside)
    terminator = header.terminator
    assert isinstance(terminator, CondBranch)
    stays = terminator.otherwise.target == header.loop.merge
    for count in range(MAX_ROUNDS + 1):
        env = _run(steps, outside | known, types)
        if terminator.cond not in env:
            return None
        if bool(env[terminator.cond]) is not stays:
            return count
        known = _given(header.params, again, env)
    return None


def _arguments(block: Block, target: int) -> tuple[int, ...] | None:
    found = [b.args for b in successors(block.terminator) if b.target == target]
    return found[0] if len(found) == 1 else None


def _given(params: tuple[Param, ...], args: tuple[int, ...], env: dict[int, Any]) -> dict[int, Any]:
    pairs = zip(params, args, strict=True)
    return {p.id: env[a] for p, a in pairs if a in env}


def _counts(instr: Instr) -> bool:
    """Whether an instruction may take part in counting: sums and comparisons of integers."""
    return instr.op in _COUNTING and (instr.type == BOOL or is_integer(instr.type))


_COUNTING = frozenset(
    [
        "const",
        "add",
        "sub",
        "mul",
        "neg",
        "min",
        "max",
        "lt",
        "le",
        "gt",
        "ge",
        "eq",
        "ne",
        "and",
        "or",
        "not",
        "bit_and",
        "shl",
        "shr",
    ]
)


def _run(steps: list[Instr], env: dict[int, Any], types: dict[int, Type]) -> dict[int, Any]:
    for instr in steps:
        if instr.op != "const" and all(a in env for a in instr.args):
            args = [env[a] for a in instr.args]
            arg_types = tuple(types[a] for a in instr.args)
            env[instr.id] = evaluator(instr.op, instr.type, arg_types)(*args)
    return env


# ---------------------------------------------------------------- copying


class _Unroller:
    def __init__(self, function: Function, plan: _Plan) -> None:
        self.function, self.plan = function, plan
        self.fresh, self.label = next_id(function), next_label(function)
        self.names, self.spans = dict(function.names), dict(function.spans)

    def run(self) -> Function:
        plan, header = self.plan, self.plan.header
        assert header.loop is not None
        before = by_label(self.function)[plan.before]
        entering = _arguments(before, header.label) or ()
        made: list[Block] = []
        first = self._label()
        label = first
        for _ in range(plan.rounds):
            after = self._label()
            made += self._round(label, entering, after)
            entering, label = self._leaving, after
        last = dict(zip((p.id for p in header.params), entering, strict=True))
        made.append(self._last(label))
        inside = {b.label for b in plan.blocks}
        kept = [
            replace(b, terminator=self._enter(b, first)) if b.label == plan.before else b
            for b in self.function.blocks
            if b.label not in inside
        ]
        whole = replace(self.function, blocks=(*kept, *made), names=self.names, spans=self.spans)
        return substitute(whole, last)

    def _label(self) -> int:
        label, self.label = self.label, self.label + 1
        return label

    def _enter(self, block: Block, first: int) -> Branch:
        assert isinstance(block.terminator, Branch)
        return Branch(first)

    def _last(self, label: int) -> Block:
        """The header once more, to leave by; it keeps its numbers for what comes after."""
        header = self.plan.header
        assert isinstance(header.terminator, CondBranch) and header.loop is not None
        ways = (header.terminator.then, header.terminator.otherwise)
        (leave,) = (w for w in ways if w.target == header.loop.merge)
        return Block(label, (), header.instrs, leave)

    def _round(self, label: int, entering: tuple[int, ...], after: int) -> list[Block]:
        """One copy of the loop's blocks; ``_leaving`` is then what it gives to the next."""
        plan, header = self.plan, self.plan.header
        assert header.loop is not None
        values = dict(zip((p.id for p in header.params), entering, strict=True))
        labels = {b.label: self._label() for b in plan.blocks[1:]}
        labels[header.label] = label
        for block in plan.blocks:
            if block is not header:
                for p in block.params:
                    self._number(p.id, values)
            for instr in block.instrs:
                if instr.type != VOID:
                    self._number(instr.id, values)
        made = []
        for block in plan.blocks:
            copy = self._copy(block, values, labels)
            if block.label == header.loop.continue_:
                again = _arguments(block, header.label) or ()
                self._leaving = tuple(values.get(a, a) for a in again)
                copy = replace(copy, terminator=Branch(after))
            made.append(copy)
        return made

    def _number(self, id: int, values: dict[int, int]) -> None:
        values[id], self.fresh = self.fresh, self.fresh + 1
        if id in self.names:
            self.names[values[id]] = self.names[id]
        if id in self.spans:
            self.spans[values[id]] = self.spans[id]

    def _copy(self, block: Block, values: dict[int, int], labels: dict[int, int]) -> Block:
        instrs = tuple(copied(i, values) for i in block.instrs)
        if block is self.plan.header:
            ways = successors(block.terminator)
            assert block.loop is not None
            (stay,) = (w for w in ways if w.target != block.loop.merge)
            args = tuple(values.get(a, a) for a in stay.args)
            return Block(labels[block.label], (), instrs, Branch(labels[stay.target], args))
        loop = block.loop
        if loop is not None:
            loop = Loop(labels[loop.merge], labels[loop.continue_], loop.unroll)
        params = tuple(Param(values[p.id], p.type) for p in block.params)
        terminator = copied_terminator(block.terminator, values, labels)
        return Block(labels[block.label], params, instrs, terminator, loop)
