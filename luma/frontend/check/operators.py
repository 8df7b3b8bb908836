"""Operators: which operands they take, and the operation each stands for."""

from __future__ import annotations

from luma.frontend import syntax, typed
from luma.frontend.check import advice, constants, expressions, literals
from luma.frontend.check.context import Context
from luma.frontend.check.scope import Body
from luma.frontend.wording import an
from luma.language.types import (
    BOOL,
    FLOAT,
    INT,
    UINT,
    Array,
    Matrix,
    Scalar,
    Struct,
    Type,
    Vector,
    is_bool,
    is_float,
    is_integer,
    is_numeric,
    scalar_of,
    width,
    with_scalar,
)
from luma.source import Span

ARITHMETIC = {"+": "add", "-": "sub", "*": "mul", "/": "div", "%": "rem"}
BITS = {"&": "bit_and", "|": "bit_or", "~": "bit_xor", "<<": "shl", ">>": "shr"}
COMPARISONS = {"<": "lt", "<=": "le", ">": "gt", ">=": "ge"}
_COMPONENT_WISE = {
    "<": "less_than",
    "<=": "less_equal",
    ">": "greater_than",
    ">=": "greater_equal",
}


def binary(body: Body, node: syntax.Binary, expected: Type | None) -> typed.Expression | None:
    """Check ``left operator right``."""
    if node.operator in ("and", "or"):
        return _logic(body, node)
    left, right = _operands(body, node, expected)
    if left is None or right is None:
        return None
    if node.operator in ("==", "!="):
        return _equality(body.ctx, node, left, right)
    if node.operator in COMPARISONS:
        return _comparison(body.ctx, node, left, right)
    found = arithmetic(body.ctx, node.operator, left, right, node.span)
    if found is not None and literals.is_flexible(body.ctx, node):
        return check_literals(body.ctx, found)
    return found


def _logic(body: Body, node: syntax.Binary) -> typed.Expression | None:
    sides = []
    for side in (node.left, node.right):
        found = expressions.value(body, side)
        if found is not None and found.type != BOOL:
            body.ctx.error(
                "E0307",
                side.span,
                f"`{node.operator}` takes bools, and this is {found.type}",
                help=truth_help(body.ctx, found),
            )
            found = None
        sides.append(found)
    left, right = sides
    if left is None or right is None:
        return None
    return typed.ShortCircuit(left, right, node.operator == "or", BOOL, node.span)


def truth_help(ctx: Context, found: typed.Expression) -> str | None:
    """The help that makes one bool of a value."""
    if isinstance(found, typed.Literal):
        return advice.literal_help(found, BOOL)
    if is_bool(found.type):
        return "use `any(...)` or `all(...)` to make one bool of a vector"
    if isinstance(found.type, Scalar):
        return f"write `{ctx.text(found.span)} != 0`"
    return None


def _operands(
    body: Body, node: syntax.Binary, expected: Type | None
) -> tuple[typed.Expression | None, typed.Expression | None]:
    """Both operands; literals in one take their type from the other, else from the context."""
    ctx = body.ctx
    context: Type | None = None
    if node.operator in ARITHMETIC:
        context = expected
    elif node.operator in BITS:
        kind = literals.kind_of(expected)
        context = kind if kind in (INT, UINT) else INT
    left_adapts = literals.is_flexible(ctx, node.left)
    right_adapts = literals.is_flexible(ctx, node.right)
    if left_adapts and not right_adapts:
        right = expressions.value(body, node.right, context)
        return _adapted(body, node.left, right, context), right
    if left_adapts and right_adapts and literals.kind_of(context) is None:
        context = literals.kind_without_context(node.left, node.right)
    left = expressions.value(body, node.left, context)
    if right_adapts and not left_adapts:
        return left, _adapted(body, node.right, left, context)
    return left, expressions.value(body, node.right, context)


def _adapted(
    body: Body, node: syntax.Expression, other: typed.Expression | None, context: Type | None
) -> typed.Expression | None:
    """A literal operand in the type of the other one."""
    if other is None:
        return None
    kind = literals.kind_of(other.type)
    if kind in (INT, UINT) and literals.has_fraction(node):
        text = body.ctx.text(other.span)
        return body.ctx.error(
            "E0309",
            node.span,
            f"`{body.ctx.text(node.span)}` has a fraction or exponent, and the other side is "
            f"{other.type}",
            help=f"there are no implicit conversions; write "
            f"`{with_scalar(other.type, FLOAT)}({text})`",
        )
    return expressions.value(body, node, kind or context)


def check_literals(ctx: Context, found: typed.Expression) -> typed.Expression | None:
    """An operation on literals, unless its value is an infinity or not a number."""
    value = constants.known(ctx, found)
    if value is None or constants.is_finite(value):
        return found
    return ctx.error(
        "E0507",
        found.span,
        f"`{ctx.text(found.span)}` overflows {an(scalar_of(found.type))} or has no value",
    )


