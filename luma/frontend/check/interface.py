"""Entry points: what crosses their borders, flattened to located scalars and vectors."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from luma.frontend import syntax, typed
from luma.frontend.check import facts, io_rules
from luma.frontend.check.context import Attributes, Context, FunctionInfo, StructInfo
from luma.frontend.check.io_rules import Border
from luma.frontend.sugar import LocationCounter, stripped_fields
from luma.language.facts import SUITS
from luma.language.stages import Stage
from luma.language.types import (
    VOID,
    Array,
    Matrix,
    Scalar,
    Struct,
    Type,
    Vector,
)
from luma.source import Span

#: More locations than any device has.
LOCATION_LIMIT = 128


@dataclass(frozen=True, slots=True)
class Item:
    """A parameter, or a field of a struct, that crosses a border."""

    name: str
    type: Type
    attributes: Attributes
    path: tuple[int, ...]
    span: Span


def hidden_fields(ctx: Context, info: FunctionInfo) -> dict[typed.Local, tuple[int, ...]]:
    """The fields of each parameter that a fragment entry point's input does not have."""
    hidden: dict[typed.Local, tuple[int, ...]] = {}
    for local in info.parameters:
        struct = None if local is None else _struct(ctx, local.type)
        if local is not None and struct is not None:
            stripped = _stripped(struct, Border(info.stage or Stage.VERTEX, False))
            if stripped:
                hidden[local] = stripped
    return hidden


def _struct(ctx: Context, t: Type) -> StructInfo | None:
    return ctx.structs.get(t.name) if isinstance(t, Struct) else None


def _stripped(struct: StructInfo, border: Border) -> tuple[int, ...]:
    fragment_input = border.stage is Stage.FRAGMENT and not border.output
    builtin = ["builtin" in uses for uses in struct.fields]
    return stripped_fields(builtin, struct.varying, fragment_input)


def entry_point(ctx: Context, info: FunctionInfo) -> typed.EntryPoint | None:
    """The entry point of a function marked with ``@entry``; None if it is in error."""
    stage = info.stage
    if stage is None:
        return None
    before = ctx.reporter.error_count
    inputs = _flatten(ctx, Border(stage, False), _inputs(ctx, info))
    outputs = _flatten(ctx, Border(stage, True), _outputs(ctx, info))
    size = io_rules.workgroup_size(ctx, info, stage)
    io_rules.check_entry_attributes(ctx, info, stage)
    if info.function is None or ctx.reporter.error_count > before:
        return None
    if stage is Stage.VERTEX and not any(v.builtin == "position" for v in outputs):
        ctx.reporter.warning(
            "W0906",
            info.decl.name_span,
            f"vertex entry point `{info.decl.name}` gives no position",
            help="give one of its outputs the attribute `@builtin(position)`",
        )
    return typed.EntryPoint(
        info.decl.name,
        stage,
        info.function,
        inputs,
        outputs,
        size,
        "early_depth" in info.attributes,
        info.decl.name_span,
    )


# ---------------------------------------------------------------- what crosses


def _inputs(ctx: Context, info: FunctionInfo) -> Iterator[Item]:
    border = Border(info.stage or Stage.VERTEX, False)
    for at, (local, uses) in enumerate(
        zip(info.parameters, info.parameter_attributes, strict=True)
    ):
        if local is None:
            continue
        struct = _struct(ctx, local.type)
        if struct is None:
            yield Item(local.name, local.type, uses, (at,), local.span)
            continue
        for use in uses.values():
            if use.name in SUITS:
                continue  # reported, as any fact about a struct
            ctx.error(
                "E0402",
                use.span,
                f"`@{use.name}` cannot stand on a parameter of struct type",
                help="its fields have attributes of their own",
            )
        hidden = _stripped(struct, border)
        yield from (i for i in _fields(struct, (at,)) if i.path[-1] not in hidden)


def _fields(struct: StructInfo, path: tuple[int, ...]) -> Iterator[Item]:
    for at, (decl, member) in enumerate(zip(struct.decl.fields, struct.type.fields, strict=True)):
        yield Item(decl.name, member.type, struct.fields[at], (*path, at), decl.name_span)


