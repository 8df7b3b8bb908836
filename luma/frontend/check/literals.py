"""Number literals: which of them take their type from context, and whether they fit it."""

from __future__ import annotations

import math

from luma.frontend import syntax, typed
from luma.frontend.check.context import Context
from luma.language import signatures
from luma.language.builtins import OPERATIONS
from luma.language.numbers import INT_MAX, INT_MIN, UINT_MAX, f16, f32
from luma.language.types import FLOAT, HALF, INT, Kind, Matrix, Scalar, Type, Vector
from luma.source import Span

_ARITHMETIC = frozenset({"+", "-", "*", "/", "%", "&", "|", "~", "<<", ">>"})
_RANGES = {Kind.INT: (INT_MIN, INT_MAX), Kind.UINT: (0, UINT_MAX)}
#: No number type reaches this far; it bounds what is converted to a Python float.
_BEYOND = 1 << 1024


def kind_of(expected: Type | None) -> Scalar | None:
    """The number type that a context of a type gives to literals in it, if any."""
    match expected:
        case Scalar() if expected.kind is not Kind.BOOL:
            return expected
        case Vector(elem=elem) if elem.kind is not Kind.BOOL:
            return elem
        case Matrix():
            return FLOAT
    return None


def is_flexible(ctx: Context, node: syntax.Expression) -> bool:
    """Whether an expression is made of number literals only, so that context gives its type."""
    match node:
        case syntax.Number():
            return True
        case syntax.Unary() | syntax.Binary() | syntax.Call():
            known = ctx.flexible.get(node)
            if known is None:
                known = ctx.flexible[node] = _composite_is_flexible(ctx, node)
            return known
    return False


def _composite_is_flexible(ctx: Context, node: syntax.Unary | syntax.Binary | syntax.Call) -> bool:
    match node:
        case syntax.Unary():
            return node.operator != "not" and is_flexible(ctx, node.operand)
        case syntax.Binary():
            return (
                node.operator in _ARITHMETIC
                and is_flexible(ctx, node.left)
                and is_flexible(ctx, node.right)
            )
        case syntax.Call():
            return _adapts(node.callee) and all(is_flexible(ctx, a) for a in node.arguments)


def _adapts(callee: str) -> bool:
    """Whether a builtin's result has the type of its arguments, whatever that is."""
    row = OPERATIONS.get(callee)
    if row is None or not row.callable:
        return False
    parsed = signatures.parse(row.signature)
    letters = {str(p).rstrip("~") for p in (*parsed.operands, parsed.result)}
    return len(letters) == 1 and letters <= {"F", "N", "S", "I"}


def has_fraction(node: syntax.Expression) -> bool:
    """Whether some literal of an expression is written with a fraction or exponent."""
    match node:
        case syntax.Number():
            return node.real
        case syntax.Unary():
            return has_fraction(node.operand)
        case syntax.Binary():
            return has_fraction(node.left) or has_fraction(node.right)
        case syntax.Call():
            return any(has_fraction(a) for a in node.arguments)
    return False


def number(
    ctx: Context, node: syntax.Number, expected: Type | None, span: Span, negative: bool = False
) -> typed.Literal | None:
    """The literal in the type of its context; ``negative`` if a minus stands before it."""
    kind = kind_of(expected) or FLOAT
    if kind.kind in _RANGES:
        return _integer(ctx, node, kind, span, negative)
    value = _rounded(-node.value if negative else node.value, kind)
    if math.isinf(value):
        limit = "65504.0" if kind == HALF else "3.4028234663852886e38"
        return ctx.error(
            "E0308",
            span,
            f"`{ctx.text(span)}` does not fit in a {kind}",
            help=f"the largest {kind} is {limit}",
        )
    return typed.Literal(kind, -0.0 if negative and value == 0 else value, span)


def _rounded(value: int | float, kind: Scalar) -> float:
    if isinstance(value, int) and abs(value) >= _BEYOND:
        return math.inf
    return (f16 if kind == HALF else f32)(float(value))


def _integer(
    ctx: Context, node: syntax.Number, kind: Scalar, span: Span, negative: bool
) -> typed.Literal | None:
    if node.real or isinstance(node.value, float):
        return ctx.error(
            "E0309",
            span,
            f"`{ctx.text(span)}` has a fraction or exponent, and {_article(kind)} is needed here",
            help=f"write a whole number, or convert: `{kind}({ctx.text(span)})`",
        )
    value = -node.value if negative else node.value
    low, high = _RANGES[kind.kind]
    if low <= value <= high:
        return typed.Literal(kind, value, span)
    return ctx.error(
        "E0308",
        span,
        f"`{ctx.text(span)}` does not fit in {_article(kind)}",
        help=f"{_article(kind)} goes from {low} to {high}"
        + (": a uint could hold it" if kind == INT and 0 <= value <= UINT_MAX else ""),
    )


def _article(kind: Scalar) -> str:
    return f"an {kind}" if kind == INT else f"a {kind}"