# ---------------------------------------------------------------- comparison


def _equality(
    ctx: Context, node: syntax.Binary, left: typed.Expression, right: typed.Expression
) -> typed.Expression | None:
    if isinstance(left.type, Struct | Array) or isinstance(right.type, Struct | Array):
        which = left if isinstance(left.type, Struct | Array) else right
        return ctx.error(
            "E0307",
            node.span,
            f"`{node.operator}` does not compare values of type {which.type}",
            help="compare their parts",
        )
    if left.type != right.type:
        return _mismatch(ctx, node.operator, left, right, node.span)
    return typed.Equality(left, right, node.operator == "!=", BOOL, node.span)


def _comparison(
    ctx: Context, node: syntax.Binary, left: typed.Expression, right: typed.Expression
) -> typed.Expression | None:
    for side in (left, right):
        if isinstance(side.type, Vector):
            name = _COMPONENT_WISE[node.operator]
            return ctx.error(
                "E0307",
                node.span,
                f"`{node.operator}` compares scalars, and this is {side.type}",
                help=f"`{name}(a, b)` compares by component; then `any` or `all`",
            )
        if not isinstance(side.type, Scalar) or side.type == BOOL:
            return ctx.error(
                "E0307",
                node.span,
                f"`{node.operator}` compares numbers, and this is {side.type}",
                help="comparisons do not chain: write `a < b and b < c`"
                if side.type == BOOL
                else None,
            )
    if left.type != right.type:
        return _mismatch(ctx, node.operator, left, right, node.span)
    return typed.Operation(COMPARISONS[node.operator], (left, right), BOOL, node.span)


def _mismatch(
    ctx: Context, operator: str, left: typed.Expression, right: typed.Expression, span: Span
) -> typed.Expression | None:
    return ctx.error(
        "E0307",
        span,
        f"`{operator}` cannot take {left.type} and {right.type}",
        notes=advice.default_notes(ctx, left, right.type)
        or advice.default_notes(ctx, right, left.type),
        help=_bool_help(ctx, operator, left, right) or _mismatch_help(ctx, left, right),
    )


def _bool_help(
    ctx: Context, operator: str, left: typed.Expression, right: typed.Expression
) -> str | None:
    """The help for a bool that is compared with 0 or 1."""
    for value, number in ((left, right), (right, left)):
        if value.type == BOOL and isinstance(number, typed.Literal):
            text = ctx.text(value.span)
            holds = bool(number.value) == (operator == "==")
            short = f"just `{text}`" if holds else f"`not {advice.postfix(text)}`"
            return f"write `{text} {operator} {advice.truth(number)}`, or {short}"
    return None


def _mismatch_help(ctx: Context, left: typed.Expression, right: typed.Expression) -> str | None:
    if not (is_numeric(left.type) and is_numeric(right.type)):
        return None
    for value, other in ((left, right), (right, left)):
        if advice.default_notes(ctx, value, other.type):
            return advice.conversion_help(ctx, value, other.type)
    if scalar_of(left.type) == scalar_of(right.type):
        return None  # sizes differ: which of them is wrong cannot be known
    if is_float(left.type) or not is_float(right.type):
        wanted, other = with_scalar(right.type, scalar_of(left.type)), right
    else:
        wanted, other = with_scalar(left.type, scalar_of(right.type)), left
    return f"there are no implicit conversions; write `{wanted}({ctx.text(other.span)})`"


# ---------------------------------------------------------------- arithmetic


def arithmetic(
    ctx: Context, operator: str, left: typed.Expression, right: typed.Expression, span: Span
) -> typed.Expression | None:
    """The operation of an arithmetic or bit operator on operands whose types are known."""
    if isinstance(left.type, Matrix) or isinstance(right.type, Matrix):
        return _matrix(ctx, operator, left, right, span)
    if not (is_numeric(left.type) and is_numeric(right.type)):
        which = right if is_numeric(left.type) else left
        return ctx.error(
            "E0307",
            span,
            f"`{operator}` takes numbers, and this is {which.type}",
            help="use `and`, `or`, `not` with bools" if which.type == BOOL else None,
        )
    if operator in BITS and not (is_integer(left.type) and is_integer(right.type)):
        which = right if is_integer(left.type) else left
        return ctx.error(
            "E0307",
            span,
            f"`{operator}` takes ints or uints, and this is {which.type}",
            notes=advice.default_notes(ctx, which, INT),
            help=advice.conversion_help(ctx, which, with_scalar(which.type, INT)),
        )
    sides = broadcast(left, right)
    if sides is None:
        return _mismatch(ctx, operator, left, right, span)
    left, right = sides
    name = BITS.get(operator) or ARITHMETIC[operator]
    if operator == "%" and is_float(left.type):
        name = "mod"
    if name in ("div", "rem") and is_integer(left.type) and _divides_by_zero(ctx, right):
        return ctx.error(
            "E0506", right.span, f"`{operator}` by 0: an integer division has no value"
        )
    return typed.Operation(name, (left, right), left.type, span)


