"""Control flow made simpler: known conditions, blocks in a row, arms too small to branch for."""

from __future__ import annotations

from dataclasses import replace

from luma.ir.cfg import Dominance, by_label, loop_blocks, predecessors, reverse_postorder
from luma.ir.effects import effect, value_types
from luma.ir.module import (
    Block,
    Branch,
    CondBranch,
    Function,
    Instr,
)
from luma.ir.shape import (
    named_blocks,
    next_id,
    ordered,
    renamed,
    renamed_terminator,
    substitute,
    uses_of,
)
from luma.language.builtins import OPERATIONS, Effect
from luma.language.types import BOOL, Scalar, Type, Vector
from luma.optimizer.schema import cost

#: Arms of more instructions, or dearer ones (in the extractor's costs), keep their branch.
MAX_ARM_INSTRUCTIONS, MAX_ARM_COST = 3, 80


def fold_branches(function: Function) -> Function:
    """The function without branches whose condition is a constant, and what they avoid."""
    if not any(isinstance(block.terminator, CondBranch) for block in function.blocks):
        return function
    known = {i.id: i.imm[0] for i in function.instructions() if i.op == "const" and i.type == BOOL}
    blocks = []
    for block in function.blocks:
        terminator = block.terminator
        if isinstance(terminator, CondBranch):
            if terminator.cond in known:
                taken = terminator.then if known[terminator.cond] else terminator.otherwise
                block = replace(block, terminator=taken)
            elif terminator.then == terminator.otherwise:
                block = replace(block, terminator=terminator.then)
        blocks.append(block)
    if tuple(blocks) == function.blocks:
        return function
    return ordered(_without_idle_loops(replace(function, blocks=tuple(blocks))))


def _without_idle_loops(function: Function) -> Function:
    """Loop headers that nothing branches back to, and that nothing leaves, are plain blocks."""
    reached = set(reverse_postorder(function))
    before = predecessors(function)
    bodies = loop_blocks(function)
    blocks = by_label(function)
    result = []
    for block in function.blocks:
        if block.loop is not None and block.label in reached:
            again = [p for p in before[block.label] if p in reached and p in bodies[block.label]]
            if not again and not _leaves(blocks, block.label, block.loop.merge):
                block = _plain(block, block.loop.merge)
        result.append(block)
    return replace(function, blocks=tuple(result))


def _plain(block: Block, merge: int) -> Block:
    """A header without its loop; if it has two ways, they meet where the loop ended."""
    terminator = block.terminator
    if isinstance(terminator, CondBranch):
        terminator = replace(terminator, merge=merge)
    return replace(block, terminator=terminator, loop=None)


def _leaves(blocks: dict[int, Block], header: int, merge: int) -> bool:
    """Whether a conditional branch between the two is no selection: it leaves the loop."""
    seen, pending = {merge}, [header]
    while pending:
        label = pending.pop()
        if label in seen:
            continue
        seen.add(label)
        terminator = blocks[label].terminator
        if isinstance(terminator, CondBranch):
            if terminator.merge is None and blocks[label].loop is None:
                return True
            pending += (terminator.then.target, terminator.otherwise.target)
        elif isinstance(terminator, Branch):
            pending.append(terminator.target)
    return False


def merge_blocks(function: Function) -> Function:
    """The function with every block joined to the only one that comes before it."""
    blocks = by_label(function)
    before = predecessors(function)
    named = named_blocks(function.blocks)
    same: dict[int, int] = {}
    gone: set[int] = set()
    for label in list(blocks):
        while label not in gone:
            block = blocks[label]
            terminator = block.terminator
            if not isinstance(terminator, Branch):
                break
            target = blocks[terminator.target]
            if (
                target.label in named
                or target.loop is not None
                or len(before[target.label]) != 1
                or target.label == label
                or not _can_follow(block, target)
            ):
                break
            same.update(zip((p.id for p in target.params), terminator.args, strict=True))
            gone.add(target.label)
            blocks[label] = replace(
                block, instrs=block.instrs + target.instrs, terminator=target.terminator
            )
    if not gone:
        return function
    kept = tuple(blocks[b.label] for b in function.blocks if b.label not in gone)
    return ordered(substitute(replace(function, blocks=kept), same))


def _can_follow(block: Block, target: Block) -> bool:
    """A loop header holds its own construct only."""
    if block.loop is None:
        return True
    return isinstance(target.terminator, Branch)


# ---------------------------------------------------------------- what a condition tells


def use_conditions(function: Function) -> Function:
    """The function with a condition true where only its `then` leads, false where only `else` does.

    What is decided twice is so decided once; of `a or b` that is false, both are.
    """
    uses = uses_of(function)
    joined = {i.id: i for i in function.instructions() if i.op in ("and", "or", "not")}
    facts: dict[int, dict[int, bool]] = {}  # by the block from which on they hold
    before = predecessors(function)
    for block in function.blocks:
        terminator = block.terminator
        if (
            isinstance(terminator, CondBranch)
            and terminator.then.target != terminator.otherwise.target
        ):
            for way, value in ((terminator.then, True), (terminator.otherwise, False)):
                known = _implied(terminator.cond, value, joined)
                told = {v: t for v, t in known.items() if uses[v] > 1}
                if told and len(before[way.target]) == 1:
                    facts.setdefault(way.target, {}).update(told)
    if not facts:
        return function
    return _Conditions(function, Dominance(function), facts).run()


