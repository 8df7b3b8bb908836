"""Rewriting a function by rules: into the e-graph, saturated in bounds, and out again."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass

from luma.ir.cfg import Dominance, loop_depth
from luma.ir.module import Function, operands
from luma.optimizer.decode import decode
from luma.optimizer.egraph import RULE_FILES, EGraphError, Rules, rule_text
from luma.optimizer.encode import Encoded, encode
from luma.optimizer.extract import ExtractionError, availability, cheapest
from luma.optimizer.place import place
from luma.optimizer.term import Graph


@dataclass(frozen=True, slots=True)
class Phase:
    """A schedule run again and again until nothing changes, ``rounds`` times at most."""

    schedule: str
    rounds: int


#: A function of more instructions is left alone: plain passes must do.
MAX_INSTRUCTIONS = 12_000
#: Saturation stops when the graph has grown to this many rows a definition (and a fixed part).
ROWS_PER_DEFINITION, FREE_ROWS = 30, 4_000

_loaded = threading.local()


def _rules() -> Rules:
    """The thread's rules, loaded when first used."""
    rules: Rules | None = getattr(_loaded, "rules", None)
    if rules is None:
        rules = _loaded.rules = Rules([(name, rule_text(name)) for name in RULE_FILES])
    return rules


def rewrite(function: Function, phases: Sequence[Phase]) -> tuple[Function, str | None]:
    """The function rewritten by rules, and a warning if that failed and it is as it was."""
    if sum(len(b.instrs) for b in function.blocks) > MAX_INSTRUCTIONS:
        return function, None
    dominance = Dominance(function)
    encoded = encode(function, frozenset(dominance.idom))
    try:
        graph = _saturate(encoded, phases)
        return _rebuild(function, encoded, graph, dominance), None
    except (EGraphError, ExtractionError) as error:
        return function, f"{function.name} was not rewritten by rules: {error}"


def _saturate(encoded: Encoded, phases: Sequence[Phase]) -> Graph:
    rules = _rules()
    try:
        rules.push()
        rules.load(encoded.definitions)
        limit = FREE_ROWS + ROWS_PER_DEFINITION * len(encoded.definitions)
        _run(rules, phases, rules.size() + limit)
        graph = rules.freeze()
        rules.pop()
    except EGraphError:
        del _loaded.rules  # broken for good
        rules.close()
        raise
    return graph


def _run(rules: Rules, phases: Sequence[Phase], limit: int) -> None:
    for phase in phases:
        for _ in range(phase.rounds):
            if rules.size() > limit:
                return
            if not rules.run(phase.schedule):
                break


def _rebuild(function: Function, encoded: Encoded, graph: Graph, dominance: Dominance) -> Function:
    early, usable = availability(graph, encoded.leaves, dominance)
    roots = _roots(function, encoded, graph, early, dominance)
    choice = cheapest(usable, list(dict.fromkeys(c for c, _ in roots)))
    homes = place(choice, early, roots, dominance, loop_depth(function))
    return decode(function, graph, choice, homes, encoded.skeleton)


def _roots(
    function: Function,
    encoded: Encoded,
    graph: Graph,
    early: list[int | None],
    dominance: Dominance,
) -> list[tuple[int, int]]:
    """The classes that the skeleton needs, with the block that needs each.

    A block that control cannot reach needs its values too, but anywhere will do.
    """
    roots: list[tuple[int, int]] = []
    for block in function.blocks:
        used = [a for i in encoded.skeleton[block.label] for a in i.args]
        for value in (*used, *operands(block.terminator)):
            c = graph.classes[value]
            home = early[c]
            if block.label in dominance.idom:
                roots.append((c, block.label))
            elif home is not None:
                roots.append((c, home))
    return roots
