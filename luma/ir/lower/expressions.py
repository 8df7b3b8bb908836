"""Expressions of the typed tree as values, their effects in order from left to right."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from luma.frontend import typed
from luma.ir.lower import matrices, places, totality
from luma.ir.lower.chains import Chain, chain_of
from luma.ir.lower.context import Context, MemoryPlace, Place, VariablePlace
from luma.ir.lower.draft import Draft
from luma.language.builtins import ALIASES, OPERATIONS
from luma.language.numbers import f32_bits
from luma.language.types import (
    BOOL,
    Combined,
    Matrix,
    Pointer,
    Scalar,
    Struct,
    Type,
    Vector,
    element,
    is_opaque,
    walk_path,
    with_scalar,
)
from luma.source import Span


def evaluate(ctx: Context, node: typed.Expression) -> int:
    """Emit what computes an expression and give its value (meaningless if it is void)."""
    match node:
        case typed.Literal(type, value, span):
            return constant(ctx, value, type, span)
        case typed.ConstantRef(item, type, span):
            return _named_constant(ctx, item, item.value, type, span)
        case typed.SpecRef(item, type, span):
            return ctx.draft.shared("spec", type, item.name, span)
        case typed.LocalRef() | typed.BindingRef():
            return _read(ctx, node)
        case typed.FieldOf() | typed.ElementOf() | typed.SwizzleOf():
            return _read(ctx, node)
        case typed.Operation():
            return _operation(ctx, node)
        case typed.Equality():
            return _equality(ctx, node)
        case typed.ShortCircuit():
            return _short_circuit(ctx, node)
        case typed.Splat(value, type, span):
            return ctx.draft.emit("splat", type, (evaluate(ctx, value),), span=span)
        case typed.Convert(value, type, span):
            source = evaluate(ctx, value)
            if value.type == type:
                return source
            return ctx.draft.emit("convert", type, (source,), span=span)
        case typed.Construct():
            return _construct(ctx, node)
        case typed.Diagonal(value, Matrix() as type, span):
            return matrices.diagonal(ctx, evaluate(ctx, value), type, span)
        case typed.Resize(value, Matrix() as type, span):
            source = evaluate(ctx, value)
            assert isinstance(value.type, Matrix)
            return matrices.resize(ctx, source, value.type, type, span)
        case typed.CallOf():
            return _call(ctx, node)
        case typed.Old(span=span):
            assert ctx.old is not None
            return places.load(ctx, ctx.old, span)
    raise TypeError(f"no lowering for {type_name(node)}")


def evaluate_apart(ctx: Context, node: typed.Expression, span: Span) -> int:
    """Like :func:`evaluate`, for what a statement at ``span`` assigns or returns.

    A constant that an earlier statement uses is made again, because a value has one span only.
    """
    match node:
        case typed.Literal(Scalar() as type, value):
            return ctx.draft.const(value, type, span, apart=True)
        case typed.ConstantRef(typed.Constant(value=value), Scalar() as type):
            return ctx.draft.const(value, type, span, apart=True)
        case typed.SpecRef(item, type):
            return ctx.draft.shared("spec", type, item.name, span, apart=True)
    return evaluate(ctx, node)


def type_name(node: object) -> str:
    """The name of a node's class, for internal errors."""
    return type(node).__name__


def evaluate_all(ctx: Context, nodes: Sequence[typed.Expression]) -> list[int]:
    """The values of expressions, evaluated in order."""
    return [evaluate(ctx, node) for node in nodes]


# ---------------------------------------------------------------- constants


def constant(ctx: Context, value: typed.Value, type: Type, span: Span) -> int:
    """A constant of any value type."""
    if isinstance(type, Scalar):
        return ctx.draft.const(value, type, span)
    parts = [constant(ctx, part, element(type, at), span) for at, part in enumerate(value)]
    if isinstance(type, Vector) and len({_identity(part) for part in value}) == 1:
        return ctx.draft.emit("splat", type, parts[:1], span=span)
    return ctx.draft.emit("construct", type, parts, span=span)


