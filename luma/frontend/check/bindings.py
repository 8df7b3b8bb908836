"""Uniforms, buffers and shared variables: their types, groups and bindings."""

from __future__ import annotations

from collections.abc import Sequence

from luma.frontend import syntax, typed
from luma.frontend.check import attributes, facts, typenames
from luma.frontend.check.context import Attributes, Context, declared_here
from luma.frontend.sugar import BindingCounter
from luma.frontend.wording import an
from luma.language.layout import Rules, layout
from luma.language.stages import Target
from luma.language.types import NAMED_TYPES, Combined, Space, Type, is_opaque
from luma.source import Span

_ACCESS = {
    "readonly": typed.Access.READ,
    "writeonly": typed.Access.WRITE,
    "storage": typed.Access.READ_WRITE,
    None: typed.Access.READ_WRITE,
}

#: What every Vulkan device has room for, in bytes.
PUSH_CONSTANT_LIMIT = 128


def assign(ctx: Context, decls: Sequence[syntax.BindingDecl]) -> None:
    """Resolve all bindings in order and give them their slots."""
    counter = BindingCounter()
    slots: dict[tuple[int, int], syntax.BindingDecl] = {}
    pushed: syntax.BindingDecl | None = None
    for decl in decls:
        uses = _attributes(ctx, decl)
        _reject_initialiser(ctx, decl)
        type_ = typenames.resolve(ctx, decl.type)
        space = _space(decl, uses)
        if type_ is not None and not _type_fits(ctx, decl, type_, space):
            type_ = None
        if space is Space.PUSH_CONSTANT:
            pushed = _check_push_constant(ctx, decl, type_, pushed)
        place: tuple[int, int] | None = None
        if space not in (Space.WORKGROUP, Space.PUSH_CONSTANT):
            place = _place(ctx, decl, uses, type_, counter, slots)
        if type_ is not None:
            ctx.values[decl.name] = _binding(ctx, decl, type_, space, place, uses)
        else:
            ctx.values[decl.name] = None


def _attributes(ctx: Context, decl: syntax.BindingDecl) -> Attributes:
    uses = attributes.check(ctx, decl.attributes, Target.BINDING)
    what = ""
    if decl.keyword == "shared":
        what = "shared memory has no binding: it is made for each workgroup"
    elif "push_constant" in uses:
        what = "push constants have no group and no binding"
    if decl.keyword != "uniform" and "push_constant" in uses:
        ctx.error(
            "E0422",
            uses["push_constant"].span,
            f"`@push_constant` cannot stand on {an(decl.keyword)}",
            help="push constants are read only: declare a uniform",
        )
    if what:
        for use in uses.values():
            if use.name in ("group", "binding"):
                ctx.error("E0402", use.span, f"`@{use.name}` cannot stand here: {what}")
    return uses


def _reject_initialiser(ctx: Context, decl: syntax.BindingDecl) -> None:
    if decl.value is None:
        return
    ctx.error(
        "E0423",
        decl.value.span,
        f"`{decl.name}` cannot have an initial value",
        help="shared memory starts undefined; assign to it, then wait with workgroup_barrier()"
        if decl.keyword == "shared"
        else "the application fills it",
    )


def _space(decl: syntax.BindingDecl, uses: Attributes) -> Space:
    match decl.keyword:
        case "buffer":
            return Space.STORAGE
        case "shared":
            return Space.WORKGROUP
    return Space.PUSH_CONSTANT if "push_constant" in uses else Space.UNIFORM


def _type_fits(ctx: Context, decl: syntax.BindingDecl, t: Type, space: Space) -> bool:
    if is_opaque(t):
        if space is Space.UNIFORM:
            return True
        what = "push constants" if space is Space.PUSH_CONSTANT else an(decl.keyword)
        ctx.error(
            "E0421",
            decl.type.span,
            f"{what} cannot be of type {t}",
            help=f"textures and samplers are uniforms: `uniform {decl.name}: {t}`",
        )
        return False
    if not typenames.is_sized(t) and space is not Space.STORAGE:
        ctx.error(
            "E0326",
            decl.type.span,
            f"only a buffer can be of type {t}, whose size is known at run time only",
            help=f"declare it as `buffer readonly {decl.name}: {t}`",
        )
        return False
    return True


def _check_push_constant(
    ctx: Context, decl: syntax.BindingDecl, t: Type | None, earlier: syntax.BindingDecl | None
) -> syntax.BindingDecl:
    if earlier is not None:
        ctx.error(
            "E0422",
            decl.name_span,
            "a module has one block of push constants",
            notes=declared_here(earlier.name, earlier.name_span),
            help="put all of them in one struct",
        )
        return earlier
    if t is not None and not is_opaque(t):
        size = layout(t, Rules.STD430).size
        if size > PUSH_CONSTANT_LIMIT:
            ctx.reporter.warning(
                "W0908",
                decl.name_span,
                f"`{decl.name}` takes {size} bytes of push constants; "
                f"some devices have {PUSH_CONSTANT_LIMIT}",
                help="move what changes rarely to a uniform",
            )
    return decl


def _place(
    ctx: Context,
    decl: syntax.BindingDecl,
    uses: Attributes,
    t: Type | None,
    counter: BindingCounter,
    slots: dict[tuple[int, int], syntax.BindingDecl],
) -> tuple[int, int]:
    group = uses["group"].number if "group" in uses else None
    binding = uses["binding"].number if "binding" in uses else None
    count = 2 if isinstance(t, Combined) else 1
    where, first = counter.take(count, group, binding)
    for slot in range(first, first + count):
        earlier = slots.setdefault((where, slot), decl)
        if earlier is not decl:
            _conflict(ctx, decl, earlier, where, slot, _span(decl, uses))
            break
    return where, first


def _span(decl: syntax.BindingDecl, uses: Attributes) -> Span:
    return uses["binding"].span if "binding" in uses else decl.name_span


def _conflict(
    ctx: Context,
    decl: syntax.BindingDecl,
    earlier: syntax.BindingDecl,
    group: int,
    slot: int,
    span: Span,
) -> None:
    combined = any(
        isinstance(d.type, syntax.NamedType) and isinstance(NAMED_TYPES.get(d.type.name), Combined)
        for d in (decl, earlier)
    )
    ctx.error(
        "E0420",
        span,
        f"`{decl.name}` and `{earlier.name}` both take binding {slot} of group {group}",
        notes=declared_here(earlier.name, earlier.name_span),
        help="a combined sampler takes two slots: the texture's and, after it, the sampler's"
        if combined
        else "leave `@binding` out to have the next free one",
    )


def _binding(
    ctx: Context,
    decl: syntax.BindingDecl,
    t: Type,
    space: Space,
    place: tuple[int, int] | None,
    uses: Attributes,
) -> typed.Binding:
    access = typed.Access.READ
    if space is Space.STORAGE:
        access = _ACCESS[decl.access]
    elif space is Space.WORKGROUP:
        access = typed.Access.READ_WRITE
    group, binding = place or (None, None)
    where = Space.HANDLE if is_opaque(t) else space
    stated = facts.of_binding(ctx, decl, t, access, space, uses)
    return typed.Binding(decl.name, t, where, access, group, binding, decl.name_span, stated)
