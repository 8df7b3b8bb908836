"""What came of one function: which firings its code rests on, and what each rule saved."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby

from luma.optimizer.choice import Chosen, Loaded, choose
from luma.optimizer.provenance.forest import Congruence, Hop, Key, Made, Vertex, key
from luma.optimizer.provenance.recording import HELPER_SORTS
from luma.optimizer.provenance.replay import Firing, Replay
from luma.optimizer.provenance.spelling import Speller
from luma.optimizer.schema import CONSTRUCTORS, PINNED, cost
from luma.optimizer.term import Graph, Node


@dataclass(frozen=True, slots=True)
class Saving:
    """What the firings of a rule saved, each with what fired before it."""

    rule: str
    saved: int


class Account:
    """A function's way through the rules."""

    def __init__(
        self, replay: Replay, item: Loaded, part: Graph, origins: list[int], chosen: Chosen
    ) -> None:
        self.replay, self.item, self.part, self.chosen = replay, item, part, chosen
        self.forest = replay.forest
        #: The part's number of a class of the whole graph.
        self._part_of = {c: n for n, c in enumerate(origins)}
        self._origins = origins
        #: The classes that code is made for, with the term that each is computed by.
        self.targets: dict[int, Vertex] = {}
        self.used: set[Firing] = set()
        self._seen: set[tuple[Vertex, Vertex]] = set()
        self._follow(c for c, _ in chosen.roots)

    # ------------------------------------------------------------ from the source to the choice

    def _follow(self, roots: Iterable[int]) -> None:
        """Find out what the code for some classes of the part rests on."""
        work = list(dict.fromkeys(roots))
        known = set(work)
        while work:
            n = work.pop()
            target = self._vertex(n)
            self.targets[self._origins[n]] = target
            for kid in self.forest.made[target].kids:
                k = self._part_of[self.forest.final[kid]]
                if k not in known:
                    known.add(k)
                    work.append(k)
        for value, v in self.values.items():
            if self._origins[self.part.classes[value]] in self.targets:
                self._rest_on(v)
        for target in list(self.targets.values()):
            for kid in self.forest.made[target].kids:
                self._rest_on(kid)

    @cached_property
    def values(self) -> dict[int, Vertex]:
        """The term that each of the function's values was defined by."""
        base, found = self.item.base, self.replay.values
        return {id: found[id + base] for id in self.part.classes if id + base in found}

    def _vertex(self, n: int) -> Vertex:
        """The term that was chosen for a class of the part."""
        node = self.chosen.choice[n]
        assert node is not None
        constructor = CONSTRUCTORS[node.constructor]
        args = [
            self._origins[a] if s == "E" else a  # type: ignore[index]
            for s, a in zip(constructor.sorts, node.args, strict=True)
        ]
        if node.constructor == "Leaf" or constructor.pinned:
            args[constructor.sorts.index("I")] += self.item.base  # type: ignore[operator]
        return self.replay.vertices[node.constructor, node.type, tuple(args)]

    def way(self, v: Vertex) -> list[Hop]:
        """The steps from a term to what its value is computed by in the end."""
        path = self.forest.path(v, self.targets[self.forest.final[v]])
        assert path is not None  # the replay has linked all that is equal
        return path

    def _rest_on(self, v: Vertex) -> None:
        """Count the firings between a term and its choice as used."""
        work = [(v, self.targets[self.forest.final[v]])]
        while work:
            pair = work.pop()
            if pair in self._seen:
                continue
            self._seen.add(pair)
            for hop in self.forest.path(*pair) or ():
                if isinstance(hop.reason, Firing):
                    self.used.add(hop.reason)
                work += self.within(hop)

    def within(self, hop: Hop) -> list[tuple[Vertex, Vertex]]:
        """The pairs of equal terms that a step rests on."""
        if isinstance(hop.reason, Firing):
            return [(a, b) for a, b in hop.reason.inner if a != b]
        if isinstance(hop.reason, Congruence):
            start, end = self.forest.made[hop.start].kids, self.forest.made[hop.end].kids
            return [(a, b) for a, b in zip(start, end, strict=True) if a != b]
        return []

    def firings(self) -> Iterator[Firing]:
        """Every firing in the function's part of the graph."""
        return (f for f in self.replay.firings if self.forest.final[f.left] in self._part_of)

    # ------------------------------------------------------------ costs

    def savings(self) -> tuple[int, list[Saving]]:
        """What the function as written costs, and what each group of firings then saved.

        Only firings that the code rests on are done, in the order in which they could be; after
        those of one rule the cheapest code is chosen anew.  All savings together are what there is
        between the code as written and the code in the end.
        """
        steps = _Steps(self)
        before = at = steps.cost()
        found: list[Saving] = []
        used = sorted(self.used, key=lambda f: f.number)
        for (_, rule), group in groupby(used, key=lambda f: (f.wave, f.rule)):
            steps.fire(group)
            now = steps.cost()
            found.append(Saving(rule, at - now))
            at = now
        if not found:
            return self.chosen.cost, found
        # another search through a smaller graph may end a little elsewhere
        last = found.pop()
        return before, [*found, Saving(last.rule, last.saved + at - self.chosen.cost)]

    # ------------------------------------------------------------ words

    @cached_property
    def names(self) -> dict[Vertex, str]:
        """What the author calls terms."""
        found = {self.values[p.id]: p.name for p in self.item.function.params}
        for value, name in self.item.function.names.items():
            if value in self.values:
                found.setdefault(self.values[value], name)
        return found

    @cached_property
    def written(self) -> Speller:
        """Spells terms as they were made."""
        return Speller(self.forest.made, self.names.get)

    @cached_property
    def finished(self) -> Speller:
        """Spells terms as they are computed in the end."""
        final = self.forest.final
        by_class: dict[int, str] = {}
        for v, name in self.names.items():
            by_class.setdefault(final[v], name)
        return Speller(
            self.forest.made,
            lambda v: by_class.get(final[v]),
            lambda v: self.targets.get(final[v], v),
        )


