"""What makes modules shorter and nothing else: fewer blocks, and no composites that nobody uses."""

from __future__ import annotations

from dataclasses import replace

from luma.backends.spirv.grammar import Op

from luma.ir.cfg import by_label, predecessors
from luma.ir.module import Block, Branch, Function, Instr
from luma.ir.ops import STRUCTURAL
from luma.ir.shape import named_blocks, retargeted, substitute
from luma.language.builtins import OPERATIONS, Effect

#: So many instructions a driver may do in vain rather than branch.
_SMALL = 20
#: What only puts values together or takes them apart.
_MOVES = frozenset({Op.CompositeConstruct, Op.CompositeExtract, Op.VectorShuffle})


def merged_continues(function: Function) -> Function:
    """The function with each loop's continue block joined to the only block before it.

    The intermediate form keeps them apart, as a `for` has its step apart from its body.  A small
    body that only computes goes before the continue block: in it, Mesa would turn it into choices
    between what it makes and what the first round begins with.
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
        instrs = body.instrs + again.instrs
        if _only_computes(instrs):
            blocks[body.label] = replace(body, instrs=instrs, terminator=Branch(again.label))
            blocks[again.label] = replace(again, params=(), instrs=())
            continue
        moved[body.label] = again.label
        blocks[again.label] = Block(again.label, body.params, instrs, again.terminator)
    if blocks == by_label(function):
        return function
    kept = (blocks[b.label] for b in function.blocks if b.label not in moved)
    made = tuple(replace(b, terminator=retargeted(b.terminator, moved)) for b in kept)
    return substitute(replace(function, blocks=made), same)


def _only_computes(instrs: tuple[Instr, ...]) -> bool:
    """Whether instructions are few, more than a step, and such as may be done in vain."""
    work = [i for i in instrs if i.op != "const"]
    effects = {(OPERATIONS.get(i.op) or STRUCTURAL[i.op]).effect for i in work}
    return 1 < len(work) <= _SMALL and effects == {Effect.PURE}


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
