"""Whole blocks, which GLSL has no value of: loaded member by member."""

from __future__ import annotations

from dataclasses import replace

from luma.ir.effects import value_types
from luma.ir.module import Block, Function, Module
from luma.ir.shape import next_id
from luma.language.types import BOOL, Array, Pointer, Struct, Type

from .raising.builder import Builder


def load_members(module: Module) -> Module:
    """The module with every load of a whole block made of loads of its members."""
    return replace(module, functions=tuple(_function(f) for f in module.functions))


def _function(function: Function) -> Function:
    roots = {i.id for i in function.instructions() if i.op == "global"}
    builder = Builder(value_types(function), next_id(function))
    blocks = tuple(_block(block, builder, roots) for block in function.blocks)
    return function if blocks == function.blocks else replace(function, blocks=blocks)


def _block(block: Block, builder: Builder, roots: set[int]) -> Block:
    builder.instrs = []
    for instr in block.instrs:
        source = builder.types[instr.args[0]] if instr.op == "load" else None
        whole = isinstance(source, Pointer) and isinstance(source.pointee, Struct)
        if not (whole and instr.args[0] in roots):
            builder.append(instr)
            continue
        assert isinstance(source, Pointer) and isinstance(source.pointee, Struct)
        members = [
            builder.add(
                "load",
                field.type,
                [builder.add("access", Pointer(source.space, field.type), instr.args, (at,))],
            )
            for at, field in enumerate(source.pointee.fields)
        ]
        builder.append(replace(instr, op="construct", args=tuple(members)))
    return replace(block, instrs=tuple(builder.instrs))


def holds_structs_with_bools(t: Type) -> bool:
    """Whether a struct or an array of structs has a bool in it.

    In memory that is a uint, which glslang 12 converts into an invalid module unless the value is
    a variable's before it is stored or becomes a part of another.
    """
    while isinstance(t, Array):
        t = t.elem
    return isinstance(t, Struct) and any(_has_bool(field.type) for field in t.fields)


def _has_bool(t: Type) -> bool:
    while isinstance(t, Array):
        t = t.elem
    if isinstance(t, Struct):
        return any(_has_bool(field.type) for field in t.fields)
    return t == BOOL or getattr(t, "elem", None) == BOOL
