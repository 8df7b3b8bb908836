"""Type expressions resolved to types, and structs."""

from __future__ import annotations

from luma.frontend import elsewhere, syntax
from luma.frontend.check import attributes, constants, expressions, facts
from luma.frontend.check.context import Attributes, Context, StructInfo, declared_here
from luma.frontend.check.scope import Body
from luma.frontend.wording import did_you_mean
from luma.language.builtins import FUNCTIONS
from luma.language.stages import Target
from luma.language.types import (
    INT,
    NAMED_TYPES,
    Array,
    Field,
    Struct,
    Type,
    is_opaque,
)


def resolve(ctx: Context, node: syntax.TypeExpression) -> Type | None:
    """The type an expression names, or None after reporting why there is none."""
    match node:
        case syntax.NamedType():
            return _named(ctx, node)
        case syntax.ArrayType():
            return _array(ctx, node)
        case syntax.TupleType():
            return ctx.error(
                "E0419",
                node.span,
                "only an entry point can return a tuple of named values",
                help="declare a struct with these fields",
            )


def value_type(ctx: Context, node: syntax.TypeExpression, where: str) -> Type | None:
    """Like :func:`resolve`, for what holds a value: no resource and no runtime array."""
    found = resolve(ctx, node)
    if found is None:
        return None
    if is_opaque(found):
        return ctx.error(
            "E0325",
            node.span,
            f"{where} cannot be of type {found}: textures and samplers are resources, not values",
            help="declare it as a uniform; a function can take it as a parameter",
        )
    if not is_sized(found):
        return ctx.error(
            "E0326",
            node.span,
            f"{where} cannot be of type {found}, whose size is known at run time only",
            help="`[]T` can only be a buffer's type or the last field of a buffer's struct",
        )
    return found


def is_sized(t: Type) -> bool:
    """Whether a type's size is fixed: it is no runtime array and no struct that ends in one.

    Neither can be part of another type, so that nothing further needs to be looked at.
    """
    last = t.fields[-1].type if isinstance(t, Struct) else t
    return not (isinstance(last, Array) and last.size is None)


#: How deep structs and arrays may lie in each other; SPIR-V stops at 255.
NESTING_LIMIT = 100
#: How many fields a struct may have, those of the structs inside it too; SPIR-V stops there at the
#: members of a single one (SPIR-V 1.3, 2.17).  Whoever walks through types relies on it: structs
#: that hold others twice would else double at each level.
PARTS_LIMIT = 16_383


def _nesting(ctx: Context, t: Type) -> int:
    levels = 0
    while isinstance(t, Array):
        levels, t = levels + 1, t.elem
    return levels + (ctx.nesting[t.name] if isinstance(t, Struct) else 0)


def _parts(ctx: Context, t: Type) -> int:
    while isinstance(t, Array):
        t = t.elem
    return ctx.parts[t.name] if isinstance(t, Struct) else 1


def _named(ctx: Context, node: syntax.NamedType) -> Type | None:
    found = NAMED_TYPES.get(node.name)
    if found is not None:
        return found
    decl = ctx.declared.get(node.name)
    if isinstance(decl, syntax.StructDecl):
        info = struct(ctx, decl)
        return None if info is None else info.type
    if decl is not None:
        return ctx.error(
            "E0302",
            node.span,
            f"`{node.name}` is not a type",
            notes=declared_here(node.name, decl.name_span),
        )
    structs = [n for n, d in ctx.declared.items() if isinstance(d, syntax.StructDecl)]
    return ctx.error(
        "E0302",
        node.span,
        f"there is no type `{node.name}`",
        help=elsewhere.TYPES.get(node.name) or did_you_mean(node.name, (*NAMED_TYPES, *structs)),
    )


def _array(ctx: Context, node: syntax.ArrayType) -> Type | None:
    elem = resolve(ctx, node.elem)
    size = None if node.size is None else array_size(ctx, node.size)
    if elem is None or (node.size is not None and size is None):
        return None
    if is_opaque(elem):
        return ctx.error(
            "E0325",
            node.span,
            f"there are no arrays of {elem}",
            help="declare the textures one by one, or use a sampler2DArray",
        )
    if not is_sized(elem):
        return ctx.error(
            "E0326",
            node.elem.span,
            f"an array's elements cannot be of type {elem}, whose size is known at run time only",
            help="give the inner array a size",
        )
    return Array(elem, size)


