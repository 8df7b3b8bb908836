"""Rewriting a function by rules: into the e-graph, saturated in bounds, and out again."""

from __future__ import annotations

import threading
from collections.abc import Container, Sequence
from dataclasses import dataclass, replace
from itertools import chain, repeat
from typing import Protocol, TypeAlias

from luma.ir.cfg import Dominance, loop_depth
from luma.ir.module import Function, operands
from luma.ir.shape import next_id, next_label, size
from luma.language.facts import Fact
from luma.optimizer.apart import APART
from luma.optimizer.decode import decode
from luma.optimizer.egraph import RULE_FILES, EGraphError, Rules, rule_path
from luma.optimizer.encode import Encoded, encode
from luma.optimizer.extract import (
    Choice,
    ExtractionError,
    Nodes,
    availability,
    cheapest,
    postorder,
    undominated,
)
from luma.optimizer.hashes import precise_values
from luma.optimizer.machine import unfuse, with_parts
from luma.optimizer.place import place
from luma.optimizer.products import Depths, proposals
from luma.optimizer.schema import CONSTRUCTORS, OPERANDS, OWN, in_loops
from luma.optimizer.stated import stating
from luma.optimizer.term import Definition, Graph, Node, Ref, Term, priced
from luma.stack import Worker


@dataclass(frozen=True, slots=True)
class Phase:
    """A schedule run again and again until nothing changes, ``rounds`` times at most."""

    schedule: str
    rounds: int


class Normalize:
    """A step between phases: products join the graph in normal form (see products.py)."""


Step: TypeAlias = Phase | Normalize


#: Functions of more instructions are left alone: plain passes must do.
MAX_INSTRUCTIONS = 12_000
#: Saturation stops when the graph has grown to this many rows a definition (and a fixed part).
ROWS_PER_DEFINITION, FREE_ROWS = 12, 2_000
#: A round of our rules that overshoots that so many times is taken back.
OVERSHOOT = 3
#: A user's rules that overshoot that so many times in a round are given up.
EXCESS = 10
#: Functions of so many instructions together go through the graph at once.
BATCH_INSTRUCTIONS = 3_000

#: The thread of the e-graphs.  While one loads its rules there, other code can run.
_thread = Worker("luma-rules")
_kept = threading.local()


def _rules(plan: Plan) -> Rules:
    """The thread's e-graph with a plan's rules, loaded when first asked for."""
    loaded: dict[tuple[object, object], Rules] = _kept.__dict__.setdefault("rules", {})
    key = (plan.files, plan.user)
    if key not in loaded:
        if plan.user:
            _make_room(loaded)
        loaded[key] = Rules([rule_path(name) for name in plan.files], plan.user)
    return loaded[key]


#: How many e-graphs with rules of users are kept.
USERS = 3


def _make_room(loaded: dict[tuple[object, object], Rules]) -> None:
    """Give up the oldest of the e-graphs with rules of users, if there are many."""
    keys = [key for key in loaded if key[1]]
    for key in keys[: max(0, len(keys) - USERS + 1)]:
        loaded.pop(key).close()


def _forget(plan: Plan) -> None:
    """Drop an e-graph that failed: it is broken for good."""
    _kept.__dict__["rules"].pop((plan.files, plan.user)).close()


@dataclass(frozen=True, slots=True)
class Plan:
    """How expressions are rewritten: phases one after the other, with the rules of some files.

    ``guard_hashes`` keeps rules off hash functions made of floats (rules that change rounding).
    ``assume`` lets rules rely on what the author states; ``given`` are the module's globals of
    which that may be relied on (see :mod:`luma.optimizer.stated`).
    ``instead`` is what to do if rules contradict each other, as fast ones may where a function
    divides by a constant zero.  ``user`` are rules of the user's, names and texts, which are run in
    a process of their own; ``calls`` are the module's functions whose calls they may look into, and
    ``prices`` what a call of each function costs.
    """

    phases: tuple[Step, ...]
    files: tuple[str, ...] = RULE_FILES
    guard_hashes: bool = False
    assume: bool = False
    instead: Plan | None = None
    user: tuple[tuple[str, str], ...] = ()
    calls: frozenset[str] = frozenset()
    prices: tuple[tuple[str, int], ...] = ()
    given: tuple[tuple[str, tuple[Fact, ...]], ...] = ()


def prepare(plan: Plan) -> None:
    """Begin to make an e-graph ready for the plan; do not wait for it."""
    if not plan.user:
        _thread.start(lambda: _rules(plan).push())


class Watcher(Protocol):
    """Looks on while functions are rewritten, to explain it; changes nothing."""

    def rules(self, plan: Plan) -> Rules:
        """An e-graph with the plan's rules, for one use; made on the e-graphs' thread."""

    def saturated(self, definitions: list[Definition], rules: Rules, graph: Graph) -> None:
        """What a graph has become; called on the e-graphs' thread."""

    def rebuilt(self, item: Loaded, part: Graph, origins: list[int], chosen: Chosen) -> None:
        """What was chosen of a function's part; ``origins`` has its classes' numbers before."""

    def failed(self, functions: Sequence[Function], problem: Exception) -> None:
        """The functions could not be rewritten so, and are tried otherwise, if there is a way."""


