"""The values of constant expressions: typed trees evaluated as a target would."""

from __future__ import annotations

import math
from dataclasses import dataclass

from luma.frontend import typed
from luma.frontend.check.context import Context
from luma.frontend.wording import an
from luma.language.builtins import OPERATIONS, Effect
from luma.language.evaluate import evaluate, evaluate_constant
from luma.language.numbers import INT_MAX, INT_MIN, UINT_MAX
from luma.language.types import (
    FLOAT,
    INT,
    Array,
    Matrix,
    Scalar,
    Struct,
    Type,
    Vector,
    element_count,
    is_float,
    is_integer,
    scalar_of,
)
from luma.source import Span

Value = typed.Value


@dataclass(frozen=True, slots=True)
class NotConstant(Exception):
    """Why an expression has no value at compile time, and the place that is to blame."""

    why: str
    span: Span


def require(ctx: Context, expression: typed.Expression, what: str) -> Value | None:
    """The value of an expression that must be constant; None after reporting that it is not."""
    try:
        return fold(ctx, expression)
    except NotConstant as reason:
        return ctx.error(
            "E0505",
            reason.span,
            f"{what} must be a constant expression, and {reason.why}",
            help="use literals, consts, operators and pure builtin functions",
        )


def known(ctx: Context, expression: typed.Expression) -> Value | None:
    """The value of an expression if it is constant, else None."""
    try:
        return fold(ctx, expression)
    except NotConstant:
        return None


def fold(ctx: Context, expression: typed.Expression) -> Value:
    """The value of a constant expression.  Raises NotConstant."""
    if expression in ctx.folded:
        value = ctx.folded[expression]
    else:
        try:
            value = _fold(ctx, expression)
        except NotConstant as reason:
            value = reason
        ctx.folded[expression] = value
    if isinstance(value, NotConstant):
        raise value
    return value


def _fold(ctx: Context, node: typed.Expression) -> Value:
    match node:
        case typed.Literal():
            return node.value
        case typed.ConstantRef():
            return node.constant.value
        case typed.FieldOf():
            return fold(ctx, node.base)[node.index]
        case typed.ElementOf():
            return _element(ctx, node)
        case typed.SwizzleOf():
            return _swizzle(fold(ctx, node.base), node.components)
        case typed.Operation():
            return _operation(ctx, node)
        case typed.Equality():
            same = _equal(fold(ctx, node.left), fold(ctx, node.right))
            return same != node.negated
        case typed.ShortCircuit():
            left = fold(ctx, node.left)
            return left if left == node.disjunction else fold(ctx, node.right)
        case typed.Splat(type=Vector(size=size)):
            return (fold(ctx, node.value),) * size
        case typed.Convert():
            return _convert(fold(ctx, node.value), node)
        case typed.Construct():
            return _construct(ctx, node)
        case typed.Diagonal(type=Matrix() as shape):
            return _diagonal(shape, fold(ctx, node.value))
        case typed.Resize(type=Matrix() as shape):
            return _resize(shape, fold(ctx, node.value))
    raise NotConstant(_why(node), node.span)


def _why(node: typed.Expression) -> str:
    match node:
        case typed.LocalRef():
            return f"`{node.local.name}` is a variable"
        case typed.BindingRef():
            return f"`{node.binding.name}` is known at run time only"
        case typed.SpecRef():
            return f"`{node.constant.name}` is known when the pipeline is made, not before"
        case typed.CallOf():
            return f"`{node.function.name}` is a function of the source"
    return "this is known at run time only"


def _element(ctx: Context, node: typed.ElementOf) -> Value:
    base, index = fold(ctx, node.base), fold(ctx, node.index)
    if not 0 <= index < len(base):
        raise NotConstant("the index is out of range", node.index.span)
    return base[index]


def _swizzle(value: Value, components: tuple[int, ...]) -> Value:
    picked = tuple(value[c] for c in components)
    return picked if len(picked) > 1 else picked[0]


