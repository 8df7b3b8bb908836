"""Rewriting a function by rules: into the e-graph, saturated in bounds, and out again."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol, TypeAlias

from luma.ir.cfg import Dominance, loop_depth
from luma.ir.module import Function
from luma.ir.shape import next_id, next_label, size
from luma.language.facts import Fact
from luma.optimizer.apart import APART
from luma.optimizer.choice import Chosen, Loaded, choose
from luma.optimizer.decode import decode
from luma.optimizer.egraph import RULE_FILES, EGraphError, Rules, rule_path
from luma.optimizer.encode import encode
from luma.optimizer.extract import ExtractionError
from luma.optimizer.hashes import precise_values
from luma.optimizer.place import place
from luma.optimizer.products import Depths, proposals
from luma.optimizer.schema import CONSTRUCTORS, OPERANDS, OWN
from luma.optimizer.stated import stating
from luma.optimizer.targets import NEUTRAL, Selection
from luma.optimizer.term import Definition, Graph, Node, priced
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
    which that may be relied on (see :mod:`luma.optimizer.stated`).  ``selects`` lets the rules of
    targets run last (see :mod:`luma.optimizer.targets`).
    ``fuses`` orders sums so that products fuse with them (see :mod:`luma.optimizer.sums`).
    ``instead`` is what to do if rules contradict each other, as fast ones may where a function
    divides by a constant zero.  ``user`` are rules of the user's, names and texts, which are run in
    a process of their own; ``calls`` are the module's functions whose calls they may look into, and
    ``prices`` what a call of each function costs.
    """

    phases: tuple[Step, ...]
    files: tuple[str, ...] = RULE_FILES
    guard_hashes: bool = False
    assume: bool = False
    selects: bool = False
    fuses: bool = False
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

    They are rewritten for no target in particular.
    """
    (done,), warnings = rewrite_for((NEUTRAL,), functions, plan, watcher)
    return done, warnings


def rewrite_for(
    selections: Sequence[Selection],
    functions: Sequence[Function],
    plan: Plan,
    watcher: Watcher | None = None,
) -> tuple[list[list[Function]], list[str]]:
    """As :func:`rewrite`, for each of some selections: what they share is done once.

    Several functions share one graph, as beginning and ending one costs as much as a small
    function.
    """
    done: list[list[Function]] = [[] for _ in selections]
    warnings: list[str] = []

    def add(found: Sequence[Sequence[Function]]) -> None:
        for mine, more in zip(done, found, strict=True):
            mine += more

    for batch in _batches(functions):
        if len(batch) == 1 and size(batch[0]) > MAX_INSTRUCTIONS:
            add([batch] * len(selections))
            warnings.append(_TOO_LARGE.format(name=batch[0].name, limit=MAX_INSTRUCTIONS))
            continue
        try:
            add(_rewrite(batch, plan, watcher, selections))
        except (EGraphError, ExtractionError) as error:
            if watcher is not None:
                watcher.failed(batch, error)
            if len(batch) > 1 or plan.instead is not None:
                next_plan = plan if len(batch) > 1 else plan.instead
                assert next_plan is not None
                for function in batch:
                    alone, found = rewrite_for(selections, [function], next_plan, watcher)
                    add(alone)
                    warnings += found
                    if next_plan is plan.instead:
                        warnings.append(_INSTEAD.format(name=function.name))
            else:
                add([batch] * len(selections))
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


def _rewrite(
    functions: list[Function],
    plan: Plan,
    watcher: Watcher | None,
    selections: Sequence[Selection],
) -> list[list[Function]]:
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
    lasts = [selection.schedule if plan.selects else "" for selection in selections]
    graphs = _graphs(definitions, depths, plan, sorted(set(lasts)), watcher)
    done: list[list[Function]] = [[] for _ in selections]
    for item in loaded:
        parts = {last: _part(graph, item) for last, graph in graphs.items()}
        for rebuilt, last, selection in zip(done, lasts, selections, strict=True):
            part, origins = parts[last]
            chosen = choose(item, part, selection)
            if watcher is not None:
                watcher.rebuilt(item, part, origins, chosen)
            rebuilt.append(_rebuild(item, part, chosen))
    return done


def _graphs(
    definitions: list[Definition],
    depths: Depths,
    plan: Plan,
    lasts: list[str],
    watcher: Watcher | None,
) -> dict[str, Graph]:
    """The saturated graph after each of some schedules."""
    if plan.user and watcher is None:
        prices = dict(plan.prices)
        found = [_with_prices(g, prices) for g in APART.saturate(definitions, depths, plan, lasts)]
    else:
        found = _thread.run(lambda: _saturate(definitions, depths, plan, lasts, watcher))
    return dict(zip(lasts, found, strict=True))


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


def saturate_here(
    definitions: list[Definition], depths: Depths, plan: Plan, lasts: list[str]
) -> list[Graph]:
    """Saturate with the rules of a user's plan in this process, which may not survive it."""
    return _thread.run(lambda: _saturate(definitions, depths, plan, lasts, None))


def _saturate(
    definitions: list[Definition],
    depths: Depths,
    plan: Plan,
    lasts: list[str],
    watcher: Watcher | None,
) -> list[Graph]:
    rules = _rules(plan) if watcher is None else watcher.rules(plan)
    try:
        room = _grow(rules, definitions, depths, plan)
        graphs = _last(rules, lasts if room else [""] * len(lasts))
        if watcher is not None:
            watcher.saturated(definitions, rules, graphs[-1])
    except EGraphError:
        if watcher is None:
            _forget(plan)
        raise
    finally:
        if watcher is not None:
            rules.close()
    if watcher is not None:
        return graphs
    _thread.start(lambda: _end(rules, plan))  # nobody needs to wait for that
    return graphs


def _last(rules: Rules, lasts: list[str]) -> list[Graph]:
    """The graph after each of some schedules, none of which sees what another has made."""
    graphs: dict[str, Graph] = {}
    if "" in lasts:
        graphs[""] = rules.freeze()
    *others, final = [last for last in dict.fromkeys(lasts) if last] or [""]
    for last in others:
        with rules.aside():
            rules.run(last)
            graphs[last] = rules.freeze()
    if final:
        rules.run(final)
        graphs[final] = rules.freeze()
    return [graphs[last] for last in lasts]


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


def _grow(rules: Rules, definitions: list[Definition], depths: Depths, plan: Plan) -> bool:
    """Load a graph and saturate it in bounds; whether there is room for more.

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
            return rules.size() <= limit
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


def _rebuild(item: Loaded, graph: Graph, chosen: Chosen) -> Function:
    written: dict[int, int] = {}
    for block in item.function.blocks:
        if block.label in item.dominance.idom:
            for instr in block.instrs:
                written.setdefault(graph.classes.get(instr.id, -1), block.label)
    homes = place(chosen.choice, chosen.early, chosen.roots, item.dominance, item.loops, written)
    return decode(item.function, graph, chosen.choice, homes, item.encoded.skeleton)
