"""Number literals: which of them take their type from context, and whether they fit it."""

from __future__ import annotations

import math

from luma.frontend import syntax, typed
from luma.frontend.check.context import Context
from luma.frontend.wording import an
from luma.language import signatures
from luma.language.builtins import OPERATIONS
from luma.language.numbers import INT_MAX, INT_MIN, UINT_MAX, f16, f32
from luma.language.types import FLOAT, HALF, INT, UINT, Kind, Matrix, Scalar, Type, Vector
from luma.source import Span

_BITS = frozenset({"&", "|", "~", "<<", ">>"})
_ARITHMETIC = frozenset({"+", "-", "*", "/", "%"}) | _BITS
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
                parts = _reached(node)
                known = bool(parts) and all(is_flexible(ctx, part) for part in parts)
                ctx.flexible[node] = known
            return known
    return False


def _reached(node: syntax.Expression) -> tuple[syntax.Expression, ...]:
    """The parts of an expression that have the type of the whole, or at least its kind."""
    match node:
        case syntax.Unary() if node.operator != "not":
            return (node.operand,)
        case syntax.Binary() if node.operator in _ARITHMETIC:
            return node.left, node.right
        case syntax.Call():
            adapts = _adapting(node.callee)
            if len(adapts) == len(node.arguments):
                return tuple(a for a, adapt in zip(node.arguments, adapts, strict=True) if adapt)
    return ()


def _adapting(callee: str) -> tuple[bool, ...]:
    """Which operands of a builtin have the type of its result, whatever that is.

    All of them, except for the condition of ``select``.
    """
    row = OPERATIONS.get(callee)
    if row is None or not row.callable:
        return ()
    parsed = signatures.parse(row.signature)
    letter = parsed.result.name
    if parsed.result.function is not None or letter not in {"F", "N", "S", "I", "A"}:
        return ()
    if not {p.name for p in parsed.operands} <= {letter, "B"}:
        return ()
    return tuple(p.name == letter for p in parsed.operands)


def has_fraction(node: syntax.Expression) -> bool:
    """Whether some literal that shares an expression's type has a fraction or exponent."""
    if isinstance(node, syntax.Number):
        return node.real
    return any(has_fraction(part) for part in _reached(node))


def kind_without_context(*nodes: syntax.Expression) -> Scalar:
    """The kind of literals that only stand beside each other: an int if some operation on them
    exists for integers only, else a float.
    """
    return INT if any(_needs_integers(node) for node in nodes) else FLOAT


def _needs_integers(node: syntax.Expression) -> bool:
    match node:
        case syntax.Unary(operator="~"):
            return True
        case syntax.Binary() if node.operator in _BITS:
            return True
        case syntax.Call() if node.callee in OPERATIONS:
            signature = OPERATIONS[node.callee].signature
            if signatures.parse(signature).result.name == "I":
                return True
    return any(_needs_integers(part) for part in _reached(node))


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
            f"`{ctx.text(span)}` does not fit in {an(kind)}",
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
            f"`{ctx.text(span)}` has a fraction or exponent, and {an(kind)} is needed here",
            help="write a whole number"
            + (f", or convert: `{kind}({ctx.text(span)})`" if kind == INT or not negative else ""),
        )
    value = -node.value if negative else node.value
    low, high = _RANGES[kind.kind]
    if low <= value <= high:
        return typed.Literal(kind, value, span)
    return ctx.error(
        "E0308",
        span,
        f"`{ctx.text(span)}` does not fit in {an(kind)}",
        help=f"{an(kind)} goes from {low} to {high}{_same_bits(kind, value)}",
    )


def _same_bits(kind: Scalar, value: int) -> str:
    """What to write for the 32 bits of a number that another integer type holds."""
    if kind == UINT and INT_MIN <= value < 0:
        return f"; the uint with the bits of {value} is `0x{value & UINT_MAX:08X}`"
    if kind == INT and 0 <= value <= UINT_MAX:
        return f": a uint could hold it; the int with its bits is `{value - UINT_MAX - 1}`"
    return ""
