"""Facts that an author states of fields, parameters and resources: whether they can be so."""

from __future__ import annotations

from luma.frontend import syntax, typed
from luma.frontend.check.context import Attributes, Context
from luma.language.facts import SUITS, Fact, contradiction, fields_with_facts, suits
from luma.language.stages import Stage
from luma.language.types import Space, Struct, Type
from luma.source import Span

#: What interpolation does not keep: between two directions lie shorter vectors.
_BROKEN = {
    "unit": "leave the attribute out and write `normalize`",
    "rigid": "leave the attribute out",
}

_WHERE = (
    "state it of what the shader is given: a stage input, a parameter, a uniform, push constants "
    "or a readonly buffer"
)


def stated(ctx: Context, name: str, span: Span, type: Type, uses: Attributes) -> tuple[Fact, ...]:
    """What is stated of a declaration; reported where it cannot be so."""
    found = []
    for use in uses.values():
        if use.name not in SUITS:
            continue
        if not suits(use.name, type):
            wanted = SUITS[use.name][1]
            ctx.error(
                "E0430",
                use.span,
                f"`@{use.name}` is about {wanted}, and this is {type}",
                help="state it of the struct's fields" if isinstance(type, Struct) else None,
            )
            continue
        found.append(Fact(use.name, tuple(float(a) for a in use.arguments)))
    facts = tuple(found)
    why = contradiction(facts, type)
    if why is not None:
        ctx.error("E0431", span, f"what is stated of `{name}` contradicts itself: {why}")
    return facts


def of_binding(
    ctx: Context,
    decl: syntax.BindingDecl,
    type: Type,
    access: typed.Access,
    space: Space,
    uses: Attributes,
) -> tuple[Fact, ...]:
    """What is stated of a resource.  Nothing can be stated of what the shader itself writes."""
    if access is not typed.Access.READ:
        shared = space is Space.WORKGROUP
        what = "shared memory" if shared else "a buffer that can be written"
        for use in uses.values():
            if use.name in SUITS:
                ctx.error("E0402", use.span, f"`@{use.name}` cannot stand on {what}", help=_WHERE)
        if access is typed.Access.READ_WRITE and not shared:
            _warn_of_fields(ctx, decl, type)
        return ()
    return stated(ctx, decl.name, decl.name_span, type, uses)


def _warn_of_fields(ctx: Context, decl: syntax.BindingDecl, type: Type) -> None:
    """Warn of a fact about a field that lies in memory which the shader can write."""
    found = next(fields_with_facts(type), None)
    if found is not None:
        ctx.reporter.warning(
            "W0909",
            decl.name_span,
            f"what is stated of `{found.name}` is not relied on here: `{decl.name}` can be written",
            help=f"declare it `buffer readonly {decl.name}` if the shader only reads it",
        )


def check_interpolated(
    ctx: Context, stage: Stage, name: str, type: Type, uses: Attributes, interpolation: str | None
) -> None:
    """Warn of a fact about a fragment's input that interpolation does not keep."""
    if stage is not Stage.FRAGMENT or interpolation in (None, "flat"):
        return
    for fact, way in _BROKEN.items():
        if fact in uses and suits(fact, type):
            ctx.reporter.warning(
                "W0910",
                uses[fact].span,
                f"`{name}` is interpolated, which does not keep what `@{fact}` states",
                help=f"{way}, or make it `@interpolation(flat)`",
            )
