"""What makes modules shorter and nothing else: fewer blocks, and no composites that nobody uses."""

from __future__ import annotations

from dataclasses import replace

from luma.backends.spirv.grammar import Op

from luma.ir.cfg import by_label, predecessors
from luma.ir.module import Block, Branch, Function
from luma.ir.shape import named_blocks, retargeted, substitute

#: What only puts values together or takes them apart.
_MOVES = frozenset({Op.CompositeConstruct, Op.CompositeExtract, Op.VectorShuffle})


def merged_continues(function: Function) -> Function:
    """The function with each loop's continue block joined to the only block before it.

    The intermediate form keeps them apart, as a `for` has its step apart from its body.
    """
    named = named_blocks(function.blocks)
    before = predecessors(function)
    blocks = by_label(function)
    same: dict[int, int] = {}
    moved: dict[int, int] = {}
    for header in function.blocks:
        if header.loop is None:
            continue
        again = blocks[header.loop.continue_]
        ways = before[again.label]
        body = blocks[ways[0]] if len(ways) == 1 else None
        if (
            body is None
            or body.loop is not None
            or body.label in named
            or body.label == function.blocks[0].label
            or len(before[body.label]) != 1
            or not isinstance(body.terminator, Branch)
            or not isinstance(again.terminator, Branch)
        ):
            continue
        given = zip(again.params, body.terminator.args, strict=True)
        same.update((p.id, value) for p, value in given)
        moved[body.label] = again.label
        instrs = body.instrs + again.instrs
        blocks[again.label] = Block(again.label, body.params, instrs, again.terminator)
    if not moved:
        return function
    kept = (blocks[b.label] for b in function.blocks if b.label not in moved)
    made = tuple(replace(b, terminator=retargeted(b.terminator, moved)) for b in kept)
    return substitute(replace(function, blocks=made), same)


def without_idle_moves(code: list[int]) -> list[int]:
    """A function's code without composites, and parts of them, that nothing uses."""
    starts: list[int] = []
    at = 0
    used: set[int] = set()
    while at < len(code):
        starts.append(at)
        length = code[at] >> 16
        if code[at] & 0xFFFF == Op.Phi:  # may use what comes later
            used.update(code[at + 3 : at + length])
        at += length
    kept: list[list[int]] = []
    for at in reversed(starts):
        words = code[at : at + (code[at] >> 16)]
        if words[0] & 0xFFFF in _MOVES and words[2] not in used:
            continue
        used.update(words[1:])
        kept.append(words)
    return [word for words in reversed(kept) for word in words]
