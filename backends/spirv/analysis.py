"""What the emitter must know of a function beforehand: definitions, edges, dominators, uses.

Only what is *live* is emitted: everything with effects, what decides where control goes, and what
those need.  Instructions that the emitter folds into their user (a splat into a vector-times-scalar
product, an access into one longer access chain) do not make their own operands' instructions live.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from luma.ir.module import Block, Branch, Function, Instr, operands, successors
from luma.ir.ops import STRUCTURAL
from luma.language.builtins import OPERATIONS, Effect
from luma.language.types import Type, Vector, Void, element_count, is_float

#: Instructions that are never emitted where they stand, only where they are used.
DEFERRED = frozenset({"const", "spec", "global", "local", "access"})


@dataclass(slots=True)
class Analysis:
    """Facts about one function.

    ``edges`` maps a block to the branches that come in, with the label of their block.  ``above``
    is the immediate dominator of each reachable block but the first.  ``shared`` holds the pointers
    that more than one block goes through, ``whole`` the values that are used other than by taking a
    fixed part out of them.
    """

    defs: dict[int, Instr] = field(default_factory=dict)
    types: dict[int, Type] = field(default_factory=dict)
    edges: dict[int, list[tuple[int, Branch]]] = field(default_factory=dict)
    above: dict[int, int] = field(default_factory=dict)
    live: set[int] = field(default_factory=set)
    shared: set[int] = field(default_factory=set)
    whole: set[int] = field(default_factory=set)


def analyse(function: Function) -> Analysis:
    """All facts about a function."""
    facts = Analysis()
    for parameter in function.params:
        facts.types[parameter.id] = parameter.type
    for block in function.blocks:
        for param in block.params:
            facts.types[param.id] = param.type
        for instr in block.instrs:
            if is_value(instr):
                facts.defs[instr.id] = instr
                facts.types[instr.id] = instr.type
        for branch in successors(block.terminator):
            facts.edges.setdefault(branch.target, []).append((block.label, branch))
    facts.above = _dominators(function.blocks, facts.edges)
    _mark_live(function, facts)
    _find_shared(function, facts)
    return facts


def is_value(instr: Instr) -> bool:
    """Whether the instruction defines a value."""
    return not isinstance(instr.type, Void)


def has_effect(instr: Instr) -> bool:
    """Whether the instruction must be emitted even if its value is never used."""
    if instr.op == "local":
        return False
    row = OPERATIONS.get(instr.op) or STRUCTURAL[instr.op]
    return row.effect is Effect.WRITE


def splat_scalar(facts: Analysis, value: int) -> int | None:
    """The scalar that a vector value is the splat of, if it is one."""
    instr = facts.defs.get(value)
    if instr is None or not isinstance(instr.type, Vector):
        return None
    if instr.op == "splat":
        return instr.args[0]
    if instr.op == "construct" and len(instr.args) == instr.type.size:
        return instr.args[0] if len(set(instr.args)) == 1 else None
    return None


def scaling(facts: Analysis, instr: Instr) -> tuple[int, int] | None:
    """The vector and the scalar of a product with a splat, if the instruction is one."""
    if instr.op != "mul" or not isinstance(instr.type, Vector) or not is_float(instr.type):
        return None
    left, right = instr.args
    scalar = splat_scalar(facts, right)
    if scalar is not None:
        return left, scalar
    scalar = splat_scalar(facts, left)
    return None if scalar is None else (right, scalar)


def extract_root(facts: Analysis, instr: Instr) -> tuple[int, tuple[int, ...]] | None:
    """The value and the constant path that a chain of constant extracts comes down to.

    It goes through what a value was constructed from; with nothing left of the path, the extract is
    that part itself.  None for a path with a run-time index.
    """
    path = _fixed(instr)
    if path is None:
        return None
    value = instr.args[0]
    while path and value in facts.defs:
        inner = facts.defs[value]
        above = _fixed(inner) if inner.op == "extract" else None
        if above is not None:
            value, path = inner.args[0], above + path
        elif inner.op == "construct" and len(inner.args) == element_count(inner.type):
            value, path = inner.args[path[0]], path[1:]
        elif inner.op == "splat":
            value, path = inner.args[0], path[1:]
        else:
            break
    return value, path


def _fixed(extract: Instr) -> tuple[int, ...] | None:
    path = tuple(step for step in extract.imm if isinstance(step, int))
    return path if len(path) == len(extract.imm) else None


def needed_operands(facts: Analysis, instr: Instr) -> tuple[int, ...]:
    """The values that the emitted form of an instruction refers to."""
    scaled = scaling(facts, instr)
    if scaled is not None:
        return scaled
    root = extract_root(facts, instr) if instr.op == "extract" else None
    return instr.args if root is None else (root[0],)


def _mark_live(function: Function, facts: Analysis) -> None:
    incoming: dict[int, tuple[int, int]] = {}
    pending: list[int] = []
    for block in function.blocks:
        for at, param in enumerate(block.params):
            incoming[param.id] = (block.label, at)
        for instr in block.instrs:
            if has_effect(instr):
                needed = needed_operands(facts, instr)
                pending.extend(needed)
                facts.whole.update(needed)
        passed = sum(len(branch.args) for branch in successors(block.terminator))
        used = operands(block.terminator)
        pending.extend(used[: len(used) - passed])
        facts.whole.update(used)
    live = facts.live
    while pending:
        value = pending.pop()
        if value in live:
            continue
        live.add(value)
        if value in facts.defs:
            instr = facts.defs[value]
            needed = needed_operands(facts, instr)
            pending.extend(needed)
            root = extract_root(facts, instr) if instr.op == "extract" else None
            if root is None or not root[1]:
                facts.whole.update(needed)
        elif value in incoming:
            label, at = incoming[value]
            pending.extend(branch.args[at] for _, branch in facts.edges.get(label, ()))


def _find_shared(function: Function, facts: Analysis) -> None:
    first: dict[int, int] = {}
    for block in function.blocks:
        for pointer in _pointers_used(block, facts):
            if first.setdefault(pointer, block.label) != block.label:
                facts.shared.add(pointer)


def _pointers_used(block: Block, facts: Analysis) -> Iterator[int]:
    for instr in block.instrs:
        if instr.op == "load" and instr.id not in facts.live:
            continue
        if instr.op in ("load", "store") or instr.op.startswith("atomic_"):
            yield instr.args[0]


def _dominators(
    blocks: tuple[Block, ...], edges: dict[int, list[tuple[int, Branch]]]
) -> dict[int, int]:
    """Immediate dominators; the blocks come in an order where only loops lead backwards.

    Cooper, Harvey and Kennedy, "A Simple, Fast Dominance Algorithm": one pass is enough because an
    edge back to a loop's header changes nothing in a reducible graph.
    """
    order = {block.label: at for at, block in enumerate(blocks)}
    above: dict[int, int] = {}
    for at, block in enumerate(blocks):
        candidate: int | None = None
        for label, _ in edges.get(block.label, ()):
            if order[label] >= at or (order[label] and label not in above):
                continue  # a back edge, or an edge from where control never comes
            candidate = label if candidate is None else _meet(candidate, label, above, order)
        if candidate is not None and at:
            above[block.label] = candidate
    return above


def _meet(a: int, b: int, above: dict[int, int], order: dict[int, int]) -> int:
    while a != b:
        if order[a] > order[b]:
            a = above[a]
        else:
            b = above[b]
    return a
