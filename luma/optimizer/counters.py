"""Bounds of loops counted by the author's own counter.

What bounds a loop counts its rounds.  Where another counter tells as well how many there were, the
bound becomes a bound of that one, and of two conditions that compare it the same way one becomes:
`i < min(n, 4096)`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from luma.ir.module import Block, Branch, Function, Instr, operands
from luma.ir.shape import next_id, uses_of
from luma.language.numbers import INT_MAX, INT_MIN, UINT_MAX
from luma.language.types import BOOL, INT, UINT, Type
from luma.optimizer.course import Outline


def fuse_counters(function: Function) -> Function:
    """The function without counters that others tell the value of.

    Not in loops that are to be unrolled: drivers take a known end for the number of copies.
    """
    for label in [b.label for b in function.blocks if b.loop and not b.loop.wants_unrolling]:
        function = _Bound(function, label).run()
    return function


@dataclass(frozen=True, slots=True)
class _Counter:
    """A parameter of a loop's header: its first value, and what each round adds to it."""

    id: int
    type: Type
    first: int
    step: int

    def after(self, rounds: int) -> int | None:
        """Its value in a round; None if it wraps around before."""
        low, high = (INT_MIN, INT_MAX) if self.type == INT else (0, UINT_MAX)
        value = self.first + self.step * rounds
        return value if low <= value <= high else None


def _counters(outline: Outline, header: Block) -> list[_Counter]:
    """The counters of a loop that start somewhere known and step by something known."""
    assert header.loop is not None
    again = outline.blocks[header.loop.continue_].terminator
    ways = outline.entering.get(header.label, [])
    back = [way for label, way in ways if label == header.loop.continue_]
    entering = [way for label, way in ways if label != header.loop.continue_]
    if not isinstance(again, Branch) or len(back) != 1 or not entering:
        return []
    steps = {i.id: i for b in outline.blocks.values() for i in b.instrs if i.op in ("add", "sub")}
    found = []
    for at, p in enumerate(header.params):
        first = {outline.constants.get(way.args[at]) for way in entering}
        step = _step(steps.get(again.args[at]), p.id, outline)
        if p.type in (INT, UINT) and len(first) == 1 and None not in first and step is not None:
            found.append(_Counter(p.id, p.type, int(first.pop() or 0), step))
    return found


def _step(instr: Instr | None, counter: int, outline: Outline) -> int | None:
    """What an instruction adds to a counter, if it is known and not 0."""
    if instr is None or counter not in instr.args or instr.args[0] == instr.args[1]:
        return None
    if instr.op == "sub" and instr.args[0] != counter:
        return None
    other = next(a for a in instr.args if a != counter)
    known = outline.constants.get(other)
    if known is None or known == 0:
        return None
    return -int(known) if instr.op == "sub" else int(known)


class _Bound:
    """A loop's bound by a counter that does nothing else."""

    def __init__(self, function: Function, label: int) -> None:
        self.function = function
        self.outline = Outline(function)
        self.header = self.outline.blocks[label]
        self.uses = uses_of(function)
        self.fresh = next_id(function)

    def run(self) -> Function:
        counters = _counters(self.outline, self.header)
        if not counters:
            return self.function
        leaves = self._conditions()
        for counter in counters:
            for instr in leaves:
                done = self._replaced(counter, instr, counters, leaves)
                if done is not None:
                    return done
        return self.function

    def _conditions(self) -> list[Instr]:
        """What must be true for the loop to go on: comparisons that serve for nothing else."""
        own = {i.id: i for i in self.header.instrs}
        found, pending = [], list(operands(self.header.terminator))[:1]
        while pending:
            instr = own.get(pending.pop())
            if instr is None or self.uses[instr.id] != 1:
                continue
            if instr.op == "and":
                pending += instr.args
            elif instr.op in _TURNED:
                found.append(instr)
        return found

    def _replaced(
        self, bound: _Counter, instr: Instr, counters: list[_Counter], leaves: list[Instr]
    ) -> Function | None:
        """The function with a condition on one counter become one on another, which may be joined
        with a condition that there is."""
        limit = self.outline.constants.get(instr.args[1])
        if instr.op != "lt" or instr.args[0] != bound.id or limit is None or bound.step < 0:
            return None
        rounds = max(0, -((bound.first - int(limit)) // bound.step))
        ends = [(c, end) for c in counters if (end := self._end(c, bound, rounds)) is not None]
        for counter, end in ends:
            for other in leaves:
                if other is not instr and (joined := self._joined(counter, other, end)):
                    return self._with({instr.id: [_true(instr.id)], other.id: joined})
        for counter, end in ends:
            if counter is not bound:
                return self._with({instr.id: self._instead(counter, instr.id, end)})
        return None

    def _end(self, counter: _Counter, bound: _Counter, rounds: int) -> int | None:
        """What a counter is after as many rounds as the bound allows, if that is worth knowing."""
        if counter is not bound and self.uses[bound.id] > 2:  # its step and its comparison
            return None
        return counter.after(rounds)

    def _instead(self, counter: _Counter, id: int, end: int) -> list[Instr]:
        """The comparison of a counter with its end."""
        op = "lt" if counter.step > 0 else "gt"
        limit = Instr(self.fresh, "const", counter.type, (), (end,))
        return [limit, Instr(id, op, BOOL, (counter.id, limit.id))]

    def _joined(self, counter: _Counter, other: Instr, end: int) -> list[Instr] | None:
        """A comparison of the counter that does what another and one with its end do."""
        op, args = other.op, other.args
        if args[1] == counter.id:
            op, args = _TURNED[op], (args[1], args[0])
        wanted, nearer = ("lt", "min") if counter.step > 0 else ("gt", "max")
        if args[0] != counter.id or op != wanted:
            return None
        limit = Instr(self.fresh, "const", counter.type, (), (end,))
        both = Instr(self.fresh + 1, nearer, counter.type, (args[1], limit.id))
        return [limit, both, Instr(other.id, op, BOOL, (counter.id, both.id))]

    def _with(self, new: dict[int, list[Instr]]) -> Function:
        instrs = [made for i in self.header.instrs for made in new.get(i.id, [i])]
        header = replace(self.header, instrs=tuple(instrs))
        blocks = (header if b.label == header.label else b for b in self.function.blocks)
        return replace(self.function, blocks=tuple(blocks))


_TURNED = {"lt": "gt", "gt": "lt", "le": "ge", "ge": "le"}


def _true(id: int) -> Instr:
    return Instr(id, "const", BOOL, (), (True,))