class _Steps:
    """The function's terms and equalities up to some firing."""

    def __init__(self, account: Account) -> None:
        self.account = account
        self.made = account.forest.made
        self.parent: dict[Vertex, Vertex] = {}
        for v in range(account.replay.written):
            self._have(v)
        for a, b in account.replay.same:
            self._unite(a, b)

    def _have(self, v: Vertex) -> None:
        work = [v]
        while work:
            u = work.pop()
            if u not in self.parent:
                self.parent[u] = u
                work += self.made[u].kids

    def _find(self, v: Vertex) -> Vertex:
        while self.parent[v] != v:
            self.parent[v] = self.parent[self.parent[v]]
            v = self.parent[v]
        return v

    def _unite(self, a: Vertex, b: Vertex) -> bool:
        low, high = sorted((self._find(a), self._find(b)))
        self.parent[high] = low
        return low != high

    def fire(self, firings: Iterable[Firing]) -> None:
        for firing in firings:
            self._have(firing.left)
            self._have(firing.right)
            self._unite(firing.left, firing.right)

    def _settled(self) -> dict[Key, Vertex]:
        """The distinct terms, once everything follows that does."""
        while True:
            table: dict[Key, Vertex] = {}
            changed = False
            for v in self.parent:
                other = table.setdefault(key(self.made[v], self._find), v)
                changed = (other != v and self._unite(other, v)) or changed
            if not changed:
                return table

    def cost(self) -> int:
        """What the cheapest code costs now."""
        classes: dict[Vertex, list[Made]] = {}
        for (constructor, _, _), v in self._settled().items():
            if constructor not in HELPER_SORTS:
                classes.setdefault(self._find(v), []).append(self.made[v])
        selection = self.account.chosen.selection
        return choose(self.account.item, self._graph(classes), selection).cost

    def _graph(self, classes: dict[Vertex, list[Made]]) -> Graph:
        numbers: dict[Vertex, int] = {}

        def number(v: Vertex) -> int:
            return numbers.setdefault(self._find(v), len(numbers))

        values = {id: number(v) for id, v in self.account.values.items()}
        nodes: list[list[Node]] = []
        while len(nodes) < len(numbers):
            mine = list(numbers)[len(nodes)]
            nodes.append(
                [n for m in classes.get(mine, ()) if (n := self._node(m, number)) is not None]
            )
        return Graph(nodes, values)

    def _node(self, made: Made, number: object) -> Node | None:
        constructor = CONSTRUCTORS[made.constructor]
        args = list(made.args)
        if made.constructor == "Leaf" or made.constructor in PINNED:
            at = constructor.sorts.index("I")
            args[at] -= self.account.item.base
            if not 0 <= args[at] < self.account.item.end - self.account.item.base:
                return None  # another function's
        args = [
            number(a) if s == "E" else a  # type: ignore[operator]
            for s, a in zip(constructor.sorts, args, strict=True)
        ]
        kids = tuple(
            dict.fromkeys(a for s, a in zip(constructor.sorts, args, strict=True) if s == "E")
        )
        typed = made.args[0] if constructor.sorts.startswith("T") else None
        price = cost(made.constructor, made.type, typed)
        return Node(made.constructor, made.type, tuple(args), kids, price)
