"""Functions with several returns made into ones with a single return at the end.

What follows an `if` that returns is nested into the other arm, as a person would write it with
`else`.  Where that cannot be, a flag says that the function is to return: a loop that returns
becomes one that is left, and what follows a construct that may return is done unless it did.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from luma.ir.cfg import Dominance, by_label, reverse_postorder
from luma.ir.effects import value_types
from luma.ir.module import (
    Block,
    Branch,
    CondBranch,
    Function,
    Instr,
    Param,
    Return,
    Terminator,
    Unreachable,
    operands,
    successors,
)
from luma.ir.shape import defined, next_id, next_label, ordered, renamed, renamed_terminator, zeros
from luma.language.types import BOOL, Array, Matrix, Scalar, Struct, Type, Vector

_NOWHERE = Unreachable()


class _NotConvertibleError(Exception):
    """Something that cannot be a block's parameter outlives a loop that returns."""


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


@dataclass(frozen=True, slots=True)
class _Way:
    """How a part of the function is left: all ways lead to the block ``exit``.

    Without ``end`` the part ends by returning, and ``exit`` takes the results.  Otherwise control
    may also come to the block ``end``: then ``exit`` takes whether to return, the results, and what
    ``end`` takes; for what is not known there are zeros.
    """

    exit: int
    end: int | None = None
    #: The arguments before and after those that are known, on returning and on falling through.
    returning: tuple[tuple[int, ...], tuple[int, ...]] = ((), ())
    falling: tuple[int, ...] = ()

    def back(self, values: tuple[int, ...]) -> Branch:
        """The branch of a return."""
        before, after = self.returning
        return Branch(self.exit, (*before, *values, *after))

    def on(self, args: tuple[int, ...]) -> Branch:
        """The branch of what came to the end."""
        return Branch(self.exit, (*self.falling, *args))


