"""Constructors of scalars, vectors, matrices, structs and arrays."""

from __future__ import annotations

from luma.frontend import syntax, typed
from luma.frontend.check import advice, expressions, literals, typenames
from luma.frontend.check.context import Context, declared_here
from luma.frontend.check.scope import Body
from luma.frontend.wording import an, are, counted, listed
from luma.language.types import (
    BOOL,
    FLOAT,
    HALF,
    INT,
    UINT,
    Array,
    Matrix,
    Scalar,
    Struct,
    Type,
    Vector,
    scalar_of,
    width,
    with_scalar,
)
from luma.source import Span


def construct(body: Body, node: syntax.Call, wanted: Type) -> typed.Expression | None:
    """Check ``type(arguments)`` for a type of the language."""
    if not isinstance(wanted, Scalar | Vector | Matrix):
        return body.ctx.error(
            "E0313",
            node.callee_span,
            f"{an(wanted)} cannot be made: textures and samplers come from outside",
            help=f"declare it: `uniform name: {wanted}`",
        )
    found = [_component(body, a, scalar_of(wanted)) for a in node.arguments]
    arguments = [a for a in found if a is not None]
    if len(arguments) < len(found):
        return None
    for argument in arguments:
        if not isinstance(argument.type, Scalar | Vector | Matrix):
            return body.ctx.error(
                "E0313",
                argument.span,
                f"`{wanted}(...)` is made of scalars and vectors, not of {an(argument.type)}",
            )
    match wanted:
        case Scalar():
            return _scalar(body.ctx, node, wanted, arguments)
        case Vector():
            return _vector(body.ctx, node, wanted, arguments)
        case Matrix():
            return _matrix(body.ctx, node, wanted, arguments)


def _component(body: Body, node: syntax.Expression, kind: Scalar) -> typed.Expression | None:
    """An argument; literals in it are of the constructor's kind if they can be."""
    fraction = literals.has_fraction(node)
    if kind in (INT, UINT) and fraction:
        kind = FLOAT  # as in int(2.5): the conversion is written out
    elif kind == BOOL:
        kind = FLOAT if fraction else INT
    elif kind in (FLOAT, HALF) and literals.is_flexible(body.ctx, node):
        whole = literals.kind_without_context(node) == INT and not fraction
        kind = INT if whole else kind  # as in float(1 << 4)
    return expressions.value(body, node, kind)


def convert(value: typed.Expression, kind: Scalar) -> typed.Expression:
    """A scalar or vector with its components converted to a kind, if they are not of it."""
    if scalar_of(value.type) == kind:
        return value
    return typed.Convert(value, with_scalar(value.type, kind), value.span)


def _scalar(
    ctx: Context, node: syntax.Call, wanted: Scalar, arguments: list[typed.Expression]
) -> typed.Expression | None:
    if len(arguments) != 1:
        return ctx.error(
            "E0312", node.span, f"`{wanted}(...)` takes one value, and {len(arguments)} are given"
        )
    if not isinstance(arguments[0].type, Scalar):
        return ctx.error(
            "E0313",
            arguments[0].span,
            f"`{wanted}(...)` takes a scalar, and this is {arguments[0].type}",
            help=advice.conversion_help(ctx, arguments[0], wanted),
        )
    return convert(arguments[0], wanted)


def _vector(
    ctx: Context, node: syntax.Call, wanted: Vector, arguments: list[typed.Expression]
) -> typed.Expression | None:
    for argument in arguments:
        if isinstance(argument.type, Matrix):
            return ctx.error(
                "E0313",
                argument.span,
                f"`{wanted}(...)` is made of scalars and vectors, not of {an(argument.type)}",
                help="take its columns: `m[0]`",
            )
    pieces = [convert(a, wanted.elem) for a in arguments]
    if len(pieces) == 1 and isinstance(pieces[0].type, Scalar):
        return typed.Splat(pieces[0], wanted, node.span)
    if len(pieces) == 1 and pieces[0].type == wanted:
        return pieces[0]
    count = sum(width(p.type) for p in pieces)
    if count == wanted.size:
        return typed.Construct(tuple(pieces), wanted, node.span)
    return ctx.error(
        "E0312",
        node.span,
        f"`{wanted}(...)` has {wanted.size} components, and {count} {are(count)} given",
        help=_components_help(ctx, node, wanted, arguments, count),
    )


def _components_help(
    ctx: Context,
    node: syntax.Call,
    wanted: Vector,
    arguments: list[typed.Expression],
    count: int,
) -> str | None:
    if count > wanted.size:
        return advice.conversion_help(ctx, arguments[0], wanted) if len(arguments) == 1 else None
    if not arguments:
        return f"write `{wanted}(0)`, say"
    given = ctx.text(arguments[0].span.to(arguments[-1].span))
    return f"{advice.missing_components(count, wanted.size)}: write `{wanted}({given}, ...)`"


