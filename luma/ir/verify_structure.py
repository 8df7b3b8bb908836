"""The structure of control flow: constructs declared, properly nested, and laid out in order.

The rules are SPIR-V's structured control flow (SPIR-V specification, 2.11.2), narrowed to what Luma
makes.  A construct is what its header dominates and its merge block does not.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from luma.ir.cfg import Dominance, by_label
from luma.ir.module import Block, Branch, CondBranch, Function, Unreachable, successors


@dataclass(frozen=True, slots=True)
class _Construct:
    """A selection, or a loop if ``continue_`` is set."""

    header: int
    merge: int
    continue_: int | None


@dataclass(frozen=True, slots=True)
class _Nest:
    """The constructs that a block is in: the innermost, then those around it.

    ``loop`` is the innermost loop of them, ``first`` the one whose merge block comes first.
    """

    construct: _Construct
    outer: _Nest | None
    loop: _Construct | None
    first: _Construct


def check_shape(function: Function) -> Iterator[str]:
    """Problems that would keep the analyses from working: no blocks, labels wrong."""
    if not function.blocks:
        yield "has no blocks"
        return
    labels = [block.label for block in function.blocks]
    if len(set(labels)) != len(labels):
        yield "has two blocks of one label"
    known = set(labels)
    for block in function.blocks:
        for label in _mentioned(block):
            if label not in known:
                yield f"b{block.label}: there is no block b{label}"


def _mentioned(block: Block) -> Iterator[int]:
    yield from (branch.target for branch in successors(block.terminator))
    if isinstance(block.terminator, CondBranch) and block.terminator.merge is not None:
        yield block.terminator.merge
    if block.loop is not None:
        yield block.loop.merge
        yield block.loop.continue_


def check_structure(function: Function, dominance: Dominance) -> Iterator[str]:
    """Every problem with the blocks' order and nesting; ``dominance`` is not structural."""
    yield from _Checker(function, dominance).problems()


