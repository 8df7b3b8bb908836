"""What the IR has no operation for: matrices built, resized, divided and compared by columns."""

from __future__ import annotations

from luma.ir.lower.context import Context
from luma.language.types import BOOL, FLOAT, Matrix, Vector
from luma.source import Span


def _column(ctx: Context, value: int, type: Matrix, at: int, span: Span) -> int:
    return ctx.draft.emit("extract", type.column, (value,), (at,), span=span)


def diagonal(ctx: Context, value: int, type: Matrix, span: Span) -> int:
    """The matrix with ``value`` on the diagonal and 0 elsewhere."""
    zero = ctx.draft.const(0.0, FLOAT, span)
    columns = []
    for col in range(type.cols):
        parts = [value if row == col else zero for row in range(type.rows)]
        columns.append(ctx.draft.emit("construct", type.column, parts, span=span))
    return ctx.draft.emit("construct", type, columns, span=span)


def resize(ctx: Context, value: int, old: Matrix, new: Matrix, span: Span) -> int:
    """The upper left part of a matrix, filled up from the identity."""
    if old == new:
        return value
    columns = []
    for col in range(new.cols):
        if col < old.cols:
            columns.append(_resized_column(ctx, value, old, new, col, span))
        else:
            parts = [_identity(ctx, col, row, span) for row in range(new.rows)]
            columns.append(ctx.draft.emit("construct", new.column, parts, span=span))
    return ctx.draft.emit("construct", new, columns, span=span)


def _identity(ctx: Context, col: int, row: int, span: Span) -> int:
    return ctx.draft.const(1.0 if row == col else 0.0, FLOAT, span)


def _resized_column(
    ctx: Context, value: int, old: Matrix, new: Matrix, col: int, span: Span
) -> int:
    column = _column(ctx, value, old, col, span)
    if new.rows < old.rows:
        kept = tuple(range(new.rows))
        return ctx.draft.emit("shuffle", new.column, (column,), kept, span=span)
    if new.rows == old.rows:
        return column
    rest = [_identity(ctx, col, row, span) for row in range(old.rows, new.rows)]
    return ctx.draft.emit("construct", new.column, (column, *rest), span=span)


def divide(ctx: Context, value: int, divisor: int, type: Matrix, span: Span) -> int:
    """A matrix divided by a float."""
    spread = ctx.draft.emit("splat", type.column, (divisor,), span=span)
    columns = [
        ctx.draft.emit(
            "div", type.column, (_column(ctx, value, type, col, span), spread), span=span
        )
        for col in range(type.cols)
    ]
    return ctx.draft.emit("construct", type, columns, span=span)


def equal(ctx: Context, left: int, right: int, type: Matrix, negated: bool, span: Span) -> int:
    """Whether all components are equal; if ``negated``, whether some differ."""
    op, within, between = ("ne", "any", "or") if negated else ("eq", "all", "and")
    result: int | None = None
    for col in range(type.cols):
        pair = (_column(ctx, left, type, col, span), _column(ctx, right, type, col, span))
        each = ctx.draft.emit(op, Vector(BOOL, type.rows), pair, span=span)
        one = ctx.draft.emit(within, BOOL, (each,), span=span)
        if result is None:
            result = one
        else:
            result = ctx.draft.emit(between, BOOL, (result, one), span=span)
    assert result is not None
    return result
