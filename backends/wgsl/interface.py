"""Stage inputs and texture operations in the shape that WGSL gives them."""

from __future__ import annotations

from dataclasses import replace

from luma.ir.effects import value_types
from luma.ir.module import (
    Block,
    EntryPoint,
    Function,
    FunctionParam,
    Instr,
    IOVariable,
    Module,
    Return,
    operands,
)
from luma.ir.shape import next_id
from luma.language.stages import Stage
from luma.language.types import FLOAT, INT, UINT, Dim, Texture, Type, Vector, scalar_of, width

from ..raising.builder import Builder
from ..text.raising import forward_parts

#: WGSL's names of the builtin values (WGSL specification, 13.3.1.1).
BUILTINS = {
    "vertex_id": "vertex_index",
    "instance_id": "instance_index",
    "position": "position",
    "frag_coord": "position",
    "front_facing": "front_facing",
    "sample_id": "sample_index",
    "frag_depth": "frag_depth",
    "global_invocation_id": "global_invocation_id",
    "local_invocation_id": "local_invocation_id",
    "workgroup_id": "workgroup_id",
    "num_workgroups": "num_workgroups",
    "local_invocation_index": "local_invocation_index",
}

#: Builtin values that are ints in Luma and u32 in WGSL.
_UNSIGNED = frozenset({"vertex_id", "instance_id", "sample_id"})


def raise_interface(module: Module) -> Module:
    """Inputs that WGSL has as u32 become so, and are converted where the function begins.

    Colours get four components: a device refuses fewer than the attachment has, not more.
    """
    entries: list[EntryPoint] = []
    functions = {function.name: function for function in module.functions}
    for entry in module.entry_points:
        if entry.stage is Stage.FRAGMENT and any(_narrow(v) for v in entry.outputs):
            functions[entry.function] = _widen_colors(functions[entry.function], entry)
            outputs = tuple(
                replace(v, type=Vector(scalar_of(v.type), 4)) if _narrow(v) else v
                for v in entry.outputs
            )
            entry = replace(entry, outputs=outputs)
        if any(v.builtin in _UNSIGNED for v in entry.inputs):
            functions[entry.function] = _convert_inputs(functions[entry.function], entry)
            inputs = tuple(_unsigned(v) for v in entry.inputs)
            entry = replace(entry, inputs=inputs)
        entries.append(entry)
    return replace(module, functions=tuple(functions.values()), entry_points=tuple(entries))


def _unsigned(variable: IOVariable) -> IOVariable:
    return replace(variable, type=UINT) if variable.builtin in _UNSIGNED else variable


def _convert_inputs(function: Function, entry: EntryPoint) -> Function:
    free = next_id(function)
    params: list[FunctionParam] = []
    converted: list[Instr] = []
    names = dict(function.names)
    for param, variable in zip(function.params, entry.inputs, strict=True):
        if variable.builtin in _UNSIGNED:
            converted.append(Instr(param.id, "convert", param.type, (free,)))
            if _uses(function, param.id) == 1:
                names.pop(param.id, None)  # the conversion is written where it is used
            name = BUILTINS[variable.builtin or ""]
            param = FunctionParam(free, name, UINT)
            free += 1
        params.append(param)
    first = function.blocks[0]
    first = replace(first, instrs=(*converted, *first.instrs))
    blocks = (first, *function.blocks[1:])
    return replace(function, params=tuple(params), blocks=blocks, names=names)


def _narrow(variable: IOVariable) -> bool:
    """Whether an output is a colour of fewer than four components."""
    return variable.builtin is None and width(variable.type) < 4


def _widen_colors(function: Function, entry: EntryPoint) -> Function:
    function = forward_parts(function)
    b = Builder(value_types(function), next_id(function))
    made = {i.id: i.args for i in function.instructions() if i.op == "construct"}
    results = tuple(Vector(scalar_of(v.type), 4) if _narrow(v) else v.type for v in entry.outputs)
    blocks: list[Block] = []
    for block in function.blocks:
        if isinstance(block.terminator, Return):
            b.instrs = [*block.instrs]
            wide = tuple(
                _widened(b, made.get(value, (value,)), v.type) if _narrow(v) else value
                for value, v in zip(block.terminator.values, entry.outputs, strict=True)
            )
            block = replace(block, instrs=tuple(b.instrs), terminator=Return(wide))
        blocks.append(block)
    return replace(function, results=results, blocks=tuple(blocks))


