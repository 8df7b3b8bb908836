"""What the optimizer shares, told apart again where sharing makes the text harder to read.

The values stay what they are; only where they are computed and which have names changes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from luma.ir.cfg import Dominance
from luma.ir.effects import effect, value_types
from luma.ir.module import (
    Block,
    CondBranch,
    Function,
    Instr,
    operands,
    successors,
    with_operands,
)
from luma.language.builtins import Effect
from luma.language.types import Matrix, Vector, Void

#: What is written wherever it is used, so that it is not in the way in a loop's header.
_FREE = ("const", "spec", "global", "access", "load", "extract", "shuffle", "splat")


def tidy(function: Function) -> Function:
    """The function as it reads best."""
    return _forget_names(_clear_headers(function))


# ---------------------------------------------------------------- names


def _forget_names(function: Function) -> Function:
    """Take the names of values that read better where they are used.

    These are constants that a changing variable begins with, because equal constants are one value
    and other variables would begin with this variable; and what a branch, now a select, assigned
    to a variable.
    """
    forgotten = {*_first_values(function), *_choices(function)}
    if not forgotten & function.names.keys():
        return function
    names = {value: name for value, name in function.names.items() if value not in forgotten}
    return replace(function, names=names)


def _first_values(function: Function) -> Iterator[int]:
    instrs = _defined(function)
    for block in function.blocks:
        for edge in successors(block.terminator):
            yield from (a for a in edge.args if _is_constant(a, instrs))


def _is_constant(value: int, instrs: dict[int, Instr]) -> bool:
    instr = instrs.get(value)
    if instr is None or instr.op == "const":
        return instr is not None
    made = instr.op in ("splat", "construct") and isinstance(instr.type, Vector | Matrix)
    return made and all(_is_constant(a, instrs) for a in instr.args)


def _choices(function: Function) -> Iterator[int]:
    uses, names = _uses(function), function.names
    for instr in function.instructions():
        if instr.op == "select":
            _, yes, no = instr.args
            for value, other in ((yes, no), (no, yes)):
                if uses[value] == 1 and names.get(value) in (names.get(other), names.get(instr.id)):
                    yield value


def _uses(function: Function) -> Counter[int]:
    uses: Counter[int] = Counter()
    for block in function.blocks:
        for instr in block.instrs:
            uses.update(instr.args)
        uses.update(operands(block.terminator))
    return uses


def _defined(function: Function) -> dict[int, Instr]:
    return {i.id: i for i in function.instructions() if not isinstance(i.type, Void)}


# ---------------------------------------------------------------- loops


def _clear_headers(function: Function) -> Function:
    """Leave in a loop's header only what its condition needs.

    What both the loop's body and the code after it use is computed in each of the two, so that the
    condition comes first; it is computed no more often than before.
    """
    for block in function.blocks:
        if block.loop is not None:
            function = _clear_header(function, block.label)
    return function


def _clear_header(function: Function, label: int) -> Function:
    blocks = {block.label: block for block in function.blocks}
    header = blocks[label]
    assert header.loop is not None
    merge, end = header.loop.merge, header.terminator
    if not isinstance(end, CondBranch) or merge not in (end.then.target, end.otherwise.target):
        return function
    body = end.otherwise.target if end.then.target == merge else end.then.target
    moved = _not_for_condition(function, header)
    if not any(instr.op not in _FREE for instr in moved):
        return function
    if not all(_enters_only_from(function, target, header) for target in (body, merge)):
        return function
    return _moved(function, header, moved, body, merge)


def _enters_only_from(function: Function, target: int, header: Block) -> bool:
    ways = [
        block.label
        for block in function.blocks
        for edge in successors(block.terminator)
        if edge.target == target
    ]
    return ways == [header.label]


def _not_for_condition(function: Function, header: Block) -> list[Instr]:
    """The pure instructions of a header that its terminator can do without."""
    types = value_types(function)
    needed = set(operands(header.terminator))
    found: list[Instr] = []
    for instr in reversed(header.instrs):
        void = isinstance(instr.type, Void)
        pure = not void and effect(instr, types) is Effect.PURE
        if pure and instr.op != "local" and instr.id not in needed:
            found.insert(0, instr)
        else:
            needed.update(instr.args)
    return found


def _moved(
    function: Function, header: Block, moved: list[Instr], body: int, merge: int
) -> Function:
    """The function with instructions moved from a header to the start of both its ways."""
    dominance = Dominance(function)
    free = max(value_types(function), default=0) + 1
    other = {instr.id: free + at for at, instr in enumerate(moved)}
    again = tuple(
        replace(i, id=other[i.id], args=tuple(other.get(a, a) for a in i.args)) for i in moved
    )
    blocks: list[Block] = []
    for block in function.blocks:
        if block.label == header.label:
            gone = set(other)
            block = replace(block, instrs=tuple(i for i in block.instrs if i.id not in gone))
        elif block.label == body:
            block = replace(block, instrs=(*moved, *block.instrs))
        elif block.label not in dominance.unreachable and dominance.dominates(merge, block.label):
            block = _with_other_values(block, other)
            if block.label == merge:
                block = replace(block, instrs=(*again, *block.instrs))
        blocks.append(block)
    named = {other[v]: name for v, name in function.names.items() if v in other}
    return replace(function, blocks=tuple(blocks), names={**function.names, **named})


def _with_other_values(block: Block, other: dict[int, int]) -> Block:
    end = block.terminator
    return replace(
        block,
        instrs=tuple(replace(i, args=tuple(other.get(a, a) for a in i.args)) for i in block.instrs),
        terminator=with_operands(end, tuple(other.get(v, v) for v in operands(end))),
    )
