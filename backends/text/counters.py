"""Counters that always count alike become one.

A loop with a limit on its rounds counts them beside the author's own variable; where both start at
one constant and take one step, the text needs only the author's.
"""

from __future__ import annotations

from dataclasses import replace

from luma.ir.module import (
    Block,
    Branch,
    Function,
    Instr,
    Param,
    operands,
    successors,
    with_operands,
)
from luma.language.types import Type, Void

#: What a counter starts at and its step, both constants.
_Course = tuple[Type, object, object]


def merge_counters(function: Function) -> Function:
    """The function with one counter for all of a loop's that run alike."""
    instrs = {i.id: i for i in function.instructions() if not isinstance(i.type, Void)}
    same: dict[int, int] = {}
    for block in function.blocks:
        if block.loop is not None:
            same |= _alike(function, block, instrs)
    if not same:
        return function
    blocks = tuple(_without(block, same, function) for block in function.blocks)
    return replace(function, blocks=blocks)


def _alike(function: Function, header: Block, instrs: dict[int, Instr]) -> dict[int, int]:
    """A header's superfluous counters, each with the one to use instead."""
    edges = [
        (block.label, edge)
        for block in function.blocks
        for edge in successors(block.terminator)
        if edge.target == header.label
    ]
    assert header.loop is not None
    entering = [edge for label, edge in edges if label != header.loop.continue_]
    back = [edge for label, edge in edges if label == header.loop.continue_]
    if len(entering) != 1 or len(back) != 1:
        return {}
    if not all(isinstance(b.terminator, Branch) for b in function.blocks if _goes(b, header)):
        return {}
    groups: dict[_Course, list[Param]] = {}
    for param, first, later in zip(header.params, entering[0].args, back[0].args, strict=True):
        course = _course(param, instrs.get(first), instrs.get(later), instrs)
        if course is not None:
            groups.setdefault(course, []).append(param)
    names = function.names
    same: dict[int, int] = {}
    for params in groups.values():
        kept = next((p for p in params if p.id in names), params[0])
        same |= {p.id: kept.id for p in params if p is not kept and p.id not in names}
    return same


def _goes(block: Block, target: Block) -> bool:
    return any(edge.target == target.label for edge in successors(block.terminator))


def _course(
    param: Param, first: Instr | None, later: Instr | None, instrs: dict[int, Instr]
) -> _Course | None:
    if first is None or first.op != "const" or later is None or later.op != "add":
        return None
    step = instrs.get(later.args[1])
    if later.args[0] != param.id or step is None or step.op != "const":
        return None
    return param.type, repr(first.imm[0]), repr(step.imm[0])


def _without(block: Block, same: dict[int, int], function: Function) -> Block:
    """The block without the superfluous parameters and the values for them."""
    kept = {
        b.label: [at for at, p in enumerate(b.params) if p.id not in same]
        for b in function.blocks
        if any(p.id in same for p in b.params)
    }
    end = block.terminator
    if isinstance(end, Branch) and end.target in kept:
        end = Branch(end.target, tuple(end.args[at] for at in kept[end.target]))
    return replace(
        block,
        params=tuple(p for p in block.params if p.id not in same),
        instrs=tuple(replace(i, args=tuple(same.get(a, a) for a in i.args)) for i in block.instrs),
        terminator=with_operands(end, tuple(same.get(v, v) for v in operands(end))),
    )
