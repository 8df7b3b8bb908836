"""What text says more simply than the IR: parts of aggregates that were just put together.

A struct that is constructed only to be taken apart again (a stage's inputs and outputs, above all)
never appears in the text; its parts are used directly.
"""

from __future__ import annotations

from dataclasses import replace

from luma.ir.module import Block, Function, Instr, operands, with_operands
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

    def block(self, block: Block) -> Block:
        instrs: list[Instr] = []
        for instr in block.instrs:
            new = replace(instr, args=tuple(self._same.get(a, a) for a in instr.args))
            if new.op == "extract" and None not in new.imm:
                source, path = self._part(new)
                if not path:
                    self._same[instr.id] = source
                    continue
                new = replace(new, args=(source,), imm=path)
            if not isinstance(instr.type, Void):
                self._instrs[instr.id] = new
            instrs.append(new)
        end = block.terminator
        end = with_operands(end, tuple(self._same.get(v, v) for v in operands(end)))
        return replace(block, instrs=tuple(instrs), terminator=end)

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


def _is_taken_apart(t: Type) -> bool:
    return isinstance(t, Struct | Matrix | Array)
