"""Choosing one node of each class, so that all the values that are needed are cheap together.

The cost is that of the DAG under all roots: what is shared is paid once.  Finding the cheapest is
hard (it is weighted set cover); the better of two bottom-up choices, improved by local search,
comes within a percent or two of it.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterable, Mapping, Sequence

from luma.ir.cfg import Dominance
from luma.optimizer.schema import PINNED, own_number
from luma.optimizer.term import Graph, Node

Nodes = list[list[Node]]
Choice = list[Node | None]

#: A class that more classes could use is not made cheaper yet by it.
_MAX_SHARERS = 6
#: Shared costs are counted in 60ths, which 1 to 6 divide.
_PARTS = 60
_SWAP_PASSES = 3
#: How many classes a swap may bring into use or move before its own.
_MAX_NEEDED = 24


class ExtractionError(Exception):
    """A class that is needed has no node that can be computed (a fault in a rule)."""


#: Where a value is known: the depth of the block in the dominator tree, and the place in the block.
Place = tuple[int, int]


def availability(
    graph: Graph, leaves: Mapping[int, tuple[int, int]], dominance: Dominance
) -> tuple[list[int | None], Nodes]:
    """The highest block in which each class can be computed, and the nodes that can be there.

    Rules may equate values of different places; only nodes whose operands are known in time
    remain, so no rule can break dominance.  ``leaves`` has each leaf's block and place in it.
    """
    depth = dominance.depth
    first = ((0, 0), dominance.entry)
    best: list[tuple[Place, int] | None] = [None] * len(graph.nodes)
    parents: list[list[tuple[int, Node]]] = [[] for _ in graph.nodes]
    for c, nodes in enumerate(graph.nodes):
        for node in nodes:
            for kid in node.kids:
                parents[kid].append((c, node))

    def available(node: Node) -> tuple[Place, int] | None:
        latest = first
        if node.constructor == "Leaf":
            home, at = leaves[node.args[0]]  # type: ignore[index]
            return ((depth[home], at), home) if home in depth else None
        if node.constructor in PINNED:
            pinned = own_number(node)
            assert pinned is not None
            home = pinned
            latest = ((depth[home], 0), home)
        for kid in node.kids:
            known = best[kid]
            if known is None:
                return None
            if known[0] > latest[0]:
                latest = known
        return latest

    work = deque((c, n) for c, nodes in enumerate(graph.nodes) for n in nodes if not n.kids)
    while work:
        c, node = work.popleft()
        found, known = available(node), best[c]
        if found is not None and (known is None or found[0] < known[0]):
            best[c] = found
            work.extend(parents[c])
    usable = [
        [n for n in nodes if (found := available(n)) is not None and found == best[c]]
        for c, nodes in enumerate(graph.nodes)
    ]
    return [None if found is None else found[1] for found in best], usable


def cheapest(nodes: Nodes, roots: list[int]) -> Choice:
    """A node for each class under the roots; the graph of the chosen nodes has no circle.

    Raises ExtractionError if a root cannot be computed.
    """
    users = _users(nodes)
    alone = [1] * len(nodes)
    shared = [max(1, min(len({c for c, _ in of}), _MAX_SHARERS)) for of in users]
    starts = (_bottom_up(nodes, users, alone), _bottom_up(nodes, users, shared))
    choice = min(starts, key=lambda c: dag_cost(c, roots))
    for _ in range(_SWAP_PASSES):
        # what is not in use yet is chosen anew, as if what is in use cost nothing
        used = {c: _node(choice, c) for c in postorder(choice, roots)}
        choice = _bottom_up(nodes, users, alone, used)
        if not _Swap(nodes, choice, roots).run():
            break
    return choice


def undominated(nodes: Iterable[Node]) -> list[Node]:
    """The nodes of a class that none before them beats, of the same operands and as cheap."""
    least: dict[frozenset[int], int] = {}
    kept = []
    for node in nodes:
        kids = frozenset(node.kids)
        known = least.get(kids)
        if known is None or node.cost < known:
            least[kids] = node.cost
            kept.append(node)
    return kept


Users = list[list[tuple[int, Node]]]


def _users(nodes: Nodes) -> Users:
    """For each class the nodes that use it, with the classes that these are in."""
    users: Users = [[] for _ in nodes]
    for c, candidates in enumerate(nodes):
        for node in candidates:
            user = (c, node)
            for kid in node.kids:
                users[kid].append(user)
    return users


def _bottom_up(
    nodes: Nodes, users: Users, sharers: Sequence[int], used: Mapping[int, Node] | None = None
) -> Choice:
    """The cheapest tree for each class, each price being split over so many sharers.

    ``used`` classes cost nothing more and stay as they are.
    """
    costs: list[int | None] = [None] * len(nodes)
    choice: Choice = [None] * len(nodes)
    work: deque[tuple[int, Node]] = deque()
    for c, candidates in enumerate(nodes):
        work.extend([(c, node) for node in candidates if not node.kids])
    for c, node in (used or {}).items():
        costs[c], choice[c] = 0, node
        work.extend(users[c])
    while work:
        c, node = work.popleft()
        total = node.cost * _PARTS // sharers[c]
        known = costs[c]
        if known is not None and known <= total:
            continue
        for kid in node.kids:
            price = costs[kid]
            if price is None:
                break
            total += price
        else:
            if known is None or total < known:
                costs[c], choice[c] = total, node
                work.extend(users[c])
    return choice


def _node(choice: Choice, c: int) -> Node:
    node = choice[c]
    if node is None:
        raise ExtractionError(f"class {c} has no node that can be computed where it is needed")
    return node


def dag_cost(choice: Choice, roots: Iterable[int]) -> int:
    """What the chosen nodes under the roots cost, shared ones once."""
    return sum(_node(choice, c).cost for c in postorder(choice, roots))


def postorder(choice: Choice, roots: Iterable[int]) -> list[int]:
    """The classes under the roots, each after those it uses."""
    order: list[int] = []
    seen: set[int] = set()
    for root in roots:
        stack = [root]
        while stack:
            c = stack.pop()
            if c < 0:  # the complement of a class whose operands are done
                order.append(~c)
            elif c not in seen:
                seen.add(c)
                stack.append(~c)
                stack += reversed(_node(choice, c).kids)
    return order


class _Swap:
    """One pass over the classes in use, users first; changes ``choice`` in place."""

    def __init__(self, nodes: Nodes, choice: Choice, roots: list[int]) -> None:
        self.nodes, self.choice = nodes, choice
        self.order = postorder(choice, roots)
        #: Numbers that rise from operands to users; kept rising as classes come into use.
        self.position: dict[int, float] = {c: at for at, c in enumerate(self.order)}
        self.uses: defaultdict[int, int] = defaultdict(int)
        for root in roots:
            self.uses[root] += 1
        for c in self.order:
            for kid in _node(choice, c).kids:
                self.uses[kid] += 1

    def run(self) -> bool:
        changed = False
        for c in reversed(self.order):
            if self.uses[c] and len(self.nodes[c]) > 1:
                changed = self._class(c) or changed
        return changed

    def _class(self, c: int) -> bool:
        changed = False
        old = _node(self.choice, c)
        freed = self._freed(old)
        for node in self.nodes[c]:
            if node is old or node.cost - old.cost >= freed:
                continue
            needed = self._needed(node, c)
            if needed is None:
                continue
            gain = old.cost - node.cost - self._acquire(node.kids) + self._release(old.kids)
            if gain > 0:
                self.choice[c] = old = node
                freed = self._freed(node)
                self._put_before(c, needed)
                changed = True
            else:
                self._acquire(old.kids)
                self._release(node.kids)
        return changed

    def _freed(self, node: Node) -> int:
        """The most that can come of choosing otherwise: the cost of what only the node uses."""
        freed = self._release(node.kids)
        self._acquire(node.kids)
        return freed

    def _needed(self, node: Node, c: int) -> list[int] | None:
        """The classes that have to come before c for the node, operands first.

        Those not in use that it would bring in, and those in use that now come after c.  None if
        they need c itself, or are too many to look at.
        """
        limit = self.position[c]
        found: list[int] = []
        seen: set[int] = set()
        pending = [(k, False) for k in node.kids]
        while pending:
            k, done = pending.pop()
            if done:
                found.append(k)
                continue
            if k == c:
                return None
            if k in seen or self.position.get(k, limit) < limit:
                continue
            seen.add(k)
            chosen = self.choice[k]
            if chosen is None or len(seen) > _MAX_NEEDED:
                return None
            pending.append((k, True))
            pending += ((kid, False) for kid in chosen.kids)
        return found

    def _put_before(self, c: int, needed: list[int]) -> None:
        """Give classes positions between their operands' and their user's."""
        if not needed:
            return
        inside = set(needed)
        kids = [k for n in needed for k in _node(self.choice, n).kids if k not in inside]
        low = max((self.position[k] for k in kids), default=-1.0)
        step = (self.position[c] - low) / (len(needed) + 1)
        for n, k in enumerate(needed, 1):
            self.position[k] = low + n * step

    def _acquire(self, kids: Iterable[int]) -> int:
        """Use each kid once more; the cost of what was not in use before."""
        added, work = 0, list(kids)
        while work:
            k = work.pop()
            self.uses[k] += 1
            if self.uses[k] == 1:
                node = _node(self.choice, k)
                added += node.cost
                work.extend(node.kids)
        return added

    def _release(self, kids: Iterable[int]) -> int:
        """Use each kid once less; the cost of what is not in use any more."""
        freed, work = 0, list(kids)
        while work:
            k = work.pop()
            self.uses[k] -= 1
            if self.uses[k] == 0:
                node = _node(self.choice, k)
                freed += node.cost
                work.extend(node.kids)
        return freed
