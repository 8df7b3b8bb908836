"""Entry points: parameters put together from stage inputs, results taken apart into outputs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from luma.frontend import typed
from luma.ir.lower import places
from luma.ir.lower.context import Context
from luma.ir.lower.expressions import constant
from luma.language.evaluate import zero
from luma.language.types import Type, element, element_count
from luma.source import Span


def assemble(
    ctx: Context,
    type: Type,
    prefix: tuple[int, ...],
    inputs: Mapping[tuple[int, ...], int],
    span: Span,
) -> int:
    """The part of the parameters at ``prefix``, from the inputs by their paths.

    What no input reaches is zero: it is there for the type's sake and never read.
    """
    found = inputs.get(prefix)
    if found is not None:
        return found
    if not any(path[: len(prefix)] == prefix for path in inputs):
        return constant(ctx, zero(type), type, span)
    parts = [
        assemble(ctx, element(type, at), (*prefix, at), inputs, span)
        for at in range(element_count(type))
    ]
    return ctx.draft.emit("construct", type, parts, span=span)


def outputs(
    ctx: Context, value: int, type: Type, variables: Sequence[typed.IOVariable], span: Span
) -> tuple[int, ...]:
    """The values of an entry point's outputs, from the value it returns."""
    return tuple(places.extract(ctx, value, type, item.path, (), span) for item in variables)