def _matrix(
    ctx: Context, node: syntax.Call, wanted: Matrix, arguments: list[typed.Expression]
) -> typed.Expression | None:
    types = [a.type for a in arguments]
    if len(arguments) == 1 and isinstance(types[0], Matrix):
        if types[0] == wanted:
            return arguments[0]
        return typed.Resize(arguments[0], wanted, node.span)
    if len(arguments) == 1 and isinstance(types[0], Scalar):
        return typed.Diagonal(convert(arguments[0], FLOAT), wanted, node.span)
    parts = [a if isinstance(a.type, Matrix) else convert(a, FLOAT) for a in arguments]
    if len(parts) == wanted.cols and all(p.type == wanted.column for p in parts):
        return typed.Construct(tuple(parts), wanted, node.span)
    if len(parts) == wanted.cols * wanted.rows and all(p.type == FLOAT for p in parts):
        columns = (
            _column(parts[c * wanted.rows : (c + 1) * wanted.rows], wanted)
            for c in range(wanted.cols)
        )
        return typed.Construct(tuple(columns), wanted, node.span)
    return ctx.error(
        "E0312",
        node.span,
        f"`{wanted}(...)` cannot be made of {listed((str(t) for t in types), 'and') or 'nothing'}",
        help=f"it takes one scalar for the diagonal, {wanted.cols} columns of type "
        f"{wanted.column}, {wanted.cols * wanted.rows} scalars, or another matrix",
    )


def _column(scalars: list[typed.Expression], wanted: Matrix) -> typed.Expression:
    span = scalars[0].span.to(scalars[-1].span)
    return typed.Construct(tuple(scalars), wanted.column, span)


# ---------------------------------------------------------------- structs


def struct_literal(
    body: Body, node: syntax.StructLiteral, expected: Type | None
) -> typed.Expression | None:
    """Check ``Name { field = value, ... }``, or one without a name by its context."""
    struct = _literal_type(body, node, expected)
    if struct is None:
        for item in node.fields:  # report what is wrong inside it all the same
            expressions.in_unknown_context(body, item.value)
        return None
    order: list[int] = []
    values: list[typed.Expression] = []
    failed = False
    seen: dict[str, Span] = {}
    for item in node.fields:
        index = _field_index(body.ctx, struct, item, seen)
        wanted = None if index is None else struct.fields[index].type
        what = f"field `{item.name}` of {body.ctx.named(struct)}"
        if wanted is None:
            expressions.in_unknown_context(body, item.value)
            found = None
        else:
            found = expressions.require(body, item.value, wanted, what)
        if index is None or found is None:
            failed = True
        else:
            order.append(index)
            values.append(found)
    missing = [f.name for f in struct.fields if f.name not in seen]
    if missing and all(struct.index(i.name) is not None for i in node.fields):
        return _missing(body.ctx, node, struct, missing)
    if failed:
        return None
    in_order = order == list(range(len(order)))
    return typed.Construct(tuple(values), struct, node.span, None if in_order else tuple(order))


def _literal_type(body: Body, node: syntax.StructLiteral, expected: Type | None) -> Struct | None:
    ctx = body.ctx
    if node.name is not None:
        head = Span(node.span.start, node.span.start + len(node.name))
        found = typenames.resolve(ctx, syntax.NamedType(node.name, head))
        if found is None or isinstance(found, Struct):
            return found
        return ctx.error(
            "E0313",
            head,
            f"`{node.name}` is not a struct",
            help=f"write `{node.name}(...)`",
        )
    if isinstance(expected, Struct):
        return expected
    return ctx.error(
        "E0320",
        node.span,
        "the type of this struct literal cannot be told from its context"
        if expected is None
        else f"{an(expected)} is needed here, and this is a struct literal",
        help="name its type: `Name { ... }`" if expected is None else None,
    )


def _field_index(
    ctx: Context, struct: Struct, item: syntax.FieldValue, seen: dict[str, Span]
) -> int | None:
    index = struct.index(item.name)
    if index is None:
        return expressions.no_such_field(ctx, struct, item.name, item.name_span)
    if item.name in seen:
        return ctx.error(
            "E0319",
            item.name_span,
            f"field `{item.name}` is given twice",
            notes=[("first given here", seen[item.name])],
        )
    seen[item.name] = item.name_span
    return index


def _missing(
    ctx: Context, node: syntax.StructLiteral, struct: Struct, missing: list[str]
) -> typed.Expression | None:
    decl = ctx.declared.get(struct.name)
    names = listed((f"`{n}`" for n in missing), "and")
    return ctx.error(
        "E0318",
        node.span,
        f"{'field' if len(missing) == 1 else 'fields'} {names} of {ctx.named(struct)} "
        f"{are(len(missing))} missing",
        notes=declared_here(struct.name, decl.name_span) if decl else (),
        help="a struct literal gives every field a value",
    )


# ---------------------------------------------------------------- arrays


def array_literal(body: Body, node: syntax.ArrayLiteral) -> typed.Expression | None:
    """Check ``[N]T { values }``."""
    ctx = body.ctx
    wanted = typenames.value_type(ctx, node.type, "an array literal")
    if not isinstance(wanted, Array) or wanted.size is None:
        return None
    found = [
        expressions.require(body, v, wanted.elem, f"an element of {wanted}") for v in node.values
    ]
    if len(found) != wanted.size:
        return ctx.error(
            "E0321",
            node.span,
            f"{an(wanted)} has {counted(wanted.size, 'element')}, "
            f"and {len(found)} {are(len(found))} given",
        )
    values = [v for v in found if v is not None]
    if len(values) < len(found):
        return None
    return typed.Construct(tuple(values), wanted, node.span)
