"""Which of its equal forms each value of a function gets, at the prices of a target."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, repeat

from luma.ir.cfg import Dominance
from luma.ir.module import Function, operands
from luma.optimizer.encode import Encoded
from luma.optimizer.extract import (
    Choice,
    Nodes,
    availability,
    cheapest,
    postorder,
    undominated,
)
from luma.optimizer.machine import unfuse, with_parts
from luma.optimizer.schema import in_loops
from luma.optimizer.targets import Selection
from luma.optimizer.term import Graph, Node, Ref, Term


@dataclass(frozen=True, slots=True)
class Loaded:
    """A function on its way through the graph; its numbers there are ``base`` and up."""

    function: Function
    dominance: Dominance
    encoded: Encoded
    loops: dict[int, int]
    base: int
    end: int


@dataclass(frozen=True, slots=True)
class Chosen:
    """A node for each class that a function needs, and what these cost together.

    ``early`` is the highest block where each class can be computed; ``roots`` are the classes that
    the skeleton needs, with the block that needs each.  ``selection`` is how the nodes were chosen.
    """

    choice: Choice
    early: list[int | None]
    roots: list[tuple[int, int]]
    cost: int
    selection: Selection


def choose(item: Loaded, graph: Graph, selection: Selection) -> Chosen:
    """The cheapest forms of what a function needs.  Raises ExtractionError."""
    early, usable = availability(graph, item.encoded.leaves, item.dominance)
    depths = [0 if block is None else item.loops.get(block, 0) for block in early]
    roots = _roots(item, graph, early)
    needed = list(dict.fromkeys(c for c, _ in roots))
    nodes = _priced(with_parts(usable, depths), depths, _written(item, graph), selection.sizes)
    choice = cheapest(nodes, needed)
    cost = sum(-(-node.cost // 2) for c in postorder(choice, needed) if (node := choice[c]))
    return Chosen(unfuse(choice, needed), early, roots, cost, selection)


def _priced(
    nodes: Nodes,
    depths: Sequence[int],
    written: Container[tuple[object, ...]],
    sizes: Mapping[str, int],
) -> Nodes:
    """The nodes at the prices of the depths where they are; parts have these already.

    ``sizes`` has by constructor what is to be added.  Of equally cheap forms the one in the source
    is taken.
    """
    made: Nodes = []
    for c, (candidates, depth) in enumerate(zip(nodes, chain(depths, repeat(0)), strict=False)):
        found = []
        for node in candidates:
            name, type, args, kids, cost = node
            if depth:
                cost = in_loops(node, depth)
            cost = 2 * (cost + sizes.get(name, 0)) - ((c, name, args) in written)
            found.append(Node(name, type, args, kids, cost))
        made.append(undominated(found) if len(found) > 1 else found)
    return made


def _written(item: Loaded, graph: Graph) -> set[tuple[object, ...]]:
    """The nodes that the source has: class, constructor and arguments."""
    written: set[tuple[object, ...]] = set()
    for id, term, _, _ in item.encoded.definitions:
        if not any(isinstance(a, Term) for a in term.args):
            args = tuple(
                [graph.classes[a.id - item.base] if isinstance(a, Ref) else a for a in term.args]
            )
            written.add((graph.classes[id - item.base], term.constructor, args))
    return written


def _roots(item: Loaded, graph: Graph, early: list[int | None]) -> list[tuple[int, int]]:
    """The classes that the skeleton needs, with the block that needs each.

    A block that control cannot reach needs its values too, but anywhere will do.
    """
    roots: list[tuple[int, int]] = []
    for block in item.function.blocks:
        used = [a for i in item.encoded.skeleton[block.label] for a in i.args]
        for value in (*used, *operands(block.terminator)):
            c = graph.classes[value]
            home = early[c]
            if block.label in item.dominance.idom:
                roots.append((c, block.label))
            elif home is not None:
                roots.append((c, home))
    return roots
