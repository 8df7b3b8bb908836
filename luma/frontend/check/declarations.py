"""Module-level declarations: collected first, so that order does not matter, then resolved."""

from __future__ import annotations

from functools import partial

from luma.frontend import syntax, typed
from luma.frontend.check import (
    attributes,
    bindings,
    constants,
    dependencies,
    expressions,
    facts,
    typenames,
)
from luma.frontend.check.context import Attributes, Context, FunctionInfo, Value, declared_here
from luma.frontend.check.scope import Body
from luma.frontend.sugar import output_struct
from luma.frontend.wording import did_you_mean
from luma.language.builtins import FUNCTIONS
from luma.language.stages import ATTRIBUTES, PLANNED_STAGES, Stage, Target
from luma.language.types import (
    HALF,
    NAMED_TYPES,
    VOID,
    Scalar,
    Type,
    is_opaque,
)


def collect(ctx: Context, module: syntax.Module) -> None:
    """Register every name of the module; a second of the same name is an error."""
    for decl in module.declarations:
        earlier = ctx.declared.get(decl.name)
        if earlier is not None:
            ctx.error(
                "E0304",
                decl.name_span,
                f"`{decl.name}` is declared twice",
                notes=declared_here(decl.name, earlier.name_span),
            )
            continue
        if _is_reserved(ctx, decl):
            continue
        ctx.declared[decl.name] = decl


def _is_reserved(ctx: Context, decl: syntax.Declaration) -> bool:
    callable_ = isinstance(decl, syntax.FunctionDecl | syntax.StructDecl)
    if callable_ and (decl.name in FUNCTIONS or decl.name in NAMED_TYPES):
        what = "a type" if decl.name in NAMED_TYPES else "a builtin function"
        ctx.error(
            "E0329",
            decl.name_span,
            f"`{decl.name}` is {what} of the language and cannot be declared",
            help="choose another name",
        )
        return True
    return False


def resolve_all(ctx: Context) -> None:
    """Resolve structs, bindings, consts and signatures, each once."""
    declared = list(ctx.declared.values())
    for decl in dependencies.in_order(ctx):
        if isinstance(decl, syntax.StructDecl):
            typenames.struct(ctx, decl)
        else:
            expressions.global_value(ctx, decl.name)
    bindings.assign(ctx, [d for d in declared if isinstance(d, syntax.BindingDecl)])
    for decl in declared:
        if isinstance(decl, syntax.FunctionDecl):
            ctx.functions[decl.name] = _signature(ctx, decl)
    _check_spec_ids(ctx)


def resolve(ctx: Context, name: str) -> Value | None:
    """What a const stands for."""
    decl = ctx.declared[name]
    return _const(ctx, decl) if isinstance(decl, syntax.ConstDecl) else None


# ---------------------------------------------------------------- consts


def _const(ctx: Context, decl: syntax.ConstDecl) -> Value | None:
    uses = attributes.check(ctx, decl.attributes, Target.CONST)
    wanted = None if decl.type is None else typenames.value_type(ctx, decl.type, "a const")
    if decl.value is None:
        return ctx.error("E0515", decl.name_span, f"const `{decl.name}` has no value")
    if decl.type is not None and wanted is None:
        return None
    what = f"const `{decl.name}`"
    if wanted is None:
        found = expressions.value(Body(ctx), decl.value)
    else:
        found = expressions.require(Body(ctx), decl.value, wanted, what)
    if found is None:
        return None
    if not constants.may_be_const(found.type):
        return ctx.error(
            "E0508",
            decl.value.span if decl.type is None else decl.type.span,
            f"a const cannot be of type {found.type}",
            help="a const is a scalar, vector, matrix or array of them",
        )
    value = constants.require(ctx, found, what)
    if value is None:
        return None
    if not constants.is_finite(value):
        return ctx.error(
            "E0507", decl.value.span, f"the value of {what} overflows or is not a number"
        )
    spec = uses.get("spec")
    if spec is None:
        return typed.Constant(decl.name, found.type, value, decl.name_span)
    if not isinstance(found.type, Scalar) or found.type == HALF:
        return ctx.error(
            "E0426",
            decl.value.span if decl.type is None else decl.type.span,
            f"a specialization constant cannot be of type {found.type}",
            help="it is a bool, int, uint or float",
        )
    return typed.SpecConstant(decl.name, found.type, value, spec.number, decl.name_span)


