"""Bounds of loops that are never met: the language asks for one, so that every loop ends.

Where a loop is known to be left before its bound, to count its rounds serves for nothing.
"""

from __future__ import annotations

from dataclasses import replace

from luma.ir.module import Block, Function, Instr
from luma.language.types import BOOL
from luma.optimizer.course import Outline, course
from luma.optimizer.unroll import construct


def drop_bounds(function: Function) -> Function:
    """The function without conditions that loops go on by, where another one ends them as soon."""
    labels = [block.label for block in function.blocks if block.loop is not None]
    outline = Outline(function) if labels else None
    for label in labels:
        assert outline is not None
        for instr in _conditions(outline.blocks[label]):
            before = _course(outline, label)
            if before is None:
                break
            changed = _without(function, label, instr)
            other = Outline(changed)
            if _course(other, label) == before:
                function, outline = changed, other
    return function


def _conditions(header: Block) -> list[Instr]:
    """What a loop's header joins with another condition."""
    joined = {a for i in header.instrs if i.op == "and" for a in i.args}
    return [i for i in header.instrs if i.id in joined and i.op in ("lt", "le", "gt", "ge", "ne")]


def _course(outline: Outline, label: int) -> tuple[int, tuple[int, int]] | None:
    """The round in which a loop is left by its header, and the way that it takes then.

    None unless the condition of every round is known, and nothing else leaves the loop.
    """
    header = outline.blocks[label]
    found = course(outline, header, construct(outline, header))
    if found is None or found.uncertain or found.last is None or found.last[0] != label:
        return None
    return found.rounds, found.last


def _without(function: Function, label: int, instr: Instr) -> Function:
    """The function with a condition taken for true."""
    true = Instr(instr.id, "const", BOOL, (), (True,))

    def changed(block: Block) -> Block:
        return replace(block, instrs=tuple(true if i is instr else i for i in block.instrs))

    blocks = tuple(changed(b) if b.label == label else b for b in function.blocks)
    return replace(function, blocks=blocks)
