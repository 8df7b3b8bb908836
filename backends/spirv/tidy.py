"""Small things before and after writing: fewer blocks, operands in order, no idle composites."""

from __future__ import annotations

from dataclasses import replace

from luma.backends.spirv.grammar import Op

from luma.ir.cfg import by_label, predecessors
from luma.ir.module import Block, Branch, Function, Instr
from luma.ir.ops import STRUCTURAL
from luma.ir.shape import named_blocks, retargeted, substitute
from luma.language.builtins import OPERATIONS, Effect

#: What may have its operands exchanged, and what is as constant as they are.
_TURNABLE = frozenset({"add", "mul"})
_FORMS = frozenset({"construct", "splat", "extract", "shuffle", "neg"})
#: So many instructions a driver may do in vain rather than branch.
_SMALL = 20
#: What only puts values together, takes them apart or sees them as another type.
_MOVES = frozenset({Op.CompositeConstruct, Op.CompositeExtract, Op.VectorShuffle, Op.Bitcast})


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


def constants_last(function: Function) -> Function:
    """The function with constants, and what a call may make constant, second in sums and products.

    AMD's vector units take one scalar register, as the first operand: Mesa moves what stands second
    into a vector register, unless it is a constant.
    """
    rank = {p.id: 1 for p in function.params}
    blocks = []
    for block in function.blocks:
        instrs = []
        for i in block.instrs:
            if i.op == "const":
                rank[i.id] = 2
            elif i.op in _FORMS:
                rank[i.id] = min((rank.get(a, 0) for a in i.args), default=0)
            elif i.op in _TURNABLE and rank.get(i.args[0], 0) > rank.get(i.args[1], 0):
                i = replace(i, args=(i.args[1], i.args[0]))
            instrs.append(i)
        blocks.append(replace(block, instrs=tuple(instrs)))
    return replace(function, blocks=tuple(blocks))


def _only_computes(instrs: tuple[Instr, ...]) -> bool:
    """Whether instructions are few, more than a step, and such as may be done in vain."""
    work = [i for i in instrs if i.op != "const"]
    effects = {(OPERATIONS.get(i.op) or STRUCTURAL[i.op]).effect for i in work}
    return 1 < len(work) <= _SMALL and effects == {Effect.PURE}


def without_idle_moves(code: list[int]) -> list[int]:
    """A function's code without composites, parts of them and casts that nothing uses."""
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