def _named_constant(
    ctx: Context, item: typed.Constant, value: typed.Value, type: Type, span: Span
) -> int:
    """The value of a ``const``, or of a part of it; a composite keeps the author's name."""
    made = constant(ctx, value, type, span)
    if not isinstance(type, Scalar):
        ctx.draft.suggest(made, item.name)
    return made


def _identity(value: bool | int | float) -> int:
    """A number that tells -0.0 from 0.0."""
    return f32_bits(value) if isinstance(value, float) else int(value)


# ---------------------------------------------------------------- parts and places


def place(ctx: Context, node: typed.Expression) -> Place:
    """Find the place that an expression names, evaluating its indices."""
    chain = chain_of(node)
    root = places.root_pointer(ctx, chain.root)
    if root is None:
        assert isinstance(chain.root, typed.LocalRef) and not chain.indices
        path = tuple(index or 0 for index in chain.path)
        local = chain.root.local
        return VariablePlace(local, path, chain.components, walk_path(local.type, path))
    return _memory_place(ctx, chain, root, node.span)


def _memory_place(ctx: Context, chain: Chain, root: tuple[int, Pointer], span: Span) -> MemoryPlace:
    path, components, indices = _resolve(ctx, chain, span)
    return MemoryPlace(*root, path, tuple(indices), components)


def _resolve(
    ctx: Context, chain: Chain, span: Span
) -> tuple[places.Path, tuple[int, ...] | None, list[int]]:
    """The path, components and values of the indices of a chain."""
    indices = evaluate_all(ctx, chain.indices)
    if not chain.picked:
        return chain.path, chain.components, indices
    assert chain.components is not None
    indices[-1] = places.pick(ctx, chain.components, indices[-1], span)
    return (*chain.path, None), None, indices


def _read(ctx: Context, node: typed.Expression) -> int:
    """The value of a variable, of memory, or of a part of any value."""
    if is_opaque(node.type):
        return handles(ctx, node)[0]
    chain = chain_of(node)
    root = places.root_pointer(ctx, chain.root)
    if root is not None:
        return places.load(ctx, _memory_place(ctx, chain, root, node.span), node.span)
    value, type, known = _root_value(ctx, chain)
    path, components, indices = _resolve(ctx, chain, node.span)
    part = places.extract(ctx, value, type, path[known:], indices, node.span)
    if components is None:
        return part
    return places.swizzle(ctx, part, components, walk_path(type, path[known:]), node.span)


def _root_value(ctx: Context, chain: Chain) -> tuple[int, Type, int]:
    """The value of a chain's root, its type, and how many steps of the path are taken already.

    Of a constant, only the part at the constant start of the path is made.
    """
    match chain.root:
        case typed.LocalRef(local):
            return ctx.env.read(local), local.type, 0
        case typed.ConstantRef(item, type, span):
            value, known = item.value, 0
            for index in chain.path:
                if index is None:
                    break
                value, type, known = value[index], element(type, index), known + 1
            return _named_constant(ctx, item, value, type, span), type, known
    return evaluate(ctx, chain.root), chain.root.type, 0


def handles(ctx: Context, node: typed.Expression) -> tuple[int, ...]:
    """The value of a texture or sampler, or the two of a combined sampler."""
    match node:
        case typed.LocalRef(local):
            return ctx.handles[local]
        case typed.BindingRef(binding, span=span):
            return tuple(
                ctx.draft.shared("global", item.type, item.name, span)
                for item in ctx.resources[binding]
            )
    raise TypeError(f"{type_name(node)} is no resource")


# ---------------------------------------------------------------- operations


def _operation(ctx: Context, node: typed.Operation) -> int:
    name, span = node.operation, node.span
    alias = ALIASES.get(name)
    if alias is not None:
        args = evaluate_all(ctx, node.arguments)
        type = BOOL if alias.operation == "any" else _truth(node.arguments[0].type)
        value = ctx.draft.emit(alias.operation, type, args, span=span)
        return ctx.draft.emit("not", type, (value,), span=span) if alias.negated else value
    args = _arguments(ctx, node)
    if name == "div" and isinstance(node.type, Matrix):
        return matrices.divide(ctx, args[0], args[1], node.type, span)
    return ctx.draft.emit(name, node.type, args, span=span)