class _Nesting:
    def __init__(self, function: Function) -> None:
        self.function = function
        self.blocks = by_label(function)
        self.fresh = next_id(function)
        self.label = next_label(function)
        #: Instructions of the entry block that make flags and zeros, and their values.
        self.constants: list[Instr] = []
        self.zeros: dict[Type, int] = {}
        self.flags: dict[bool, int] = {}
        #: Merge blocks of loops that return, for the loop around to leave by.
        self.exits: set[int] = set()
        self.pending: list[tuple[int, _Way]] = []

    def run(self) -> Function:
        reached = set(reverse_postorder(self.function))
        headers = [b.label for b in self.function.blocks if b.loop and b.label in reached]
        for header in reversed(headers):  # inner loops come after those around them
            self._leave_loop(header)
        exit_ = self._block(params := self._params(self.function.results))
        self._end(exit_, Return(tuple(p.id for p in params)))
        self.pending = [(self.function.blocks[0].label, _Way(exit_))]
        while self.pending:
            self._tail(*self.pending.pop())
        entry = self.function.blocks[0].label
        first = self.blocks[entry]
        self.blocks[entry] = replace(first, instrs=(*self.constants, *first.instrs))
        return replace(self.function, blocks=tuple(self.blocks.values()))

    # ------------------------------------------------------------ new blocks and values

    def _params(self, types: tuple[Type, ...]) -> tuple[Param, ...]:
        params = tuple(Param(self.fresh + n, t) for n, t in enumerate(types))
        self.fresh += len(params)
        return params

    def _block(self, params: tuple[Param, ...], terminator: Terminator = _NOWHERE) -> int:
        label, self.label = self.label, self.label + 1
        self.blocks[label] = Block(label, params, (), terminator)
        return label

    def _end(self, label: int, terminator: Terminator) -> None:
        self.blocks[label] = replace(self.blocks[label], terminator=terminator)

    def _new(self) -> int:
        id, self.fresh = self.fresh, self.fresh + 1
        return id

    def _zero(self, type: Type) -> int:
        if not isinstance(type, Scalar | Vector | Matrix | Array | Struct):
            raise _NotConvertibleError
        if type not in self.zeros:
            self.constants += zeros(type, self._new)
            self.zeros[type] = self.constants[-1].id
        return self.zeros[type]

    def _flag(self, value: bool) -> int:
        if value not in self.flags:
            self.flags[value] = self._new()
            self.constants.append(Instr(self.flags[value], "const", BOOL, (), (value,)))
        return self.flags[value]

    def _returns(self, label: int) -> bool:
        return isinstance(self.blocks[label].terminator, Return)

    def _meeting(self, types: tuple[Type, ...], end: int) -> tuple[int, _Way]:
        """A block that returns if its flag says so, and else goes on to ``end``.

        Besides the flag and the results it takes values of some types, then what ``end`` takes.
        """
        results = self.function.results
        taken = (*types, *(p.type for p in self.blocks[end].params))
        params = self._params((BOOL, *results, *taken))
        split = 1 + len(results)
        back = self._block((), Return(tuple(p.id for p in params[1:split])))
        given = tuple(p.id for p in params[split + len(types) :])
        nowhere = self._block(())
        ways = (Branch(back), Branch(end, given))
        label = self._block(params, CondBranch(params[0].id, *ways, nowhere))
        nothing = tuple(self._zero(t) for t in taken)
        falling = (self._flag(False), *(self._zero(t) for t in results))
        return label, _Way(label, end, ((self._flag(True),), nothing), falling)

    # ------------------------------------------------------------ loops

    def _leave_loop(self, header: int) -> None:
        """Make a loop that returns one that is left, and returned from behind it."""
        loop = self.blocks[header].loop
        assert loop is not None
        inside = self._arm(header, loop.merge)
        returning = [label for label in inside if self._returns(label)]
        if not returning:
            return
        crossing = self._crossing(inside, returning)
        label, way = self._meeting(tuple(crossing.values()), loop.merge)
        for at in inside:
            self._end(at, self._leaving(self.blocks[at], way, tuple(crossing)))
        self.blocks[header] = replace(self.blocks[header], loop=replace(loop, merge=label))
        at = 1 + len(self.function.results)
        params = self.blocks[label].params[at : at + len(crossing)]
        self._rename(dict(zip(crossing, (p.id for p in params), strict=True)), {*inside, label})
        self.exits.add(label)

    def _leaving(self, block: Block, way: _Way, crossing: tuple[int, ...]) -> Terminator:
        """A terminator inside a loop whose ways out lead to the loop's new merge block."""

        def out(branch: Branch) -> Branch:
            if branch.target != way.end:
                return branch
            return way.on((*crossing, *branch.args))

        terminator = block.terminator
        match terminator:
            case Return(values):
                return way.back(values)
            case Branch():
                return out(terminator)
            case CondBranch(cond, then, otherwise, merge):
                if block.label in self.exits:
                    back = self.blocks[then.target].terminator
                    return CondBranch(cond, way.back(operands(back)), out(otherwise), None)
                return CondBranch(cond, out(then), out(otherwise), merge)
        return terminator

    def _crossing(self, inside: list[int], returning: list[int]) -> dict[int, Type]:
        """The values made in a loop and used behind it that not every return comes past."""
        function = replace(self.function, blocks=tuple(self.blocks.values()))
        dominance = Dominance(function)
        types = value_types(function)
        made: dict[int, Type] = {}
        for label in inside:
            if not all(dominance.dominates(label, r) for r in returning):
                made.update((v, types[v]) for v in defined(self.blocks[label]) if v in types)
        used: set[int] = set()
        for label in self.blocks.keys() - set(inside):
            block = self.blocks[label]
            used.update(operands(block.terminator), *(i.args for i in block.instrs))
        return {v: t for v, t in made.items() if v in used}

    def _rename(self, mapping: dict[int, int], but: set[int]) -> None:
        """Replace values everywhere except in some blocks."""
        if not mapping:
            return
        for label, block in self.blocks.items():
            if label not in but:
                instrs = tuple(renamed(i, mapping) for i in block.instrs)
                terminator = renamed_terminator(block.terminator, mapping)
                self.blocks[label] = replace(block, instrs=instrs, terminator=terminator)

    # ------------------------------------------------------------ selections

    def _tail(self, label: int, way: _Way) -> None:
        """Make what runs from a block to its part's end leave that part by the way given."""
        block = self.blocks[label]
        terminator = block.terminator
        if block.loop is not None:
            self.pending.append((block.loop.merge, way))
        elif isinstance(terminator, Return):
            self._end(label, way.back(terminator.values))
        elif isinstance(terminator, Branch):
            self._end(label, self._enter(terminator, way))
        elif isinstance(terminator, CondBranch):
            self._selection(label, terminator, way)

    def _enter(self, branch: Branch, way: _Way) -> Branch:
        """A branch within a part, to be gone on from, or to its end."""
        if branch.target == way.end:
            return way.on(branch.args)
        self.pending.append((branch.target, way))
        return branch

    def _selection(self, label: int, terminator: CondBranch, way: _Way) -> None:
        merge = terminator.merge
        assert merge is not None  # only in loops, which are not walked, is there none
        ways = (terminator.then, terminator.otherwise)
        arms = [self._arm(w.target, merge) for w in ways]
        if not any(self._returns(inside) for arm in arms for inside in arm):
            self.pending.append((merge, way))
            return
        if all(merge in self._targets(w, arm) for w, arm in zip(ways, arms, strict=True)):
            joined, inner = self._meeting((), merge)
            self.pending.append((joined, way))
        else:
            params = self._params(tuple(p.type for p in self.blocks[way.exit].params))
            given = tuple(p.id for p in params)
            joined = self._block(params, Branch(way.exit, given))
            inner = replace(way, exit=joined)
        then, otherwise = (self._enter(w, inner) for w in ways)
        self._end(label, CondBranch(terminator.cond, then, otherwise, joined))

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

    def _targets(self, way: Branch, arm: list[int]) -> set[int]:
        """Where an arm goes: an empty one straight to its target."""
        found = {way.target}
        for label in arm:
            found.update(b.target for b in successors(self.blocks[label].terminator))
        return found
