"""Builtin functions of textures and of places in memory."""

from __future__ import annotations

from luma.frontend import syntax, typed
from luma.frontend.check import advice, calls, expressions
from luma.frontend.check.context import Context, declared_here
from luma.frontend.check.scope import Body
from luma.frontend.wording import an
from luma.language import signatures
from luma.language.builtins import Operation
from luma.language.signatures import Pattern, Signature
from luma.language.types import (
    INT,
    UINT,
    Array,
    Combined,
    Sampler,
    Space,
    Texture,
    Type,
    Vector,
)

# ---------------------------------------------------------------- textures


def texture_call(
    body: Body, node: syntax.Call, row: Operation, parsed: Signature
) -> typed.Expression | None:
    """Check a function of a texture; a combined sampler stands for itself and its sampler."""
    ctx = body.ctx
    if not node.arguments:
        calls.wrong_count(ctx, node, len(parsed.operands))
        return None
    first = expressions.check(body, node.arguments[0])
    if first is None:
        return None
    texture = _texture(ctx, node, parsed.operands[0], first)
    if texture is None:
        return None
    combined = isinstance(first.type, Combined)
    rest = [p for p in parsed.operands[1:] if not (combined and p.name in ("s", "c"))]
    if len(node.arguments) != len(rest) + 1:
        calls.wrong_count(ctx, node, len(rest) + 1, _count_help(node, first.type, rest))
        return None
    found = [
        _texture_argument(body, node, at, pattern, parsed.operands[0], texture, first.type)
        for at, pattern in enumerate(rest, start=1)
    ]
    arguments = [a for a in found if a is not None]
    result = _type_of(parsed.result, parsed.operands[0], texture)
    if len(arguments) < len(rest) or result is None:
        return None
    return typed.Operation(row.name, (first, *arguments), result, node.span)


def _texture(
    ctx: Context, node: syntax.Call, pattern: Pattern, first: typed.Expression
) -> Texture | None:
    found = first.type.texture if isinstance(first.type, Combined) else first.type
    if not isinstance(found, Texture):
        return ctx.error(
            "E0311",
            first.span,
            f"argument 1 of `{node.callee}` must be a texture or a combined sampler, and this is "
            f"{first.type}",
        )
    if pattern.name == "T" and found.depth:
        return ctx.error(
            "E0311",
            first.span,
            f"`{node.callee}` gives colours, and {an(first.type)} holds depths to compare with",
            help="use `sample_compare`",
        )
    if pattern.name == "D" and not found.depth:
        return ctx.error(
            "E0311",
            first.span,
            f"`{node.callee}` compares depths, and {an(first.type)} holds colours",
            help="declare it as a sampler2DShadow or textureDepth2D",
        )
    return found


def _count_help(node: syntax.Call, texture: Type, rest: list[Pattern]) -> str | None:
    names = {"s": "sampler", "c": "samplerShadow", "coord": "coordinates", "texel": "coordinates",
             "grad": "gradient", "float": "number", "int": "level"}  # fmt: skip
    listed = ", ".join(names.get(p.name, p.name) for p in rest)
    return f"with {an(texture)} write `{node.callee}(texture, {listed})`"


def _type_of(pattern: Pattern, letter: Pattern, texture: Texture) -> Type | None:
    """The type that a pattern stands for beside a texture."""
    match pattern.name:
        case "s":
            return Sampler()
        case "c":
            return Sampler(True)
    match = signatures.resolve(f"{letter.name} -> {pattern}", (texture,))
    return None if match is None else match.result


def _texture_argument(
    body: Body,
    node: syntax.Call,
    at: int,
    pattern: Pattern,
    letter: Pattern,
    texture: Texture,
    given: Type,
) -> typed.Expression | None:
    wanted = _type_of(pattern, letter, texture)
    if wanted is None:
        return body.ctx.error(
            "E0311",
            node.arguments[0].span,
            f"`{node.callee}` cannot read {an(given)}",
            help="a cube map is sampled by direction: use `sample_level`",
        )
    argument = node.arguments[at]
    if isinstance(wanted, Sampler):
        found = expressions.check(body, argument)
    else:
        found = expressions.value(body, argument, wanted)
    if found is None or found.type == wanted:
        return found
    return body.ctx.error(
        "E0311",
        argument.span,
        f"argument {at + 1} of `{node.callee}` must be of type {wanted} with {an(given)}, "
        f"and this is {found.type}",
        notes=advice.default_notes(body.ctx, found, wanted),
        help=advice.conversion_help(body.ctx, found, wanted),
    )


# ---------------------------------------------------------------- places


def place_call(
    body: Body, node: syntax.Call, row: Operation, parsed: Signature
) -> typed.Expression | None:
    """Check an atomic operation or ``array_length``: its first argument is a place in memory."""
    ctx = body.ctx
    if len(node.arguments) != len(parsed.operands):
        calls.wrong_count(ctx, node, len(parsed.operands))
        return None
    place = expressions.check(body, node.arguments[0], reading=False)
    if row.name == "array_length":
        return place and _array_length(ctx, node, place)
    wanted = place.type if place is not None and place.type in (INT, UINT) else None
    found = [expressions.value(body, a, wanted or INT) for a in node.arguments[1:]]
    if place is None or not _is_atomic_place(ctx, node, place):
        return None
    for argument in found:
        if argument is not None and argument.type != wanted:
            return ctx.error(
                "E0311",
                argument.span,
                f"`{node.callee}` on a place of type {wanted} takes {wanted}, and this is "
                f"{argument.type}",
                notes=advice.default_notes(ctx, argument, place.type),
                help=advice.conversion_help(ctx, argument, place.type),
            )
    values = [a for a in found if a is not None]
    if len(values) < len(found):
        return None
    return typed.Operation(row.name, (place, *values), place.type, node.span)


def _array_length(
    ctx: Context, node: syntax.Call, place: typed.Expression
) -> typed.Expression | None:
    size: int | None = None
    if isinstance(place.type, Array):
        size = place.type.size
        if size is None:
            return typed.Operation("array_length", (place,), INT, node.span)
    return ctx.error(
        "E0331",
        place.span,
        f"`array_length` takes the runtime array of a buffer, and this is {place.type}",
        help=None if size is None else f"its length is {size}",
    )


def _is_atomic_place(ctx: Context, node: syntax.Call, place: typed.Expression) -> bool:
    root = place
    while isinstance(root, typed.FieldOf | typed.ElementOf):
        if isinstance(root.base.type, Vector):
            break
        root = root.base
    if not isinstance(root, typed.BindingRef) or root.binding.space not in (
        Space.STORAGE,
        Space.WORKGROUP,
    ):
        ctx.error(
            "E0331",
            place.span,
            f"`{node.callee}` needs a place in a buffer or in shared memory",
            help="a component of a vector is not one; declare an int or uint of its own"
            if isinstance(root, typed.ElementOf | typed.SwizzleOf)
            else None,
        )
        return False
    if root.binding.access is not typed.Access.READ_WRITE:
        ctx.error(
            "E0323",
            place.span,
            f"`{node.callee}` reads and writes, and `{root.binding.name}` cannot do both",
            notes=declared_here(root.binding.name, root.binding.span),
            help="declare it as `buffer storage`",
        )
        return False
    if place.type not in (INT, UINT):
        ctx.error(
            "E0331",
            place.span,
            f"`{node.callee}` works on an int or uint, and this is {place.type}",
        )
        return False
    return True