def _truth(type: Type) -> Type:
    return with_scalar(type, BOOL)


def _arguments(ctx: Context, node: typed.Operation) -> list[int]:
    """The operands of an operation: a place becomes its pointer, a combined sampler its halves."""
    signature = [p.strip() for p in OPERATIONS[node.operation].signature.split("->")[0].split(",")]
    if node.operation == "mat_scale":
        return _scale_operands(ctx, *node.arguments)
    if signature[0] == "place":
        target = place(ctx, node.arguments[0])
        assert isinstance(target, MemoryPlace)
        values = evaluate_all(ctx, node.arguments[1:])
        return [places.pointer(ctx, target, node.span), *values]
    args: list[int] = []
    for argument in node.arguments:
        if isinstance(argument.type, Combined):
            samples = signature[1:2] in (["s"], ["c"])
            args.extend(handles(ctx, argument)[: 2 if samples else 1])
        else:
            args.append(evaluate(ctx, argument))
    return args


def _scale_operands(ctx: Context, matrix: typed.Expression, scalar: typed.Expression) -> list[int]:
    """The operands of a matrix scaled, in the order in which the author wrote them."""
    if scalar.span.start < matrix.span.start:
        factor = evaluate(ctx, scalar)
        return [evaluate(ctx, matrix), factor]
    return evaluate_all(ctx, (matrix, scalar))


def _equality(ctx: Context, node: typed.Equality) -> int:
    left, right = evaluate(ctx, node.left), evaluate(ctx, node.right)
    return equal(ctx, left, right, node.left.type, node.negated, node.span)


def equal(ctx: Context, left: int, right: int, type: Type, negated: bool, span: Span) -> int:
    """One bool: whether all components of two values are equal (or, negated, some differ)."""
    if isinstance(type, Matrix):
        return matrices.equal(ctx, left, right, type, negated, span)
    op, together = ("ne", "any") if negated else ("eq", "all")
    each = ctx.draft.emit(op, _truth(type), (left, right), span=span)
    if isinstance(type, Scalar):
        return each
    return ctx.draft.emit(together, BOOL, (each,), span=span)


def _short_circuit(ctx: Context, node: typed.ShortCircuit) -> int:
    left = evaluate(ctx, node.left)
    return combine(
        ctx,
        left,
        lambda: evaluate(ctx, node.right),
        eager=totality.is_total(node.right),
        disjunction=node.disjunction,
        span=node.span,
    )


def combine(
    ctx: Context,
    left: int,
    right: Callable[[], int],
    *,
    eager: bool,
    disjunction: bool,
    span: Span,
) -> int:
    """``left and right`` (or ``or``); unless ``eager``, right is evaluated only when needed."""
    draft = ctx.draft
    if eager:
        return draft.emit("or" if disjunction else "and", BOOL, (left, right()), span=span)
    decided = draft.const(disjunction, BOOL, span)
    more, merge = Draft(), Draft()
    ways = (merge, more) if disjunction else (more, merge)
    draft.fork(left, *ways, merge)
    draft.start(more)
    value = right()
    draft.jump(merge)
    draft.start(merge)
    return draft.phi(merge, BOOL, (decided, value), span).id


def _construct(ctx: Context, node: typed.Construct) -> int:
    args = evaluate_all(ctx, node.arguments)
    if isinstance(node.type, Vector) and len(args) == 1:
        return args[0]
    if node.order is not None:
        assert isinstance(node.type, Struct)
        by_field = dict(zip(node.order, args, strict=True))
        args = [by_field[at] for at in range(len(node.type.fields))]
    return ctx.draft.emit("construct", node.type, args, span=node.span)


def _call(ctx: Context, node: typed.CallOf) -> int:
    args: list[int] = []
    for argument in node.arguments:
        if is_opaque(argument.type):
            args.extend(handles(ctx, argument))
        else:
            args.append(evaluate(ctx, argument))
    return ctx.draft.emit("call", node.type, args, (node.function.name,), span=node.span)