_INSTEAD = (
    "fast rules contradict each other in `{name}` (a division by zero does that): it was rewritten"
    " by exact rules instead"
)
_TOO_LARGE = "`{name}` has more than {limit} instructions: rules were not run over it"


def rewrite(
    functions: Sequence[Function], plan: Plan, watcher: Watcher | None = None
) -> tuple[list[Function], list[str]]:
    """The functions rewritten by rules, and warnings about those that are as they were.

    Several share one graph, as beginning and ending one costs as much as a small function.
    """
    done: list[Function] = []
    warnings: list[str] = []
    for batch in _batches(functions):
        if len(batch) == 1 and size(batch[0]) > MAX_INSTRUCTIONS:
            done += batch
            warnings.append(_TOO_LARGE.format(name=batch[0].name, limit=MAX_INSTRUCTIONS))
            continue
        try:
            done += _rewrite(batch, plan, watcher)
        except (EGraphError, ExtractionError) as error:
            if watcher is not None:
                watcher.failed(batch, error)
            if len(batch) > 1 or plan.instead is not None:
                next_plan = plan if len(batch) > 1 else plan.instead
                assert next_plan is not None
                for function in batch:
                    alone, found = rewrite([function], next_plan, watcher)
                    done += alone
                    warnings += found
                    if next_plan is plan.instead:
                        warnings.append(_INSTEAD.format(name=function.name))
            else:
                done += batch
                warnings.append(f"{batch[0].name} was not rewritten by rules: {error}")
    return done, warnings


def _batches(functions: Sequence[Function]) -> list[list[Function]]:
    batches: list[list[Function]] = [[]]
    room = BATCH_INSTRUCTIONS
    for function in functions:
        room -= size(function)
        if room < 0 and batches[-1]:
            batches.append([])
            room = BATCH_INSTRUCTIONS - size(function)
        batches[-1].append(function)
    return [b for b in batches if b]


@dataclass(frozen=True, slots=True)
class Loaded:
    """A function on its way through the graph; its numbers there are ``base`` and up."""

    function: Function
    dominance: Dominance
    encoded: Encoded
    loops: dict[int, int]
    base: int
    end: int


def _rewrite(functions: list[Function], plan: Plan, watcher: Watcher | None) -> list[Function]:
    loaded: list[Loaded] = []
    base = 0
    for function in functions:
        dominance = Dominance(function)
        precise = precise_values(function) if plan.guard_hashes else frozenset()
        encoded = encode(function, frozenset(dominance.idom), precise, base, plan.calls)
        if plan.assume:
            known = stating(encoded.definitions, function, base, dict(plan.given))
            encoded = replace(encoded, definitions=known)
        end = base + max(next_id(function), next_label(function))
        loaded.append(Loaded(function, dominance, encoded, loop_depth(function), base, end))
        base = end
    definitions = [d for item in loaded for d in item.encoded.definitions]
    depths = _depths(loaded)
    if plan.user and watcher is None:
        graph = _with_prices(APART.saturate(definitions, depths, plan), dict(plan.prices))
    else:
        graph = _thread.run(lambda: _saturate(definitions, depths, plan, watcher))
    done = []
    for item in loaded:
        part, origins = _part(graph, item)
        chosen = choose(item, part)
        if watcher is not None:
            watcher.rebuilt(item, part, origins, chosen)
        done.append(_rebuild(item, part, chosen))
    return done


def _depths(loaded: Sequence[Loaded]) -> Depths:
    leaves: dict[int, int] = {}
    blocks: dict[int, int] = {}
    for item in loaded:
        blocks.update({item.base + label: depth for label, depth in item.loops.items()})
        for leaf, (block, _) in item.encoded.leaves.items():
            leaves[item.base + leaf] = item.loops.get(block, 0)
    return Depths(leaves, blocks)


def _with_prices(graph: Graph, prices: dict[str, int]) -> Graph:
    """The graph with calls as dear as the functions they call."""
    if not prices:
        return graph
    nodes = [
        [
            priced(n, prices[str(n.args[0])]) if CONSTRUCTORS[n.constructor].op == "call" else n
            for n in ns
        ]
        for ns in graph.nodes
    ]
    return Graph(nodes, graph.classes)


def saturate_here(definitions: list[Definition], depths: Depths, plan: Plan) -> Graph:
    """Saturate with the rules of a user's plan in this process, which may not survive it."""
    return _thread.run(lambda: _saturate(definitions, depths, plan, None))


def _saturate(
    definitions: list[Definition], depths: Depths, plan: Plan, watcher: Watcher | None
) -> Graph:
    rules = _rules(plan) if watcher is None else watcher.rules(plan)
    try:
        _grow(rules, definitions, depths, plan)
        graph = rules.freeze()
        if watcher is not None:
            watcher.saturated(definitions, rules, graph)
    except EGraphError:
        if watcher is None:
            _forget(plan)
        raise
    finally:
        if watcher is not None:
            rules.close()
    if watcher is not None:
        return graph
    _thread.start(lambda: _end(rules, plan))  # nobody needs to wait for that
    return graph