def array_size(ctx: Context, node: syntax.Expression) -> int | None:
    """The value of an array's size: a constant int above 0."""
    found = expressions.value(Body(ctx), node, INT)
    if found is None:
        return None
    value = constants.require(ctx, found, "an array's size")
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int) or value <= 0:
        shown = found.type if not isinstance(value, int) else value
        return ctx.error(
            "E0327",
            node.span,
            f"an array's size is a constant int above 0, and this is {shown}",
        )
    return value


# ---------------------------------------------------------------- structs


def struct(ctx: Context, decl: syntax.StructDecl) -> StructInfo | None:
    """The struct of a declaration, resolved once; None if it is in error."""
    if decl.name not in ctx.structs:
        ctx.structs[decl.name] = _resolve_struct(ctx, decl)
    return ctx.structs[decl.name]


def _resolve_struct(ctx: Context, decl: syntax.StructDecl) -> StructInfo | None:
    uses = attributes.check(ctx, decl.attributes, Target.STRUCT)
    fields = field_list(ctx, decl.fields, f"struct `{decl.name}`")
    if not decl.fields:
        ctx.error("E0332", decl.name_span, f"struct `{decl.name}` has no fields")
    if fields is None or not decl.fields:
        return None
    found = tuple(
        Field(d.name, t, facts.stated(ctx, d.name, d.name_span, t, uses)) for d, t, uses in fields
    )
    for member, (inner, _, _) in zip(found[:-1], fields[:-1], strict=True):
        if not is_sized(member.type):
            return ctx.error(
                "E0326",
                inner.type.span,
                f"field `{member.name}` of type {member.type} must be the struct's last",
                help="`[]T` can only be a buffer's type or the last field of a buffer's struct",
            )
    levels = 1 + max(_nesting(ctx, f.type) for f in found)
    if levels > NESTING_LIMIT:
        return ctx.error(
            "E0333",
            decl.name_span,
            f"struct `{decl.name}` nests types {levels} deep; the limit is {NESTING_LIMIT}",
        )
    parts = sum(_parts(ctx, f.type) for f in found)
    if parts > PARTS_LIMIT:
        return ctx.error(
            "E0334",
            decl.name_span,
            f"struct `{decl.name}` has {parts} fields, with those of the structs inside it; "
            f"the limit is {PARTS_LIMIT}",
        )
    ctx.nesting[decl.name], ctx.parts[decl.name] = levels, parts
    type_ = Struct(decl.name, found)
    return StructInfo(decl, type_, "varying" in uses, tuple(u for _, _, u in fields))


def field_list(
    ctx: Context,
    fields: tuple[syntax.FieldDecl, ...],
    owner: str,
    target: Target = Target.FIELD,
) -> list[tuple[syntax.FieldDecl, Type, Attributes]] | None:
    """The fields of a struct or tuple with types and attributes; None if one is in error."""
    found: list[tuple[syntax.FieldDecl, Type, Attributes]] = []
    seen: dict[str, syntax.FieldDecl] = {}
    for decl in fields:
        uses = attributes.check(ctx, decl.attributes, target)
        type_ = resolve(ctx, decl.type)
        earlier = seen.setdefault(decl.name, decl)
        if earlier is not decl:
            ctx.error(
                "E0304",
                decl.name_span,
                f"{owner} has two fields called `{decl.name}`",
                notes=declared_here(decl.name, earlier.name_span),
            )
        elif type_ is not None and is_opaque(type_):
            ctx.error(
                "E0325",
                decl.type.span,
                f"a field cannot be of type {type_}: textures and samplers are not values",
                help="declare it as a uniform of its own",
            )
        elif isinstance(type_, Struct) and not is_sized(type_):
            ctx.error(
                "E0326",
                decl.type.span,
                f"a field cannot be of type {type_}, whose size is known at run time only",
                help=f"`{type_}` can only be a buffer's whole type",
            )
        elif type_ is not None:
            found.append((decl, type_, uses))
    return found if len(found) == len(fields) else None


def is_reserved(name: str) -> bool:
    """Whether a name belongs to the language: a type's or a builtin function's."""
    return name in NAMED_TYPES or name in FUNCTIONS
