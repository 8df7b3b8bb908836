"""Unrolling: loops whose number of rounds is known become that many copies of their body.

A loop that may also be left early becomes copies nested into each other: what leaves it is taken
for a return from the copies, which :func:`luma.optimizer.returns.single_return` puts in order.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from luma.ir.cfg import ways_from
from luma.ir.effects import value_types
from luma.ir.module import (
    Block,
    Branch,
    CondBranch,
    Function,
    Instr,
    Loop,
    Param,
    Return,
    Terminator,
    Unreachable,
    operands,
    successors,
)
from luma.ir.shape import (
    copied,
    copied_terminator,
    defined,
    next_id,
    next_label,
    ordered,
    retargeted,
    substitute,
)
from luma.language.types import VOID, Array, Matrix, Scalar, Struct, Vector
from luma.optimizer.branches import fold_branches, merge_blocks
from luma.optimizer.course import Course, Outline, course
from luma.optimizer.fold import fold
from luma.optimizer.returns import single_return

#: By how many instructions a module may grow for a loop that nobody asked to unroll (drivers unroll
#: by themselves), and how many a loop may become if `@unroll` did.
GROWTH, ASKED = 12, 1_500
#: Where `@unroll` asks for more, so many rounds become one, of so many instructions at most.
PARTIAL, PARTIAL_ASKED = 8, 200
#: What a loop costs beside its instructions.
LOOP = 8
#: A function that would grow beyond this keeps its loops.
MAX_INSTRUCTIONS = 6_000


def unroll(function: Function) -> Function:
    """The function with its short loops of known length unrolled, inner ones first."""
    tried: set[int] = set()
    outline = Outline(function)
    while True:
        left = (b for b in reversed(function.blocks) if b.loop and b.label not in tried)
        header = next(left, None)  # an inner loop comes after the one around it
        if header is None:
            return function
        tried.add(header.label)
        done = _unrolled(function, outline, header)
        if done is not None:
            function, outline = done, Outline(done)


def _unrolled(function: Function, outline: Outline, header: Block) -> Function | None:
    """The function with one loop unrolled; None if it stays."""
    plan = _plan(outline, header)
    if plan is None:
        return None
    if any(isinstance(b.terminator, Return) for b in plan.blocks):
        whole = single_return(function)
        if whole is None:
            return None
        function = whole
        (header,) = (b for b in function.blocks if b.label == header.label)
        plan = _plan(Outline(function), header)
        if plan is None:
            return None
    done = (_Unroller if plan.times is None else _PartialUnroller)(function, plan).run()
    return None if done is None else fold_branches(fold(merge_blocks(done)))


@dataclass(frozen=True, slots=True)
class _Plan:
    """A loop to unroll: its blocks (the header first), and how it goes round.

    ``times`` is how many rounds become one; None if the whole loop goes.
    """

    header: Block
    blocks: tuple[Block, ...]
    course: Course
    times: int | None = None


def _plan(outline: Outline, header: Block) -> _Plan | None:
    loop = header.loop
    assert loop is not None
    blocks = construct(outline, header)
    found = course(outline, header, blocks)
    if found is None:
        return None
    work = [i for b in blocks for i in b.instrs if i.op not in ("const", "global")]
    room = MAX_INSTRUCTIONS - outline.size
    if found.rounds <= 1 or _pays(work, loop, found, room):
        return _Plan(header, blocks, found)
    times = _times(work, loop, found, room)
    if times > 1 and not any(_leaves(b, loop) for b in blocks if b is not header):
        return _Plan(header, blocks, found, times)
    return None


def _pays(work: list[Instr], loop: Loop, found: Course, room: int) -> bool:
    """Whether a loop of some instructions is to be unrolled, as ``room`` is there for so many."""
    grown = found.rounds * len(work)
    if grown > room:
        return False
    if loop.unroll is not None and not (found.uncertain and isinstance(loop.unroll, int)):
        return grown <= ASKED
    left = sum(1 for i in work if i.id not in found.known)
    return found.rounds * left - len(work) - LOOP <= GROWTH and not found.uncertain


def _times(work: list[Instr], loop: Loop, found: Course, room: int) -> int:
    """How many rounds to make one of, of a loop that is too long to go as a whole."""
    if loop.unroll is None or found.uncertain:
        return 1
    fitting = min(room, PARTIAL_ASKED) // max(len(work), 1)
    return max((n for n in range(1, min(fitting, PARTIAL) + 1) if found.rounds % n == 0), default=1)


def _leaves(block: Block, loop: Loop) -> bool:
    return any(way.target == loop.merge for way in successors(block.terminator))


def construct(outline: Outline, header: Block) -> tuple[Block, ...]:
    """A loop's blocks: those that the header leads to without passing the merge block.

    Merge and continue blocks belong to their constructs even where control never comes to them.
    """
    loop = header.loop
    assert loop is not None
    seen, pending = {loop.merge}, [header.label, loop.continue_]
    while pending:
        label = pending.pop()
        if label not in seen:
            seen.add(label)
            pending += ways_from(outline.blocks[label], structural=True)
    inside = sorted(seen - {loop.merge}, key=lambda label: outline.places[label])
    return tuple(outline.blocks[label] for label in inside)


class _Unroller:
    """Makes the copies as a function of its own, whose results are what the loop gives on."""

    def __init__(self, function: Function, plan: _Plan) -> None:
        self.function, self.plan = function, plan
        assert plan.header.loop is not None
        self.loop = plan.header.loop
        self.inside = {b.label for b in plan.blocks}
        self.fresh, self.label = next_id(function), next_label(function)
        self.names, self.spans = dict(function.names), dict(function.spans)
        self.types = value_types(function)
        self.crossing = self._crossing()
        self.made: list[Block] = []

    def run(self) -> Function | None:
        """The function without the loop; None if something else than values outlives it."""
        plain = Scalar | Vector | Matrix | Array | Struct
        if not all(isinstance(self.types[v], plain) for v in self.crossing):
            return None
        header, found = self.plan.header, self.plan.course
        labels = [self._label() for _ in range(found.rounds + 1)]
        self.made = [Block(header.label, header.params, (), Branch(labels[0]))]
        entering = tuple(p.id for p in header.params)
        for at, label in enumerate(labels):
            after = labels[at + 1] if at < found.rounds else None
            entering = self._round(label, entering, after)
        copies = single_return(self._copies())
        if copies is None:
            return None
        return self._joined(copies)

    def _copies(self) -> Function:
        (merge,) = (b for b in self.function.blocks if b.label == self.loop.merge)
        results = tuple(self.types[v] for v in self.crossing) + tuple(p.type for p in merge.params)
        return Function(self.function.name, (), results, tuple(self.made))

    def _joined(self, copies: Function) -> Function:
        """The function with the copies in the loop's place."""
        given: dict[int, int] = {}
        made = []
        for block in copies.blocks:
            if isinstance(block.terminator, Return):
                values = block.terminator.values
                given = dict(zip(self.crossing, values, strict=False))
                block = replace(
                    block, terminator=Branch(self.loop.merge, values[len(self.crossing) :])
                )
            made.append(block)
        kept = [b for b in self.function.blocks if b.label not in self.inside]
        outside = substitute(replace(self.function, blocks=tuple(kept)), given)
        whole = replace(
            outside, blocks=(*outside.blocks, *made), names=self.names, spans=self.spans
        )
        return ordered(whole)

    def _crossing(self) -> tuple[int, ...]:
        """The values made in the loop that are used outside."""
        used: set[int] = set()
        for block in self.function.blocks:
            if block.label not in self.inside:
                used.update(operands(block.terminator), *(i.args for i in block.instrs))
        made = (v for b in self.plan.blocks for v in defined(b))
        return tuple(v for v in made if v in used and v in self.types)

    def _label(self) -> int:
        label, self.label = self.label, self.label + 1
        return label

    # ------------------------------------------------------------ one round

    def _round(self, label: int, entering: tuple[int, ...], after: int | None) -> tuple[int, ...]:
        """Copy the loop's blocks once; what they give the next round, whose label is ``after``.

        The last round has none: it ends where it is known to leave.
        """
        header = self.plan.header
        values = dict(zip((p.id for p in header.params), entering, strict=True))
        labels = {b.label: self._label() for b in self.plan.blocks}
        labels[header.label] = label
        for block in self.plan.blocks:
            self._number_all(block, values)
        for block in self.plan.blocks:
            self.made.append(self._copied(block, values, labels, after))
        (again,) = (b for b in self.plan.blocks if b.label == self.loop.continue_)
        return tuple(values.get(a, a) for a in operands(again.terminator))

    def _number_all(self, block: Block, values: dict[int, int]) -> None:
        """Give what a block makes numbers of its own; the header's parameters have values."""
        if block is not self.plan.header:
            for p in block.params:
                self._number(p.id, values)
        for instr in block.instrs:
            if instr.type != VOID:
                self._number(instr.id, values)

    def _number(self, id: int, values: dict[int, int]) -> None:
        values[id], self.fresh = self.fresh, self.fresh + 1
        if id in self.names:
            self.names[values[id]] = self.names[id]
        if id in self.spans:
            self.spans[values[id]] = self.spans[id]

    def _copied(
        self, block: Block, values: dict[int, int], labels: dict[int, int], after: int | None = None
    ) -> Block:
        header = self.plan.header
        instrs = tuple(copied(i, values) for i in block.instrs)
        params: tuple[Param, ...] = ()
        loop = None
        if block is not header:
            params = tuple(Param(values[p.id], p.type) for p in block.params)
            loop = block.loop
        if loop is not None:
            loop = Loop(labels[loop.merge], labels[loop.continue_], loop.unroll)
        terminator = self._terminator(block, values, labels, after)
        return Block(labels[block.label], params, instrs, terminator, loop)

    def _terminator(
        self, block: Block, values: dict[int, int], labels: dict[int, int], after: int | None
    ) -> Terminator:
        if block.label == self.loop.continue_:
            return Unreachable() if after is None else Branch(after)
        terminator = block.terminator
        last = self.plan.course.last
        if after is None and last is not None and last[0] == block.label:
            return self._leaving(successors(terminator)[last[1]], values)
        match terminator:
            case Branch(target) if target == self.loop.merge:
                return self._leaving(terminator, values)
            case CondBranch(cond, then, otherwise, merge) if _leaves(block, self.loop):
                nowhere = self._new_block(Unreachable()) if merge is None else labels[merge]
                yes, no = (self._way(w, values, labels) for w in (then, otherwise))
                return CondBranch(values.get(cond, cond), yes, no, nowhere)
        return copied_terminator(terminator, values, labels)

    def _way(self, way: Branch, values: dict[int, int], labels: dict[int, int]) -> Branch:
        if way.target == self.loop.merge:
            return Branch(self._new_block(self._leaving(way, values)))
        return Branch(labels[way.target], tuple(values.get(a, a) for a in way.args))

    def _leaving(self, way: Branch, values: dict[int, int]) -> Return:
        """The return that stands for leaving the loop."""
        return Return(tuple(values.get(v, v) for v in (*self.crossing, *way.args)))

    def _new_block(self, terminator: Terminator) -> int:
        label = self._label()
        self.made.append(Block(label, (), (), terminator))
        return label