def _check_spec_ids(ctx: Context) -> None:
    seen: dict[int, typed.SpecConstant] = {}
    for value in ctx.values.values():
        if not isinstance(value, typed.SpecConstant):
            continue
        earlier = seen.setdefault(value.id, value)
        if earlier is not value:
            ctx.error(
                "E0426",
                value.span,
                f"`{value.name}` and `{earlier.name}` both have the specialization id {value.id}",
                notes=declared_here(earlier.name, earlier.span),
            )


# ---------------------------------------------------------------- functions


def _signature(ctx: Context, decl: syntax.FunctionDecl) -> FunctionInfo:
    uses = attributes.check(ctx, decl.attributes, Target.FUNCTION)
    is_entry = any(a.name == "entry" for a in decl.attributes)
    stage = _stage(ctx, uses)
    meant = is_entry or any(a.name not in ATTRIBUTES for a in decl.attributes)  # misspelt
    target = Target.PARAMETER if meant else Target.ARGUMENT
    parameter_uses = tuple(attributes.check(ctx, p.attributes, target) for p in decl.parameters)
    parameters = tuple(map(partial(_parameter, ctx), decl.parameters, parameter_uses))
    _check_names(ctx, decl)
    result, fields = _result(ctx, decl, meant)
    known = [p for p in parameters if p is not None]
    function = None
    if result is not None and len(known) == len(parameters):
        function = typed.Function(decl.name, tuple(known), result, decl.name_span)
    return FunctionInfo(
        decl, uses, parameters, parameter_uses, result, fields, function, stage, is_entry
    )


def _stage(ctx: Context, uses: Attributes) -> Stage | None:
    use = uses.get("entry")
    if use is None:
        return None
    stages = [s.value for s in Stage]
    if use.word in stages:
        return Stage(use.word)
    if use.word in PLANNED_STAGES:
        return ctx.error(
            "E0406",
            use.span,
            f"the {use.word} stage is not available yet",
            help=f"the stages are {', '.join(stages)}",
        )
    return ctx.error(
        "E0405",
        use.span,
        f"there is no stage `{use.word}`",
        help=did_you_mean(use.word, stages) or f"the stages are {', '.join(stages)}",
    )


def _parameter(ctx: Context, decl: syntax.Parameter, uses: Attributes) -> typed.Local | None:
    found = typenames.resolve(ctx, decl.type)
    if found is None:
        return None
    if not is_opaque(found):
        found = typenames.value_type(ctx, decl.type, "a parameter")
    if found is None:
        return None
    stated = facts.stated(ctx, decl.name, decl.name_span, found, uses)
    return typed.Local(decl.name, found, decl.name_span, stated)


def _check_names(ctx: Context, decl: syntax.FunctionDecl) -> None:
    seen: dict[str, syntax.Parameter] = {}
    for parameter in decl.parameters:
        earlier = seen.setdefault(parameter.name, parameter)
        if earlier is not parameter:
            ctx.error(
                "E0304",
                parameter.name_span,
                f"`{decl.name}` has two parameters called `{parameter.name}`",
                notes=declared_here(parameter.name, earlier.name_span),
            )


def _result(
    ctx: Context, decl: syntax.FunctionDecl, is_entry: bool
) -> tuple[Type | None, tuple[Attributes, ...]]:
    if decl.result is None:
        return VOID, ()
    if not (is_entry and isinstance(decl.result, syntax.TupleType)):
        return typenames.value_type(ctx, decl.result, "a result"), ()
    owner = f"the result of `{decl.name}`"
    fields = typenames.field_list(ctx, decl.result.fields, owner, Target.RESULT)
    if fields is None:
        return None, ()
    taken = (*ctx.declared, *(t.name for t in ctx.tuples))
    struct = output_struct(decl.name, [(f.name, t) for f, t, _ in fields], taken)
    if not typenames.is_sized(struct):
        ctx.error("E0326", decl.result.span, "a result cannot hold a runtime array")
        return None, ()
    ctx.tuples[struct] = decl.name
    return struct, tuple(u for _, _, u in fields)
