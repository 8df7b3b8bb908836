"""Analyses of a function's control-flow graph: order, dominance, loops."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from luma.ir.module import Block, CondBranch, Function, successors


class Dominance:
    """The dominator tree of a function's blocks, by label.

    Blocks that control cannot reach are in ``unreachable``, in nothing else; asking about them
    raises KeyError.  ``structural`` dominance also counts the ways from a header to the merge and
    continue blocks that it declares (SPIR-V specification, 2.11.1), so that none of them is
    unreachable and constructs nest whatever the branches inside them do.
    """

    def __init__(self, function: Function, *, structural: bool = False) -> None:
        ways = {block.label: ways_from(block, structural=structural) for block in function.blocks}
        entry = function.blocks[0].label
        order = _reverse_postorder(entry, ways)
        found = immediate_dominators(order, ways)
        self.entry = entry
        #: The immediate dominator of each block; the entry's is None.
        self.idom: dict[int, int | None] = {}
        #: Each block's distance from the entry in the dominator tree.
        self.depth: dict[int, int] = {entry: 0}
        for label in order:
            self.idom[label] = None if label == entry else found[label]
        for label in self.idom:  # reverse postorder: dominators come first
            parent = self.idom[label]
            if parent is not None:
                self.depth[label] = self.depth[parent] + 1
        self.unreachable: tuple[int, ...] = tuple(
            block.label for block in function.blocks if block.label not in self.idom
        )
        self._intervals = self._number()

    def _number(self) -> dict[int, tuple[int, int]]:
        """When a walk of the tree enters and leaves each block."""
        children: dict[int, list[int]] = {label: [] for label in self.idom}
        for label, parent in self.idom.items():
            if parent is not None:
                children[parent].append(label)
        entered: dict[int, int] = {}
        intervals: dict[int, tuple[int, int]] = {}
        pending = [(self.entry, False)]
        clock = 0
        while pending:
            label, leaving = pending.pop()
            clock += 1
            if leaving:
                intervals[label] = (entered[label], clock)
            else:
                entered[label] = clock
                pending.append((label, True))
                pending += ((child, False) for child in reversed(children[label]))
        return intervals

    def dominates(self, a: int, b: int) -> bool:
        """Whether every way to block b goes through block a (a block dominates itself)."""
        start, end = self._intervals[a]
        return start <= self._intervals[b][0] <= end

    def common(self, a: int, b: int) -> int:
        """The nearest block that dominates both."""
        if self.dominates(b, a):
            return b
        while not self.dominates(a, b):
            parent = self.idom[a]
            assert parent is not None  # the entry, which has none, dominates every block
            a = parent
        return a


def immediate_dominators(
    order: Sequence[int], ways: Mapping[int, tuple[int, ...]]
) -> dict[int, int]:
    """The immediate dominator of each block but the first; ``order`` is a reverse postorder.

    Structured control flow is reducible: its back edges lead to dominators and decide nothing, so
    one pass over the others is enough.  Any other graph is left to networkx, whose import takes
    longer than the compilation of most shaders.
    """
    place = {label: at for at, label in enumerate(order)}
    parent: dict[int, int] = {}
    back: list[tuple[int, int]] = []

    def meet(a: int, b: int) -> int:
        while a != b:
            if place[a] < place[b]:
                a, b = b, a
            a = parent[a]
        return a

    for source in order:
        for to in ways[source]:
            if place[to] <= place[source]:
                back.append((source, to))
            else:
                parent[to] = meet(parent[to], source) if to in parent else source
    if all(meet(source, to) == to for source, to in back):
        return parent
    return _any_graph(order[0], ways)


def _any_graph(entry: int, ways: Mapping[int, tuple[int, ...]]) -> dict[int, int]:
    import networkx as nx

    graph: nx.DiGraph = nx.DiGraph()
    graph.add_node(entry)
    graph.add_edges_from((source, to) for source, targets in ways.items() for to in targets)
    return nx.immediate_dominators(graph, entry)  # type: ignore[no-any-return]


def by_label(function: Function) -> dict[int, Block]:
    """The blocks by label, in the function's order."""
    return {block.label: block for block in function.blocks}


def predecessors(function: Function) -> dict[int, tuple[int, ...]]:
    """The blocks that branch to each block, in order; one that branches twice is there twice."""
    found: dict[int, list[int]] = {block.label: [] for block in function.blocks}
    for block in function.blocks:
        for branch in successors(block.terminator):
            found[branch.target].append(block.label)
    return {label: tuple(sources) for label, sources in found.items()}


def reverse_postorder(function: Function) -> tuple[int, ...]:
    """The blocks that control can reach, each before those it leads to (but for back edges)."""
    ways = {block.label: ways_from(block) for block in function.blocks}
    return _reverse_postorder(function.blocks[0].label, ways)


def ways_from(block: Block, *, structural: bool = False) -> tuple[int, ...]:
    """Where control may go from a block; if ``structural``, as :class:`Dominance` has it."""
    targets = tuple(branch.target for branch in successors(block.terminator))
    if not structural:
        return targets
    if block.loop is not None:
        return (*targets, block.loop.continue_, block.loop.merge)
    if isinstance(block.terminator, CondBranch) and block.terminator.merge is not None:
        return (*targets, block.terminator.merge)
    return targets


def _reverse_postorder(entry: int, ways: Mapping[int, tuple[int, ...]]) -> tuple[int, ...]:
    order: list[int] = []
    seen = {entry}
    pending = [(entry, iter(ways[entry]))]
    while pending:
        label, rest = pending[-1]
        target = next((way for way in rest if way not in seen), None)
        if target is None:
            order.append(label)
            pending.pop()
        else:
            seen.add(target)
            pending.append((target, iter(ways[target])))
    return tuple(reversed(order))


def loop_blocks(function: Function) -> dict[int, frozenset[int]]:
    """The blocks of each loop, by header: those from which control may come back to it.

    The header is among them, the merge block is not.
    """
    before = predecessors(function)
    loops: dict[int, frozenset[int]] = {}
    for block in function.blocks:
        if block.loop is None:
            continue
        inside = {block.label}
        pending = [block.loop.continue_]
        while pending:
            label = pending.pop()
            if label not in inside:
                inside.add(label)
                pending += before[label]
        loops[block.label] = frozenset(inside)
    return loops


def loop_depth(function: Function) -> dict[int, int]:
    """How many loops each block is in (a header is in its own)."""
    depth = {block.label: 0 for block in function.blocks}
    for inside in loop_blocks(function).values():
        for label in inside:
            depth[label] += 1
    return depth
