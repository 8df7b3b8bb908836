"""What passes share: renaming values, fresh numbers, and blocks put in order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace

from luma.ir.cfg import by_label, reverse_postorder
from luma.ir.module import (
    Block,
    Branch,
    CondBranch,
    Function,
    Instr,
    Terminator,
    Unreachable,
    operands,
    successors,
    with_operands,
)
from luma.language.evaluate import zero
from luma.language.types import (
    Array,
    Matrix,
    Scalar,
    Struct,
    Type,
    element,
    element_count,
    scalar_of,
)


def next_id(function: Function) -> int:
    """A number above those of all the function's values."""
    ids = [p.id for p in function.params]
    for block in function.blocks:
        ids += [p.id for p in block.params]
        ids += [i.id for i in block.instrs]
    return max(ids, default=-1) + 1


def next_label(function: Function) -> int:
    """A number above all the function's labels."""
    return max(b.label for b in function.blocks) + 1


def defined(block: Block) -> Iterator[int]:
    """The values that a block defines (and the meaningless numbers of what gives none)."""
    yield from (p.id for p in block.params)
    yield from (i.id for i in block.instrs)


def zeros(type: Type, new: Callable[[], int]) -> list[Instr]:
    """Instructions that make a value of zeros, the last one's; ``new`` gives fresh numbers."""
    if isinstance(type, Scalar):
        return [Instr(new(), "const", type, (), (zero(type),))]
    if not isinstance(type, Matrix | Array | Struct):
        part = zeros(scalar_of(type), new)
        return [*part, Instr(new(), "splat", type, (part[-1].id,))]
    parts = [zeros(element(type, at), new) for at in range(element_count(type))]
    made = Instr(new(), "construct", type, tuple(p[-1].id for p in parts))
    return [*(i for part in parts for i in part), made]


def size(function: Function) -> int:
    """The number of instructions."""
    return sum(len(b.instrs) for b in function.blocks)


def resolved(mapping: Mapping[int, int], value: int) -> int:
    """The value that stands for ``value``, replacements of replacements followed."""
    while value in mapping:
        value = mapping[value]
    return value


def renamed(instr: Instr, mapping: Mapping[int, int]) -> Instr:
    """The instruction with its operands replaced."""
    if mapping.keys().isdisjoint(instr.args):
        return instr
    args = tuple([resolved(mapping, a) for a in instr.args])
    return Instr(instr.id, instr.op, instr.type, args, instr.imm)


def renamed_terminator(terminator: Terminator, mapping: Mapping[int, int]) -> Terminator:
    """The terminator with its operands replaced."""
    old = operands(terminator)
    new = tuple(resolved(mapping, v) for v in old)
    return terminator if new == old else with_operands(terminator, new)


def copied(instr: Instr, values: Mapping[int, int]) -> Instr:
    """The instruction with its operands and number mapped, once: the numbers are of two worlds."""
    args = tuple([values.get(a, a) for a in instr.args])
    return Instr(values.get(instr.id, instr.id), instr.op, instr.type, args, instr.imm)


def copied_terminator(
    terminator: Terminator, values: Mapping[int, int], labels: Mapping[int, int]
) -> Terminator:
    """The terminator with its operands and labels mapped, once."""
    new = tuple(values.get(v, v) for v in operands(terminator))
    return retargeted(with_operands(terminator, new), labels)


def substitute(function: Function, mapping: Mapping[int, int]) -> Function:
    """The function with values replaced wherever they are used."""
    if not mapping:
        return function
    blocks = tuple(
        replace(
            b,
            instrs=tuple(renamed(i, mapping) for i in b.instrs),
            terminator=renamed_terminator(b.terminator, mapping),
        )
        for b in function.blocks
    )
    return replace(function, blocks=blocks)


def uses_of(function: Function) -> Counter[int]:
    """How often each value is an operand, of an instruction or a terminator."""
    uses = Counter(a for i in function.instructions() for a in i.args)
    uses.update(v for b in function.blocks for v in operands(b.terminator))
    return uses


def with_branches(terminator: Terminator, way: Callable[[Branch], Branch]) -> Terminator:
    """The terminator with each of its branches become another; its merge block stays."""
    match terminator:
        case Branch():
            return way(terminator)
        case CondBranch(cond, then, otherwise, merge):
            return CondBranch(cond, way(then), way(otherwise), merge)
    return terminator


def retargeted(terminator: Terminator, labels: Mapping[int, int]) -> Terminator:
    """The terminator with its labels replaced, the merge block's too."""

    def way(branch: Branch) -> Branch:
        return Branch(labels.get(branch.target, branch.target), branch.args)

    moved = with_branches(terminator, way)
    if isinstance(moved, CondBranch) and moved.merge is not None:
        return replace(moved, merge=labels.get(moved.merge, moved.merge))
    return moved


def named_blocks(blocks: Iterable[Block]) -> set[int]:
    """The labels that a construct names as its merge or continue block."""
    named: set[int] = set()
    for block in blocks:
        if block.loop is not None:
            named |= {block.loop.merge, block.loop.continue_}
        if isinstance(block.terminator, CondBranch) and block.terminator.merge is not None:
            named.add(block.terminator.merge)
    return named


def ordered(function: Function) -> Function:
    """The function without blocks that nothing reaches or names, the rest in structured order.

    A merge block that is named but not reached becomes empty; a continue block likewise, its
    branch back to the header giving the header's parameters their own values.
    """
    blocks = by_label(function)
    reached = set(reverse_postorder(function))
    order: list[int] = []
    seen: set[int] = set()
    pending: list[tuple[int, list[int]]] = []

    def enter(label: int) -> None:
        if label not in seen:
            seen.add(label)
            pending.append((label, _ways(blocks[label], label in reached)))

    enter(function.blocks[0].label)
    while pending:
        label, ways = pending[-1]
        if ways:
            enter(ways.pop(0))
        else:
            order.append(label)
            pending.pop()
    headers = {
        b.loop.continue_: b for b in blocks.values() if b.loop is not None and b.label in reached
    }
    kept = [
        blocks[label] if label in reached else _hollow(blocks[label], headers.get(label))
        for label in reversed(order)
    ]
    return replace(function, blocks=tuple(kept))


def _ways(block: Block, reached: bool) -> list[int]:
    """Where to go from a block, what must come last in the text first."""
    if not reached:
        return []
    ways = [branch.target for branch in reversed(successors(block.terminator))]
    terminator = block.terminator
    if isinstance(terminator, CondBranch) and terminator.merge is not None:
        ways.insert(0, terminator.merge)
    if block.loop is not None:
        ways[:0] = [block.loop.merge, block.loop.continue_]
    return ways


def _hollow(block: Block, header: Block | None) -> Block:
    if header is None:
        return replace(block, params=(), instrs=(), terminator=Unreachable(), loop=None)
    back = Branch(header.label, tuple(p.id for p in header.params))
    return replace(block, params=(), instrs=(), terminator=back, loop=None)