class _PartialUnroller(_Unroller):
    """Makes one round of several: only the first of them can be the last."""

    def run(self) -> Function:
        header, continue_ = self.plan.header, self.loop.continue_
        times = self.plan.times or 1
        entering = tuple(p.id for p in header.params)
        label = header.label
        for at in range(times):
            after = self._label() if at < times - 1 else None
            values = dict(zip((p.id for p in header.params), entering, strict=True))
            labels = {b.label: self._label() for b in self.plan.blocks}
            labels[header.label] = label
            if after is None:
                labels[continue_] = continue_
            entering = self._part(values, labels, after)
            label = -1 if after is None else after
        kept = [b for b in self.function.blocks if b.label not in self.inside]
        blocks = (*kept, *self.made)
        whole = replace(self.function, blocks=blocks, names=self.names, spans=self.spans)
        return ordered(whole)

    def _part(
        self, values: dict[int, int], labels: dict[int, int], after: int | None
    ) -> tuple[int, ...]:
        """One round's copy, that goes on to the block ``after`` or back to the header."""
        header = self.plan.header
        first = labels[header.label] == header.label
        for block in self.plan.blocks:
            if not (first and block is header):
                self._number_all(block, values)
        for block in self.plan.blocks:
            if first and block is header:
                stay = {b: labels[b] for b in labels if b != header.label}
                made = replace(block, terminator=retargeted(block.terminator, stay), loop=self.loop)
            else:
                made = self._copied(block, values, labels)
            if block.label == self.loop.continue_ and after is not None:
                made = replace(made, terminator=Branch(after))
            elif block.label == self.loop.continue_:
                again = tuple(values.get(a, a) for a in operands(block.terminator))
                made = replace(made, terminator=Branch(header.label, again))
            self.made.append(made)
        (again_block,) = (b for b in self.plan.blocks if b.label == self.loop.continue_)
        return tuple(values.get(a, a) for a in operands(again_block.terminator))

    def _terminator(
        self, block: Block, values: dict[int, int], labels: dict[int, int], after: int | None
    ) -> Terminator:
        if block is not self.plan.header:
            return copied_terminator(block.terminator, values, labels)
        (stay,) = (w for w in successors(block.terminator) if w.target != self.loop.merge)
        return Branch(labels[stay.target], tuple(values.get(a, a) for a in stay.args))
