"""Vectors put together of two others, as constructors: WGSL assigns to no swizzle.

``v.zx = a`` is a shuffle of v and a in the IR, and ``v = vec3<f32>(a.y, v.y, a.x)`` in WGSL.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import groupby

from luma.ir.effects import value_types
from luma.ir.module import Block, Function, Instr, Module
from luma.ir.shape import next_id
from luma.language.types import Scalar, width

from ..raising.builder import Builder


def spread_swizzles(module: Module) -> Module:
    """The module without shuffles of two vectors."""
    return replace(module, functions=tuple(_Spreader(f).run() for f in module.functions))


class _Spreader:
    def __init__(self, function: Function) -> None:
        self.function = function
        self.builder = Builder(value_types(function), next_id(function))
        self.made = {i.id: i for i in function.instructions() if i.op == "construct"}

    def run(self) -> Function:
        blocks = tuple(map(self._block, self.function.blocks))
        return replace(self.function, blocks=blocks)

    def _block(self, block: Block) -> Block:
        self.builder.instrs = []
        for instr in block.instrs:
            two = instr.op == "shuffle" and len(instr.args) == 2
            self.builder.append(self._constructor(instr) if two else instr)
        return replace(block, instrs=tuple(self.builder.instrs))

    def _constructor(self, instr: Instr) -> Instr:
        types = self.builder.types
        first, second = instr.args
        split = width(types[first])
        indices = [int(i or 0) for i in instr.imm]
        places = [(first, i) if i < split else (second, i - split) for i in indices]
        parts: list[int] = []
        for source, run in groupby(places, key=lambda place: place[0]):
            picked = [index for _, index in run]
            parts += self._parts(source, picked)
        return replace(instr, op="construct", args=tuple(parts), imm=())

    def _parts(self, source: int, picked: list[int]) -> list[int]:
        """Components of a vector; the scalars that it was just made of, where they are known."""
        types = self.builder.types
        made = self.made.get(source)
        if made is not None and all(isinstance(types[part], Scalar) for part in made.args):
            return [made.args[index] for index in picked]
        if picked == list(range(width(types[source]))):
            return [source]
        return [self.builder.part(source, index) for index in picked]