def _operation(ctx: Context, node: typed.Operation) -> Value:
    row = OPERATIONS[node.operation]
    if row.effect not in (Effect.PURE, Effect.PARTIAL) or row.eval is None:
        raise NotConstant(f"`{node.operation}` works at run time only", node.span)
    values = [fold(ctx, a) for a in node.arguments]
    types = tuple(a.type for a in node.arguments)
    if isinstance(node.type, Matrix) and node.operation == "div":
        return _divide_matrix(node, values)
    try:
        return evaluate_constant(node.operation, node.type, types, tuple(values))
    except (ValueError, ArithmeticError) as reason:
        raise NotConstant(f"it has no value ({reason})", node.span) from None
    except KeyError:
        raise NotConstant(f"`{node.operation}` works at run time only", node.span) from None


def _divide_matrix(node: typed.Operation, values: list[Value]) -> Value:
    def divide(component: float) -> Value:
        return evaluate("div", FLOAT, (FLOAT, FLOAT), (component, values[1]))

    return tuple(tuple(divide(x) for x in column) for column in values[0])


def _equal(a: Value, b: Value) -> bool:
    if isinstance(a, tuple):
        return all(_equal(x, y) for x, y in zip(a, b, strict=True))
    return bool(a == b)


def _convert(value: Value, node: typed.Convert) -> Value:
    components = value if isinstance(value, tuple) else (value,)
    if is_float(node.value.type) and is_integer(node.type):
        low, high = (INT_MIN, INT_MAX) if scalar_of(node.type) == INT else (0, UINT_MAX)
        for x in components:
            if not math.isfinite(x) or not low <= math.trunc(x) <= high:
                raise NotConstant(f"{x} does not fit in {an(scalar_of(node.type))}", node.span)
    return evaluate("convert", node.type, (node.value.type,), (value,))


def _construct(ctx: Context, node: typed.Construct) -> Value:
    parts = [fold(ctx, a) for a in node.arguments]
    if isinstance(node.type, Vector):
        return tuple(x for p in parts for x in (p if isinstance(p, tuple) else (p,)))
    if node.order is not None:
        placed = dict(zip(node.order, parts, strict=True))
        return tuple(placed[i] for i in range(len(parts)))
    return tuple(parts)


def _diagonal(shape: Matrix, value: float) -> Value:
    return tuple(
        tuple(value if row == col else 0.0 for row in range(shape.rows))
        for col in range(shape.cols)
    )


def _resize(shape: Matrix, value: Value) -> Value:
    def cell(col: int, row: int) -> float:
        if col < len(value) and row < len(value[0]):
            return float(value[col][row])
        return 1.0 if col == row else 0.0

    return tuple(tuple(cell(c, r) for r in range(shape.rows)) for c in range(shape.cols))


# ---------------------------------------------------------------- questions about values


def is_finite(value: Value) -> bool:
    """Whether no number in a value is an infinity or NaN."""
    if isinstance(value, tuple):
        return all(is_finite(x) for x in value)
    return not isinstance(value, float) or math.isfinite(value)


def has_zero(value: Value) -> bool:
    """Whether some component of a scalar or vector value is 0."""
    if isinstance(value, tuple):
        return any(has_zero(x) for x in value)
    return bool(value == 0)


def is_static(expression: typed.Expression) -> bool:
    """Whether a value is known when the pipeline is made: from constants and spec constants."""
    match expression:
        case typed.Literal() | typed.ConstantRef() | typed.SpecRef():
            return True
        case typed.Operation():
            pure = OPERATIONS[expression.operation].effect in (Effect.PURE, Effect.PARTIAL)
            return pure and all(is_static(a) for a in expression.arguments)
        case typed.Convert() | typed.Splat():
            return is_static(expression.value)
        case typed.SwizzleOf() | typed.FieldOf():
            return is_static(expression.base)
        case typed.ElementOf():
            return is_static(expression.base) and is_static(expression.index)
        case typed.Construct():
            return all(is_static(a) for a in expression.arguments)
        case typed.Equality() | typed.ShortCircuit():
            return is_static(expression.left) and is_static(expression.right)
    return False


def may_be_const(t: Type) -> bool:
    """Whether a ``const`` can be of a type: scalars, vectors, matrices and arrays of them."""
    if isinstance(t, Array):
        return t.size is not None and may_be_const(t.elem)
    return isinstance(t, Scalar | Vector | Matrix)


def size_of(t: Type) -> int | None:
    """How many elements an index may choose from, or None if that is known at run time only."""
    if isinstance(t, Array) and t.size is None:
        return None
    assert not isinstance(t, Struct)
    return element_count(t)