def _implied(cond: int, value: bool, joined: dict[int, Instr]) -> dict[int, bool]:
    """What is known of truths where one of them has a value."""
    known: dict[int, bool] = {}
    pending = [(cond, value)]
    while pending:
        cond, value = pending.pop()
        if cond in known:
            continue
        known[cond] = value
        instr = joined.get(cond)
        if instr is not None and instr.op == "not":
            pending.append((instr.args[0], not value))
        elif instr is not None and (instr.op == "and") is value:
            pending += ((a, value) for a in instr.args)
    return known


class _Conditions:
    def __init__(
        self, function: Function, dominance: Dominance, facts: dict[int, dict[int, bool]]
    ) -> None:
        self.function, self.dominance, self.facts = function, dominance, facts
        self.fresh = next_id(function)
        self.constants: dict[bool, Instr] = {}

    def run(self) -> Function:
        known: dict[int, dict[int, int]] = {}
        done: dict[int, Block] = {}
        blocks = by_label(self.function)
        for label, parent in self.dominance.idom.items():  # dominators come first
            inherited = {} if parent is None else known[parent]
            own = {v: self._constant(b) for v, b in self.facts.get(label, {}).items()}
            known[label] = inherited | own
            done[label] = self._block(blocks[label], known[label])
        made = tuple(done.get(b.label, b) for b in self.function.blocks)
        if made == self.function.blocks:
            return self.function
        entry, *rest = made
        first = replace(entry, instrs=(*self.constants.values(), *entry.instrs))
        return replace(self.function, blocks=(first, *rest))

    def _constant(self, value: bool) -> int:
        if value not in self.constants:
            self.constants[value] = Instr(self.fresh, "const", BOOL, (), (value,))
            self.fresh += 1
        return self.constants[value].id

    def _block(self, block: Block, known: dict[int, int]) -> Block:
        if not known:
            return block
        instrs = tuple(renamed(i, known) for i in block.instrs)
        terminator = renamed_terminator(block.terminator, known)
        if instrs == block.instrs and terminator == block.terminator:
            return block
        return replace(block, instrs=instrs, terminator=terminator)


# ---------------------------------------------------------------- arms too small to branch for


def select_arms(function: Function) -> Function:
    """The function with branches over little pure work turned into choices between values."""
    blocks = by_label(function)
    types = value_types(function)
    before = predecessors(function)
    fresh = next_id(function)
    changed = False
    for label in reversed(list(blocks)):  # inner constructs first
        block = blocks[label]
        found = _arms(block, blocks, types, before)
        if found is None:
            continue
        instrs, then, otherwise = found
        merge = blocks[then.target]
        args: list[int] = []
        assert isinstance(block.terminator, CondBranch)
        for p, a, b in zip(merge.params, then.args, otherwise.args, strict=True):
            if a != b:
                choice = (block.terminator.cond, a, b)
                instrs = (*instrs, Instr(fresh, "select", p.type, choice))
                a, fresh = fresh, fresh + 1
            args.append(a)
        blocks[label] = replace(
            block, instrs=block.instrs + instrs, terminator=Branch(merge.label, tuple(args))
        )
        changed = True
    if not changed:
        return function
    return merge_blocks(ordered(replace(function, blocks=tuple(blocks.values()))))


def _arms(
    block: Block,
    blocks: dict[int, Block],
    types: dict[int, Type],
    before: dict[int, tuple[int, ...]],
) -> tuple[tuple[Instr, ...], Branch, Branch] | None:
    """What both arms compute, and how each goes to the merge block; None if it must branch."""
    terminator = block.terminator
    if not isinstance(terminator, CondBranch) or terminator.merge is None:
        return None
    found = [_arm(way, terminator.merge, blocks, types) for way in
             (terminator.then, terminator.otherwise)]  # fmt: skip
    if found[0] is None or found[1] is None:
        return None
    (work, then), (more, otherwise) = found[0], found[1]
    merge = blocks[terminator.merge]
    if len(before[merge.label]) != 2 or merge.loop is not None:
        return None
    if not all(isinstance(p.type, Scalar | Vector) for p in merge.params):
        return None
    return (*work, *more), then, otherwise


def _arm(
    way: Branch, merge: int, blocks: dict[int, Block], types: dict[int, Type]
) -> tuple[tuple[Instr, ...], Branch] | None:
    if way.target == merge:
        return (), way
    arm = blocks[way.target]
    if arm.params or arm.loop is not None or not isinstance(arm.terminator, Branch):
        return None
    if arm.terminator.target != merge:
        return None
    return (arm.instrs, arm.terminator) if _cheap(arm.instrs, types) else None


def _cheap(instrs: tuple[Instr, ...], types: dict[int, Type]) -> bool:
    work = [i for i in instrs if i.op not in ("const", "splat", "construct", "extract", "shuffle")]
    if len(work) > MAX_ARM_INSTRUCTIONS or len(instrs) > 4 * MAX_ARM_INSTRUCTIONS:
        return False
    return sum(_price(i, types) for i in work) <= MAX_ARM_COST


def _price(instr: Instr, types: dict[int, Type]) -> int:
    """What an instruction costs; too much if it may not be done in vain."""
    row = OPERATIONS.get(instr.op)
    if effect(instr, types) is not Effect.PURE or row is None:
        return MAX_ARM_COST + 1
    return cost(row.constructor, instr.type, types[instr.args[0]])