def _end(rules: Rules, plan: Plan) -> None:
    try:
        rules.pop()
    except EGraphError:
        _forget(plan)


def _part(graph: Graph, item: Loaded) -> tuple[Graph, list[int]]:
    """What of the graph a function's values lead to, in the function's own numbers.

    Also what number each of its classes had.
    """
    numbers: dict[int, int] = {}
    classes: dict[int, int] = {}
    for id in range(item.base, item.end):
        if id in graph.classes:
            c = graph.classes[id]
            classes[id - item.base] = numbers.setdefault(c, len(numbers))
    nodes: list[list[Node]] = []
    order = list(numbers)
    for c in order:  # grows as operands are met
        kept = []
        for node in graph.nodes[c]:
            own = OWN.get(node.constructor)
            if own is not None and not item.base <= node.args[own] < item.end:  # type: ignore[operator]
                continue  # another function's
            for k in node.kids:
                if k not in numbers:
                    numbers[k] = len(numbers)
                    order.append(k)
            kept.append(_renumbered(node, numbers, item.base))
        nodes.append(kept)
    return Graph(nodes, classes), order


def _renumbered(node: Node, numbers: dict[int, int], base: int) -> Node:
    args = list(node.args)
    for at in OPERANDS[node.constructor]:
        args[at] = numbers[args[at]]  # type: ignore[index]
    if node.constructor in OWN:
        args[OWN[node.constructor]] -= base  # type: ignore[operator]
    kids = tuple([numbers[k] for k in node.kids])
    return Node(node.constructor, node.type, tuple(args), kids, node.cost)


def _grow(rules: Rules, definitions: list[Definition], depths: Depths, plan: Plan) -> None:
    """Load a graph and saturate it in bounds.

    One round can make far more than was there before it; it is then taken back, with what came
    after.  Raises EGraphError where a user's rules do that.
    """
    most: int | None = None
    while True:
        rules.push()
        rules.load(definitions)
        limit = FREE_ROWS + ROWS_PER_DEFINITION * len(definitions)
        limit += rules.size()
        rounds = _run(rules, plan.phases, depths, limit, most)
        if rules.size() <= (EXCESS if plan.user else OVERSHOOT) * limit or rounds == 0:
            return
        if plan.user:
            raise EGraphError(f"they made {rules.size()} terms of {len(definitions)} values")
        rules.pop()
        most = rounds - 1


def _run(rules: Rules, steps: Sequence[Step], depths: Depths, limit: int, most: int | None) -> int:
    """Run the steps while the graph has no more rows than ``limit``, ``most`` rounds at most; how
    many they were."""
    count = 0
    for step in steps:
        match step:
            case Normalize():
                rules.unite(proposals(rules.freeze(), depths))
            case Phase(schedule, rounds):
                for _ in range(rounds):
                    if rules.size() > limit or count == most:
                        return count
                    count += 1
                    if not rules.run(schedule):
                        break
    return count


@dataclass(frozen=True, slots=True)
class Chosen:
    """A node for each class that a function needs, and what these cost together.

    ``early`` is the highest block where each class can be computed; ``roots`` are the classes that
    the skeleton needs, with the block that needs each.
    """

    choice: Choice
    early: list[int | None]
    roots: list[tuple[int, int]]
    cost: int


def choose(item: Loaded, graph: Graph) -> Chosen:
    """The cheapest forms of what a function needs.  Raises ExtractionError."""
    early, usable = availability(graph, item.encoded.leaves, item.dominance)
    depths = [0 if block is None else item.loops.get(block, 0) for block in early]
    roots = _roots(item, graph, early)
    needed = list(dict.fromkeys(c for c, _ in roots))
    choice = cheapest(_priced(with_parts(usable, depths), depths, _written(item, graph)), needed)
    cost = sum(-(-node.cost // 2) for c in postorder(choice, needed) if (node := choice[c]))
    return Chosen(unfuse(choice, needed), early, roots, cost)


def _rebuild(item: Loaded, graph: Graph, chosen: Chosen) -> Function:
    written: dict[int, int] = {}
    for block in item.function.blocks:
        if block.label in item.dominance.idom:
            for instr in block.instrs:
                written.setdefault(graph.classes.get(instr.id, -1), block.label)
    homes = place(chosen.choice, chosen.early, chosen.roots, item.dominance, item.loops, written)
    return decode(item.function, graph, chosen.choice, homes, item.encoded.skeleton)


def _priced(nodes: Nodes, depths: Sequence[int], written: Container[tuple[object, ...]]) -> Nodes:
    """The nodes at the prices of the depths where they are; parts have these already.

    Of equally cheap forms the one in the source is taken.
    """
    return [
        undominated(
            priced(n, 2 * in_loops(n, depth) - ((c, n.constructor, n.args) in written)) for n in ns
        )
        for c, (ns, depth) in enumerate(zip(nodes, chain(depths, repeat(0)), strict=False))
    ]


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