def _outputs(ctx: Context, info: FunctionInfo) -> Iterator[Item]:
    result = info.decl.result
    if info.result is None or info.result == VOID or result is None:
        return
    struct = _struct(ctx, info.result)
    if struct is not None:
        yield from _fields(struct, ())
    elif isinstance(result, syntax.TupleType) and isinstance(info.result, Struct):
        for at, (decl, member) in enumerate(zip(result.fields, info.result.fields, strict=True)):
            yield Item(decl.name, member.type, info.fields[at], (at,), decl.name_span)
    else:
        ctx.error(
            "E0418",
            result.span,
            f"an entry point gives a struct or named values, not a bare {info.result}",
            help=f"name it: `-> (color: {info.result})`",
        )


# ---------------------------------------------------------------- flattening


def _flatten(ctx: Context, border: Border, items: Iterator[Item]) -> tuple[typed.IOVariable, ...]:
    counter = LocationCounter()
    taken: dict[int, Item] = {}
    builtins: dict[str, Item] = {}
    found: list[typed.IOVariable] = []
    for item in items:
        if "builtin" in item.attributes:
            variable = _builtin(ctx, border, item, builtins)
            found += [variable] if variable is not None else []
        elif io_rules.may_cross(ctx, border, item.name, item.type, item.span):
            found += _located(ctx, border, item, counter, taken)
    return tuple(found)


def _builtin(
    ctx: Context, border: Border, item: Item, seen: dict[str, Item]
) -> typed.IOVariable | None:
    row = io_rules.builtin_value(ctx, border, item.attributes, item.name, item.type, item.span)
    if row is None:
        return None
    earlier = seen.setdefault(row.name, item)
    if earlier is not item:
        return ctx.error(
            "E0429",
            item.attributes["builtin"].span,
            f"`{earlier.name}` is `{row.name}` already",
            notes=[("given here", earlier.span)],
        )
    return typed.IOVariable(item.name, item.type, item.path, None, row.name, None, item.span)


def _located(
    ctx: Context, border: Border, item: Item, counter: LocationCounter, taken: dict[int, Item]
) -> list[typed.IOVariable]:
    interpolation = io_rules.interpolation(ctx, border, item.attributes, item.type)
    if not border.output:
        facts.check_interpolated(
            ctx, border.stage, item.name, item.type, item.attributes, interpolation
        )
    use = item.attributes.get("location")
    slots = _slots(item.type)
    first = counter.take(slots, None if use is None else use.number)
    where = item.span if use is None else use.span
    if first + slots > LOCATION_LIMIT:
        ctx.error(
            "E0427",
            where,
            f"`{item.name}` takes locations up to {first + slots - 1}, "
            f"and they end at {LOCATION_LIMIT - 1}",
        )
        return []
    free = max(taken, default=-1) + 1
    for slot in range(first, first + slots):
        earlier = taken.setdefault(slot, item)
        if earlier is not item:
            ctx.error(
                "E0411",
                where,
                f"`{item.name}` and `{earlier.name}` both take location {slot}",
                notes=[(f"`{earlier.name}` is declared here", earlier.span)],
                help=f"write `@location({free})` before it"
                if use is None
                else "leave `@location` out to have the next one",
            )
            return []
    return [
        typed.IOVariable(
            item.name + suffix,
            part,
            (*item.path, *path),
            first + at,
            None,
            interpolation,
            item.span,
        )
        for at, (suffix, part, path) in enumerate(_parts(item.type))
    ]


def _slots(t: Type) -> int:
    match t:
        case Matrix(cols=cols):
            return cols
        case Array(elem=elem, size=int() as size):
            return size * _slots(elem)
    return 1


def _parts(t: Type) -> Iterator[tuple[str, Scalar | Vector, tuple[int, ...]]]:
    """The scalars and vectors that a type is made of, one a location."""
    match t:
        case Scalar() | Vector():
            yield "", t, ()
        case Matrix(cols=cols):
            yield from ((f"[{c}]", t.column, (c,)) for c in range(cols))
        case Array(elem=elem, size=int() as size):
            for at in range(size):
                for suffix, part, path in _parts(elem):
                    yield f"[{at}]{suffix}", part, (at, *path)