def _divides_by_zero(ctx: Context, divisor: typed.Expression) -> bool:
    value = constants.known(ctx, divisor)
    return value is not None and constants.has_zero(value)


def broadcast(
    left: typed.Expression, right: typed.Expression
) -> tuple[typed.Expression, typed.Expression] | None:
    """Both operands in one type, a scalar beside a vector splat; None if they do not agree."""
    if left.type == right.type:
        return left, right
    if scalar_of(left.type) != scalar_of(right.type):
        return None
    if width(left.type) == 1:
        return typed.Splat(left, right.type, left.span), right
    if width(right.type) == 1:
        return left, typed.Splat(right, left.type, right.span)
    return None


def _matrix(
    ctx: Context, operator: str, left: typed.Expression, right: typed.Expression, span: Span
) -> typed.Expression | None:
    match operator, left.type, right.type:
        case "+" | "-", Matrix() as a, Matrix() as b if a == b:
            return typed.Operation(ARITHMETIC[operator], (left, right), a, span)
        case "*", Matrix() as a, Matrix() as b if a.cols == b.rows:
            return typed.Operation("mat_mat", (left, right), Matrix(b.cols, a.rows), span)
        case "*", Matrix() as a, Vector() as v if v == Vector(FLOAT, a.cols):
            return typed.Operation("mat_vec", (left, right), a.column, span)
        case "*", Vector() as v, Matrix() as a if v == a.column:
            return typed.Operation("vec_mat", (left, right), Vector(FLOAT, a.cols), span)
        case "*", Matrix() as a, Scalar() as s if s == FLOAT:
            return typed.Operation("mat_scale", (left, right), a, span)
        case "*", Scalar() as s, Matrix() as a if s == FLOAT:
            return typed.Operation("mat_scale", (right, left), a, span)
        case "/", Matrix() as a, Scalar() as s if s == FLOAT:
            return typed.Operation("div", (left, right), a, span)
    return ctx.error(
        "E0307",
        span,
        f"`{operator}` cannot take {left.type} and {right.type}",
        help=_matrix_help(operator, left.type, right.type),
    )


def _matrix_help(operator: str, left: Type, right: Type) -> str | None:
    match operator, left, right:
        case "*", Matrix() as a, Vector():
            return f"{an(a)} multiplies a vec{a.cols}"
        case "*", Vector(), Matrix() as a:
            return f"a row vector times {an(a)} is a vec{a.rows} times it"
        case "*", Matrix() as a, Matrix():
            return f"the right matrix needs {a.cols} rows, as many as the left has columns"
        case "/", Matrix(), _:
            return "multiply by `inverse(...)` instead"
    return None


# ---------------------------------------------------------------- unary


def unary(body: Body, node: syntax.Unary, expected: Type | None) -> typed.Expression | None:
    """Check ``-x``, ``not x`` or ``~x``."""
    ctx = body.ctx
    if node.operator == "not":
        found = expressions.value(body, node.operand)
        if found is None or found.type == BOOL:
            return found and typed.Operation("not", (found,), BOOL, node.span)
        return ctx.error(
            "E0307",
            node.operand.span,
            f"`not` takes a bool, and this is {found.type}",
            help=truth_help(ctx, found),
        )
    kind = literals.kind_of(expected)
    if node.operator == "~":
        found = expressions.value(body, node.operand, kind if kind in (INT, UINT) else INT)
        return found and _complement(ctx, node, found)
    if isinstance(node.operand, syntax.Number):
        return literals.number(ctx, node.operand, expected, node.span, negative=True)
    found = expressions.value(body, node.operand, expected)
    return found and _negation(ctx, node, found)


def _complement(
    ctx: Context, node: syntax.Unary, found: typed.Expression
) -> typed.Expression | None:
    if is_integer(found.type):
        return typed.Operation("bit_not", (found,), found.type, node.span)
    return ctx.error(
        "E0307",
        node.span,
        f"`~` takes an int or uint, and this is {found.type}",
        help="use `not`" if found.type == BOOL else None,
    )


def _negation(ctx: Context, node: syntax.Unary, found: typed.Expression) -> typed.Expression | None:
    if isinstance(found.type, Matrix) or (is_numeric(found.type) and scalar_of(found.type) != UINT):
        return typed.Operation("neg", (found,), found.type, node.span)
    return ctx.error(
        "E0307",
        node.span,
        f"`-` takes a signed number, and this is {found.type}",
        help=_unsigned_help(ctx, found) if is_numeric(found.type) else None,
    )


def _unsigned_help(ctx: Context, found: typed.Expression) -> str:
    text = ctx.text(found.span)
    signed = with_scalar(found.type, INT)
    wrapped = f"0 - {advice.postfix(text)}"
    return f"`{wrapped}` wraps around and stays unsigned; `-{signed}({text})` is signed"