class _Checker:
    def __init__(self, function: Function, dominance: Dominance) -> None:
        self._function = function
        self._blocks = by_label(function)
        self._dominance = dominance
        self._structure = Dominance(function, structural=True)
        self._place = {block.label: at for at, block in enumerate(function.blocks)}
        self._constructs = {
            found.header: found for block in function.blocks if (found := _construct(block))
        }
        self._nests = self._nest_all()

    def _nest_all(self) -> dict[int, _Nest | None]:
        """What each block is in: what its dominator is in, but for what ends here, and its own."""
        ending = Counter(construct.merge for construct in self._constructs.values())
        nests: dict[int, _Nest | None] = {}
        for label, parent in self._structure.idom.items():  # dominators come first
            around = None if parent is None else nests[parent]
            nest = self._without(around, label, ending[label])
            own = self._constructs.get(label)
            nests[label] = nest if own is None or own.merge == label else self._in(own, nest)
        return nests

    def _in(self, construct: _Construct, around: _Nest | None) -> _Nest:
        loop = None if around is None else around.loop
        first = construct
        if around is not None and self._place[around.first.merge] < self._place[construct.merge]:
            first = around.first
        is_loop = construct.continue_ is not None
        return _Nest(construct, around, construct if is_loop else loop, first)

    def _without(self, nest: _Nest | None, merge: int, count: int) -> _Nest | None:
        """A nest without the constructs, ``count`` of them, that a block merges."""
        kept: list[_Construct] = []
        while nest is not None and count > 0:
            if nest.construct.merge == merge:
                count -= 1
            else:
                kept.append(nest.construct)
            nest = nest.outer
        for construct in reversed(kept):
            nest = self._in(construct, nest)
        return nest

    def problems(self) -> Iterator[str]:
        yield from self._entry()
        lost = self._structure.unreachable
        yield from (f"b{label} cannot be reached" for label in lost)
        if lost:
            return
        yield from self._order()
        yield from self._roles()
        yield from self._unreached()
        for construct in self._constructs.values():
            yield from self._extent(construct)
            yield from self._nesting(construct)
            yield from self._loop_problems(construct)
        for block in self._function.blocks:
            yield from self._late(block)
            yield from self._back_edges(block)
            yield from self._condition(block)
            for branch in successors(block.terminator):
                yield from self._edge(block.label, branch.target)

    def _inside(self, construct: _Construct, label: int) -> bool:
        dominates = self._structure.dominates
        return dominates(construct.header, label) and not dominates(construct.merge, label)

    def _around(self, label: int) -> Iterator[_Construct]:
        """The constructs that a block is in, the innermost first."""
        nest = self._nests[label]
        while nest is not None:
            yield nest.construct
            nest = nest.outer

    def _loop_around(self, label: int) -> _Construct | None:
        nest = self._nests[label]
        return None if nest is None else nest.loop

    def _entry(self) -> Iterator[str]:
        entry = self._function.blocks[0]
        if entry.params:
            yield "the entry block has parameters"
        if entry.loop is not None:
            yield "the entry block is a loop header"

    def _order(self) -> Iterator[str]:
        for dominance in (self._dominance, self._structure):
            for label, parent in dominance.idom.items():
                if parent is not None and self._place[parent] > self._place[label]:
                    yield f"b{label} comes before b{parent}, which dominates it"
                    return

    def _roles(self) -> Iterator[str]:
        """No block may end two constructs, or end one and continue a loop."""
        taken: dict[int, str] = {}
        for construct in self._constructs.values():
            roles = [(construct.merge, "merge")]
            if construct.continue_ is not None:
                roles.append((construct.continue_, "continue"))
            for label, role in roles:
                if label in taken:
                    yield f"b{label} is a {taken[label]} and a {role} block"
                taken[label] = role

    def _unreached(self) -> Iterator[str]:
        """Only merge and continue blocks may be there for the structure alone."""
        merges = {c.merge for c in self._constructs.values()}
        continues = {c.continue_ for c in self._constructs.values()}
        for label in self._dominance.unreachable:
            block = self._blocks[label]
            if label in merges:
                if block.instrs or not isinstance(block.terminator, Unreachable):
                    yield f"b{label} is never reached but does not say so"
            elif label not in continues:
                yield f"b{label} cannot be reached"

    def _extent(self, construct: _Construct) -> Iterator[str]:
        header, merge = construct.header, construct.merge
        if header == merge or not self._structure.dominates(header, merge):
            yield f"b{header} does not dominate its merge block b{merge}"

    def _late(self, block: Block) -> Iterator[str]:
        nest = self._nests[block.label]
        if nest is not None and self._place[nest.first.merge] < self._place[block.label]:
            merge = nest.first.merge
            yield f"b{block.label} comes after b{merge}, the merge block of its construct"

    def _nesting(self, construct: _Construct) -> Iterator[str]:
        header, merge = construct.header, construct.merge
        outer = next((c for c in self._around(header) if c.header != header), None)
        if outer is not None and not self._inside(outer, merge):
            yield f"b{merge} merges a construct but is outside the one around it"

    def _loop_problems(self, construct: _Construct) -> Iterator[str]:
        header, continue_ = construct.header, construct.continue_
        if continue_ is None:
            return
        back = self._blocks[continue_].terminator
        if continue_ == header or not (isinstance(back, Branch) and back.target == header):
            yield f"b{continue_}, the continue block, does not just branch to b{header}"
        if not self._inside(construct, continue_):
            yield f"b{continue_}, the continue block, is outside the loop of b{header}"

    def _back_edges(self, block: Block) -> Iterator[str]:
        for branch in successors(block.terminator):
            if self._place[branch.target] > self._place[block.label]:
                continue
            loop = self._blocks[branch.target].loop
            if loop is None:
                yield f"b{block.label} branches back to b{branch.target}, which is no loop header"
            elif loop.continue_ != block.label:
                yield f"b{block.label} branches back but is not the loop's continue block"

    def _condition(self, block: Block) -> Iterator[str]:
        """A branch two ways declares its merge block, or one way leaves or continues the loop."""
        end = block.terminator
        if not isinstance(end, CondBranch):
            if block.loop is not None and not isinstance(end, Branch):
                yield f"b{block.label} is a loop header but does not branch"
            return
        ways = {end.then.target, end.otherwise.target}
        if block.loop is not None:
            if end.merge is not None:
                yield f"b{block.label} is a loop header and declares a selection"
            if block.loop.merge not in ways:
                yield f"b{block.label} is a loop header whose condition does not leave the loop"
        elif end.merge is None:
            loop = self._loop_around(block.label)
            if loop is None or not ways & {loop.merge, loop.continue_}:
                yield f"b{block.label} branches two ways without a merge block"

    def _edge(self, source: int, target: int) -> Iterator[str]:
        """A branch out of a selection goes to its merge block, or leaves or continues the loop
        around; one out of a loop goes to the loop's merge block."""
        loop = self._loop_around(source)
        exits = (loop.merge, loop.continue_) if loop is not None else ()
        for construct in self._around(source):
            if self._inside(construct, target) or target == construct.merge:
                return
            if construct.continue_ is not None or target not in exits:
                yield f"b{source} jumps to b{target}, out of the construct of b{construct.header}"
                return


def _construct(block: Block) -> _Construct | None:
    if block.loop is not None:
        return _Construct(block.label, block.loop.merge, block.loop.continue_)
    if isinstance(block.terminator, CondBranch) and block.terminator.merge is not None:
        return _Construct(block.label, block.terminator.merge, None)
    return None
