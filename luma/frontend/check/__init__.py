"""The checker: from the syntax tree to the typed tree, with every error it can find.

Declarations are collected first, so that their order does not matter; then the bodies are checked
in order.  What is in error becomes None and silences what depends on it, so that one mistake gives
one message.
"""

from __future__ import annotations

from luma.diagnostics import Reporter
from luma.frontend import syntax, typed
from luma.frontend.check import declarations, flow, interface, io_rules, statements
from luma.frontend.check.context import Context

__all__ = ["check"]


def check(module: syntax.Module, reporter: Reporter) -> typed.Module | None:
    """Check a module; None if it has errors, which are reported."""
    ctx = Context(reporter)
    declarations.collect(ctx, module)
    declarations.resolve_all(ctx)
    entry_points: list[typed.EntryPoint] = []
    for info in ctx.functions.values():
        statements.function(ctx, info)
        if not info.is_entry:
            io_rules.check_plain_attributes(ctx, info)
            continue
        entry = interface.entry_point(ctx, info)
        if entry is not None:
            entry_points.append(entry)
    functions = flow.order(ctx)
    flow.check_stages(ctx)
    flow.find_unused(ctx)
    if reporter.error_count:
        return None
    for code, span, message in ctx.unused:
        reporter.warning(code, span, message, help="delete it, or begin its name with `_`")
    return _module(ctx, functions, tuple(entry_points))


def _module(
    ctx: Context,
    functions: tuple[typed.Function, ...],
    entry_points: tuple[typed.EntryPoint, ...],
) -> typed.Module:
    structs = tuple(s.type for s in ctx.structs.values() if s is not None)
    values = [ctx.values[name] for name in ctx.declared if name in ctx.values]
    return typed.Module(
        (*structs, *ctx.tuples),
        tuple(v for v in values if isinstance(v, typed.Binding)),
        tuple(v for v in values if isinstance(v, typed.Constant)),
        tuple(v for v in values if isinstance(v, typed.SpecConstant)),
        functions,
        entry_points,
    )