def _widened(b: Builder, parts: tuple[int, ...], t: Type) -> int:
    """The colour, made of some parts, with what it lacks: 0, and 1 for the last component."""
    elem = scalar_of(t)
    more = [b.constant(0, elem) for _ in range(3 - width(t))] + [b.constant(1, elem)]
    return b.construct(Vector(elem, 4), [*parts, *more])


def _uses(function: Function, value: int) -> int:
    count = 0
    for block in function.blocks:
        count += operands(block.terminator).count(value)
        count += sum(instr.args.count(value) for instr in block.instrs)
    return count


# ---------------------------------------------------------------- textures


def split_layers(module: Module) -> Module:
    """Array textures get the layer, rounded to the nearest, as an argument of its own."""
    return replace(module, functions=tuple(map(_split_function, module.functions)))


def _split_function(function: Function) -> Function:
    builder = Builder(value_types(function), next_id(function))
    blocks = tuple(_split_block(block, builder) for block in function.blocks)
    return function if blocks == function.blocks else replace(function, blocks=blocks)


def _split_block(block: Block, b: Builder) -> Block:
    b.instrs = []
    for instr in block.instrs:
        t = b.types[instr.args[0]] if instr.args else None
        sampled = instr.op.startswith("sample") or instr.op == "texel_fetch"
        if sampled and isinstance(t, Texture) and t.dim is Dim.D2_ARRAY:
            at = 1 if instr.op == "texel_fetch" else 2
            coord = instr.args[at]
            elem = scalar_of(b.types[coord])
            layer = b.part(coord, 2)
            if elem == FLOAT:
                layer = b.convert(b.each("round", layer), INT)
            flat = b.add("shuffle", Vector(elem, 2), [coord], (0, 1))
            args = (*instr.args[:at], flat, layer, *instr.args[at + 1 :])
            instr = replace(instr, args=args)
        b.append(instr)
    return replace(block, instrs=tuple(b.instrs))


def fragment_functions(module: Module) -> frozenset[str]:
    """The functions that fragment entry points reach."""
    return _reached(module, lambda stage: stage is Stage.FRAGMENT)


def _reached(module: Module, wanted: object) -> frozenset[str]:
    reached = {e.function for e in module.entry_points if wanted(e.stage)}  # type: ignore[operator]
    for function in reversed(module.functions):
        if function.name in reached:
            reached |= {str(i.imm[0]) for i in function.instructions() if i.op == "call"}
    return frozenset(reached)


def separate_stages(module: Module) -> Module:
    """A function that compares depths is made twice where fragment and other stages share it:
    only fragment stages have derivatives to choose the level by."""
    inside = fragment_functions(module)
    outside = _reached(module, lambda stage: stage is not Stage.FRAGMENT)
    shared = _comparing(module) & inside & outside
    if not shared:
        return module
    taken = {function.name for function in module.functions}
    twins = {name: _free(f"{name}_level", taken) for name in sorted(shared)}
    functions: list[Function] = []
    for function in module.functions:
        if function.name in shared:
            functions.append(function)
            functions.append(replace(_calling(function, twins), name=twins[function.name]))
        else:
            functions.append(function if function.name in inside else _calling(function, twins))
    return replace(module, functions=tuple(functions))


def _comparing(module: Module) -> set[str]:
    """The functions that compare depths, themselves or by what they call."""
    found: set[str] = set()
    for function in module.functions:  # callees come first
        for instr in function.instructions():
            calls = instr.op == "call" and str(instr.imm[0]) in found
            if calls or instr.op == "sample_compare":
                found.add(function.name)
    return found


def _calling(function: Function, twins: dict[str, str]) -> Function:
    """The function with its calls going to the twins."""
    blocks = tuple(
        replace(
            block,
            instrs=tuple(
                replace(i, imm=(twins.get(str(i.imm[0]), i.imm[0]),)) if i.op == "call" else i
                for i in block.instrs
            ),
        )
        for block in function.blocks
    )
    return replace(function, blocks=blocks)


def _free(wanted: str, taken: set[str]) -> str:
    name, number = wanted, 0
    while name in taken:
        number += 1
        name = f"{wanted}_{number}"
    taken.add(name)
    return name
