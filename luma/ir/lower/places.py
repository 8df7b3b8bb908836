"""Reading and writing parts of values and of memory.

Memory is always reached at the smallest part that is needed, so that a store never touches what
another invocation may be writing.
"""

from __future__ import annotations

from collections.abc import Sequence

from luma.frontend import typed
from luma.ir.lower.context import Context, MemoryPlace, Place, VariablePlace
from luma.language.types import (
    INT,
    VOID,
    Pointer,
    Space,
    Type,
    Vector,
    scalar_of,
    walk_path,
    width,
    with_width,
)
from luma.source import Span

Path = tuple[int | None, ...]


def extract(
    ctx: Context, value: int, type: Type, path: Path, indices: Sequence[int], span: Span
) -> int:
    """The part of a value at a path."""
    if not path:
        return value
    part = walk_path(type, path)
    return ctx.draft.emit("extract", part, (value, *indices), path, span=span)


def swizzle(ctx: Context, value: int, components: tuple[int, ...], type: Type, span: Span) -> int:
    """Components of a vector of the given type, as a vector or scalar."""
    if len(components) == 1:
        return extract(ctx, value, type, components, (), span)
    if components == tuple(range(width(type))):
        return value
    result = with_width(scalar_of(type), len(components))
    return ctx.draft.emit("shuffle", result, (value,), components, span=span)


def pick(ctx: Context, components: tuple[int, ...], index: int, span: Span) -> int:
    """The component of a vector that a run-time index into its swizzle means."""
    parts = [ctx.draft.const(c, INT, span) for c in components]
    table = Vector(INT, len(parts))
    value = ctx.draft.emit("construct", table, parts, span=span)
    return ctx.draft.emit("extract", INT, (value, index), (None,), span=span)


def pointer(ctx: Context, place: MemoryPlace, span: Span, component: int | None = None) -> int:
    """A pointer to a place, or to one component of the vector there."""
    path = place.path if component is None else (*place.path, component)
    if not path:
        return place.root
    type = Pointer(place.type.space, walk_path(place.type.pointee, path))
    return ctx.draft.access(type, place.root, place.indices, path, span)


def root_pointer(ctx: Context, root: typed.Expression) -> tuple[int, Pointer] | None:
    """The pointer to a root in memory and its type; None for values and for resources."""
    match root:
        case typed.LocalRef(local) if local in ctx.memory:
            return ctx.memory[local], Pointer(Space.FUNCTION, local.type)
        case typed.BindingRef(binding, span=span):
            item = ctx.resources[binding][0]
            type = Pointer(item.space, item.type)
            return ctx.draft.shared("global", type, item.name, span), type
    return None


def load(ctx: Context, place: Place, span: Span) -> int:
    """The value that a place holds."""
    match place:
        case MemoryPlace():
            type = walk_path(place.type.pointee, place.path)
            value = ctx.draft.emit("load", type, (pointer(ctx, place, span),), span=span)
        case VariablePlace(local, path, type=type):
            value = extract(ctx, ctx.env.read(local), local.type, path, (), span)
    return swizzle(ctx, value, place.components, type, span) if place.components else value


def store(ctx: Context, place: Place, value: int, span: Span) -> None:
    """Put a value into a place."""
    match place:
        case MemoryPlace():
            _store_memory(ctx, place, value, span)
        case VariablePlace(local, path):
            if place.components:
                value = _blend(ctx, place, value, span)
            if path:
                whole = ctx.env.read(local)
                value = ctx.draft.emit("insert", local.type, (whole, value), path, span=span)
            ctx.draft.hint(value, local.name)
            ctx.env.write(local, value)


def _store_memory(ctx: Context, place: MemoryPlace, value: int, span: Span) -> None:
    if not place.components:
        ctx.draft.emit("store", VOID, (pointer(ctx, place, span), value), span=span)
        return
    vector = walk_path(place.type.pointee, place.path)
    source = with_width(scalar_of(vector), len(place.components))
    for at, component in enumerate(place.components):
        part = extract(ctx, value, source, (at,), (), span)
        target = pointer(ctx, place, span, component)
        ctx.draft.emit("store", VOID, (target, part), span=span)


def _blend(ctx: Context, place: VariablePlace, value: int, span: Span) -> int:
    """The vector at a place with its swizzled components replaced by those of ``value``."""
    assert place.components is not None
    size = width(place.type)
    chosen = place.components
    if len(chosen) == size:
        order = tuple(chosen.index(c) for c in range(size))
        return swizzle(ctx, value, order, place.type, span)
    before = extract(ctx, ctx.env.read(place.local), place.local.type, place.path, (), span)
    order = tuple(size + chosen.index(c) if c in chosen else c for c in range(size))
    return ctx.draft.emit("shuffle", place.type, (before, value), order, span=span)
