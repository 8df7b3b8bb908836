"""What text says more simply than the IR: parts of aggregates that were just put together.

A struct that is constructed only to be taken apart again (a stage's inputs and outputs, above all)
never appears in the text; its parts are used directly.
"""

from __future__ import annotations

from dataclasses import replace

from luma.ir.module import Block, Function, Instr, operands, successors, with_operands
from luma.language.types import Array, Matrix, Struct, Type, Void


def forward_parts(function: Function) -> Function:
    """The function with every part of a constructed aggregate replaced by what it was made of."""
    finder = _Finder(function)
    blocks = tuple(finder.block(block) for block in function.blocks)
    return replace(function, blocks=blocks)


class _Finder:
    def __init__(self, function: Function) -> None:
        self._instrs = {i.id: i for i in function.instructions() if not isinstance(i.type, Void)}
        self._same: dict[int, int] = {}  # a value to the one that it is
        self._only_pred = _only_predecessors(function)
        self._newer: dict[int, dict[int, int]] = {}  # by block: a value to its changed copy

    def block(self, block: Block) -> Block:
        instrs: list[Instr] = []
        newer = dict(self._newer.get(self._only_pred.get(block.label, -1), {}))
        self._newer[block.label] = newer
        for instr in _sunk(block.instrs):
            new = replace(instr, args=tuple(self._same.get(a, a) for a in instr.args))
            if new.op == "extract" and None not in new.imm:
                source, path = self._part(new)
                if not path:
                    self._same[instr.id] = source
                    continue
                new = replace(new, args=(self._newest(source, path, newer),), imm=path)
            if not isinstance(instr.type, Void):
                self._instrs[instr.id] = new
            if new.op == "insert":
                newer[new.args[0]] = new.id
            instrs.append(new)
        end = block.terminator
        end = with_operands(end, tuple(self._same.get(v, v) for v in operands(end)))
        return replace(block, instrs=tuple(instrs), terminator=end)

    def _newest(self, value: int, path: tuple[int, ...], newer: dict[int, int]) -> int:
        """The latest changed copy that still has a value's part: what the author reads from."""
        while value in newer:
            written = self._instrs[newer[value]].imm
            shared = min(len(written), len(path))
            if None in written or written[:shared] == path[:shared]:
                break
            value = newer[value]
        return value

    def _part(self, instr: Instr) -> tuple[int, tuple[int, ...]]:
        """The nearest value, and the path inside it, that an extract can be taken from."""
        value, path = instr.args[0], tuple(int(i) for i in instr.imm if i is not None)
        latest = None  # of a value that was only changed, the changed one is what is in use
        while path:
            source = self._instrs.get(value)
            if source is None:
                break
            if source.op == "construct" and _is_taken_apart(source.type):
                value, path = source.args[path[0]], path[1:]
            elif source.op == "insert" and None not in source.imm:
                written = source.imm
                if path[: len(written)] == written:
                    value, path = source.args[1], path[len(written) :]
                elif written[: len(path)] == path:
                    break  # the part itself is made of old and new
                else:
                    latest = latest or (value, path)
                    value = source.args[0]
            else:
                break
        return latest if latest is not None and path else (value, path)


def _sunk(instrs: tuple[Instr, ...]) -> list[Instr]:
    """The instructions, each extract right before the first that uses it.

    That is where its text will be, so that is where the latest copy of its source counts.
    """
    out: list[Instr] = []
    held: dict[int, Instr] = {}

    def put(instr: Instr) -> None:
        for value in instr.args:
            needed = held.pop(value, None)
            if needed is not None:
                put(needed)
        out.append(instr)

    for instr in instrs:
        if instr.op == "extract" and None not in instr.imm:
            held[instr.id] = instr
        else:
            put(instr)
    while held:
        put(held.pop(next(iter(held))))
    return out


def _only_predecessors(function: Function) -> dict[int, int]:
    """The one block that goes to each block that only one goes to."""
    found: dict[int, list[int]] = {}
    for block in function.blocks:
        for edge in successors(block.terminator):
            found.setdefault(edge.target, []).append(block.label)
    return {label: before[0] for label, before in found.items() if len(before) == 1}


def _is_taken_apart(t: Type) -> bool:
    return isinstance(t, Struct | Matrix | Array)
