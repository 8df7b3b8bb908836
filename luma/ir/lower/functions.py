"""Functions: parameters, memory for locals that need it, and the body."""

from __future__ import annotations

from luma.frontend import typed
from luma.ir import module as ir
from luma.ir.lower import entry
from luma.ir.lower.analysis import analyse
from luma.ir.lower.context import Context, Resources
from luma.ir.lower.draft import FunctionDraft
from luma.ir.lower.statements import lower_statements
from luma.language.types import (
    VOID,
    Combined,
    Matrix,
    Pointer,
    Space,
    Struct,
    Type,
    element,
    is_opaque,
)


def lower_function(function: typed.Function, resources: Resources) -> ir.Function:
    """Lower a function that is called by others."""
    ctx = Context(FunctionDraft(function.name), analyse(function), resources)
    values = {local: _parameter(ctx, local) for local in function.parameters}
    _reserve_memory(ctx)
    for local, parts in values.items():
        if is_opaque(local.type):
            ctx.handles[local] = parts
        else:
            _bring_to_life(ctx, local, parts[0])
    results = () if function.result == VOID else (function.result,)
    return _finish(ctx, function, results)


def _parameter(ctx: Context, local: typed.Local) -> tuple[int, ...]:
    """Add the one or two parameters that a parameter of the author's becomes."""
    name, type, span = local.name, local.type, local.span
    if isinstance(type, Combined):
        return (
            ctx.draft.parameter(f"{name}_tex", type.texture, span, combined=name),
            ctx.draft.parameter(f"{name}_samp", type.sampler, span, combined=name),
        )
    return (ctx.draft.parameter(name, type, span, facts=local.facts),)


def lower_entry(point: typed.EntryPoint, resources: Resources) -> ir.Function:
    """Lower the function of an entry point: inputs are its parameters, outputs its results."""
    function = point.function
    ctx = Context(FunctionDraft(function.name), analyse(function), resources, point.outputs)
    inputs = {item.path: _input(ctx, function, item) for item in point.inputs}
    _reserve_memory(ctx)
    for at, local in enumerate(function.parameters):
        value = entry.assemble(ctx, local.type, (at,), inputs, local.span)
        _bring_to_life(ctx, local, value)
    return _finish(ctx, function, tuple(item.type for item in point.outputs))


def _input(ctx: Context, function: typed.Function, item: typed.IOVariable) -> int:
    """Add the parameter for an input, with what is stated of it or of its matrix."""
    whole, *path = item.path
    at, facts = function.parameters[whole].type, function.parameters[whole].facts
    column = None
    for index in path:
        match at:
            case Struct(fields=fields):
                facts = fields[index].facts
            case Matrix():
                column = index
        at = element(at, index)
    if not facts:
        column = None
    name, type, span = item.name, item.type, item.span
    return ctx.draft.parameter(name, type, span, facts=facts, column=column)


def _reserve_memory(ctx: Context) -> None:
    for local in ctx.analysis.in_memory:
        pointer = Pointer(Space.FUNCTION, local.type)
        ctx.memory[local] = ctx.draft.emit("local", pointer, span=local.span)
        ctx.draft.hint(ctx.memory[local], local.name)


def _bring_to_life(ctx: Context, local: typed.Local, value: int) -> None:
    """Give a parameter its first value."""
    if local in ctx.memory:
        ctx.draft.emit("store", VOID, (ctx.memory[local], value), span=local.span)
    else:
        ctx.draft.hint(value, local.name)
        ctx.env.write(local, value)


def _finish(ctx: Context, function: typed.Function, results: tuple[Type, ...]) -> ir.Function:
    lower_statements(ctx, function.body)
    if ctx.draft.is_open:
        ctx.draft.finish(ir.Unreachable() if results else ir.Return())
    return ctx.draft.freeze(results)
