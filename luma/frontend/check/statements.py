"""Statements and bodies of functions; each block tells whether control can leave it at its end."""

from __future__ import annotations

from dataclasses import dataclass

from luma.frontend import syntax, typed
from luma.frontend.check import (
    advice,
    attributes,
    constants,
    expressions,
    literals,
    operators,
    typenames,
)
from luma.frontend.check.context import AttributeUse, Context, FunctionInfo
from luma.frontend.check.interface import hidden_fields
from luma.frontend.check.scope import Body
from luma.frontend.wording import an
from luma.language.builtins import OPERATIONS, Effect
from luma.language.stages import Target
from luma.language.types import BOOL, INT, UINT, VOID, Type
from luma.source import Span


@dataclass(frozen=True, slots=True)
class Open:
    """A path that reaches the end of a block: the place to point at, and why it does."""

    span: Span
    why: str


Checked = tuple[tuple[typed.Statement, ...], Open | None]


def function(ctx: Context, info: FunctionInfo) -> None:
    """Check a function's body and fill it in."""
    decl = info.decl
    body = Body(ctx, info, info.result)
    ctx.locals.clear()
    body.hidden = hidden_fields(ctx, info)
    body.enter()
    for parameter, local in zip(decl.parameters, info.parameters, strict=True):
        if parameter.name not in body.scopes[-1]:
            body.declare_parameter(parameter.name, parameter.name_span, local)
    statements, end = block(body, decl.body, decl.end_span, "the function ends here")
    body.leave()
    if end is not None and info.result not in (None, VOID):
        ctx.error(
            "E0501",
            end.span,
            f"`{decl.name}` must return {an(_result_name(info))} on every path, and {end.why}",
            notes=[("its result is declared here", decl.result.span)] if decl.result else (),
            help="add a `return`",
        )
    if info.function is not None:
        info.function.body = statements


def _result_name(info: FunctionInfo) -> str:
    tuple_ = isinstance(info.decl.result, syntax.TupleType)
    return "value" if tuple_ else str(info.result)


# ---------------------------------------------------------------- blocks


def block(body: Body, nodes: tuple[syntax.Statement, ...], end: Span, why: str) -> Checked:
    """Check the statements of a block in a scope of their own."""
    body.enter()
    found: list[typed.Statement] = []
    left: Open | None = Open(end, why)
    warned = False
    for node in nodes:
        if left is None and not warned:
            warned = True
            body.ctx.reporter.warning(
                "W0904", node.span, "this is never reached", help="delete it, or move it up"
            )
        statement, after = _statement(body, node, end, why)
        if left is not None:  # what follows is dropped
            left = after
            if statement is not None:
                found.append(statement)
    body.leave()
    return tuple(found), left


def _statement(
    body: Body, node: syntax.Statement, end: Span, why: str
) -> tuple[typed.Statement | None, Open | None]:
    go_on = Open(end, why)
    match node:
        case syntax.Let():
            return _let(body, node), go_on
        case syntax.Assign():
            return _assign(body, node), go_on
        case syntax.CallStatement():
            statement = _call(body, node)
            return statement, None if _discards(node) else go_on
        case syntax.Return():
            return _return(body, node), None
        case syntax.If():
            return _if(body, node, end, why)
        case syntax.For():
            return _for(body, node), go_on
        case syntax.While():
            return _while(body, node), go_on
        case syntax.Block():
            statements, left = block(body, node.body, end, why)
            return typed.Block(statements, node.span), left


def _discards(node: syntax.CallStatement) -> bool:
    return isinstance(node.call, syntax.Call) and node.call.callee == "discard"


# ---------------------------------------------------------------- simple statements


def _let(body: Body, node: syntax.Let) -> typed.Statement | None:
    ctx = body.ctx
    wanted: Type | None = None
    if node.type is not None:
        wanted = typenames.value_type(ctx, node.type, "a variable")
    if node.value is None:
        ctx.error(
            "E0324",
            node.span,
            f"variable `{node.name}` has no value",
            help="everything is initialised: `let name: type = value`",
        )
        body.declare(node.name, "variable", node.name_span, wanted)
        return None
    what = f"the value of `{node.name}`"
    value: typed.Expression | None = None
    if wanted is not None:
        value = expressions.require(body, node.value, wanted, what)
    elif node.type is not None:
        expressions.in_unknown_context(body, node.value)
    else:
        value = expressions.value(body, node.value)
    type_ = wanted or (None if value is None else value.type)
    local = body.declare(node.name, "variable", node.name_span, type_)
    if value is None or local is None:
        return None
    if wanted is None:
        _remember_default(ctx, local, node, value)
    return typed.Let(local, value, node.span)


def _remember_default(
    ctx: Context, local: typed.Local, node: syntax.Let, value: typed.Expression
) -> None:
    assert node.value is not None
    if literals.is_flexible(ctx, node.value):
        advice.note_default(ctx, local, node, whole=not literals.has_fraction(node.value))
    else:
        advice.inherit_default(ctx, local, value)


def _assign(body: Body, node: syntax.Assign) -> typed.Statement | None:
    ctx = body.ctx
    place = expressions.place(body, node.target)
    if node.operator is not None:
        return _compound(body, node, node.operator, place)
    if place is None:
        expressions.in_unknown_context(body, node.value)
        return None
    value = expressions.require(
        body, node.value, place.type, f"what is assigned to `{ctx.text(node.target.span)}`"
    )
    if value is None or not expressions.is_value(ctx, place):
        return None
    return typed.Assign(place, value, node.span)


def _compound(
    body: Body, node: syntax.Assign, operator: str, place: typed.Expression | None
) -> typed.Statement | None:
    ctx = body.ctx
    kind = None if place is None else literals.kind_of(place.type)
    value = expressions.value(body, node.value, kind)
    if place is None or value is None:
        return None
    if not (expressions.is_value(ctx, place) and expressions.may_read(ctx, place)):
        return None
    old = typed.Old(place.type, node.target.span)
    result = operators.arithmetic(ctx, operator, old, value, node.span)
    if result is None:
        return None
    if result.type != place.type:
        return ctx.error(
            "E0306",
            node.span,
            f"`{operator}=` gives {result.type} here, and "
            f"`{ctx.text(node.target.span)}` is {place.type}",
        )
    return typed.Assign(place, result, node.span)


def _call(body: Body, node: syntax.CallStatement) -> typed.Statement | None:
    value = expressions.check(body, node.call)
    if value is None:
        return None
    if not _has_effect(value) and isinstance(node.call, syntax.Call):
        body.ctx.reporter.warning(
            "W0907",
            node.span,
            f"the value of `{node.call.callee}` is not used, and it has no other effect",
        )
    return typed.Evaluate(value, node.span)


def _has_effect(value: typed.Expression) -> bool:
    if isinstance(value, typed.Operation):
        return OPERATIONS[value.operation].effect is Effect.WRITE
    return isinstance(value, typed.CallOf)


def _return(body: Body, node: syntax.Return) -> typed.Statement | None:
    ctx, owner = body.ctx, body.owner
    assert owner is not None
    name = owner.decl.name
    if owner.decl.result is None:  # the parser sees to it that there is no value
        return typed.Return(None, node.span)
    if node.value is None:
        return ctx.error("E0504", node.span, f"`{name}` must return {an(_result_name(owner))}")
    if body.result is None:
        expressions.in_unknown_context(body, node.value)
        return None
    what = f"the result of `{name}`"
    if isinstance(owner.decl.result, syntax.TupleType):
        value = _outputs(body, node.value, owner.decl.result)
    else:
        value = expressions.require(body, node.value, body.result, what)
    return None if value is None else typed.Return(value, node.span)


def _outputs(
    body: Body, node: syntax.Expression, wanted: syntax.TupleType
) -> typed.Expression | None:
    """The value of a ``return`` in an entry point whose outputs are listed in its signature."""
    value = expressions.value(body, node, body.result)
    if value is None or value.type == body.result:
        return value
    fields = ", ".join(f"{f.name} = ..." for f in wanted.fields)
    return body.ctx.error(
        "E0306",
        node.span,
        f"the outputs have names, and this is {value.type}",
        help=f"write `return {{ {fields} }}`",
    )


# ---------------------------------------------------------------- branches and loops


def _condition(body: Body, node: syntax.Expression) -> typed.Expression | None:
    value = expressions.value(body, node)
    if value is None or value.type == BOOL:
        return value
    return body.ctx.error(
        "E0510",
        node.span,
        f"a condition must be a bool, and this is {value.type}",
        help=operators.truth_help(body.ctx, value),
    )


def _if(
    body: Body, node: syntax.If, end: Span, why: str
) -> tuple[typed.Statement | None, Open | None]:
    arms: list[tuple[typed.Expression | None, Checked, Span]] = []
    for arm in node.arms:
        condition = _condition(body, arm.condition)
        inner = block(body, arm.body, _header(arm), "this branch does not")
        arms.append((condition, inner, arm.span))
    rest: tuple[typed.Statement, ...] = ()
    left = Open(_header(node), "this `if` has no `else` for when no condition holds")
    after: Open | None = left
    if node.otherwise is not None:
        last = node.arms[-1].span
        rest, after = block(body, node.otherwise, _else_span(node, last), "the `else` does not")
    open_arm = next((c[1] for _, c, _ in arms if c[1] is not None), None)
    for condition, (then, _), span in reversed(arms):
        if condition is None:
            return None, open_arm or after
        rest = (typed.If(condition, then, rest, span.to(node.span)),)
    return rest[0], open_arm or after


def _header(node: syntax.Arm | syntax.If) -> Span:
    condition = node.condition if isinstance(node, syntax.Arm) else node.arms[0].condition
    return Span(node.span.start, max(condition.span.end, node.span.start + 1))


def _else_span(node: syntax.If, last: Span) -> Span:
    otherwise = node.otherwise or ()
    return otherwise[-1].span if otherwise else Span(last.end, node.span.end)


def _for(body: Body, node: syntax.For) -> typed.Statement | None:
    ctx = body.ctx
    uses = attributes.check(ctx, node.attributes, Target.LOOP)
    bounds = _bounds(body, node)
    step = _step(body, node)
    limit = uses.get("max_iterations")
    if limit is not None:
        ctx.error(
            "E0514",
            limit.span,
            "`@max_iterations` stands on `while` loops",
            help="write `@unroll(N)` to limit a `for`",
        )
    unroll: typed.Unroll | int | None = None
    if "unroll" in uses:
        arguments = uses["unroll"].arguments
        unroll = _count(ctx, uses["unroll"]) if arguments else typed.Unroll.FULL
    elif bounds is not None and not any(a.name == "unroll" for a in node.attributes):
        _require_static(ctx, bounds)
    body.enter()
    type_ = None if bounds is None else bounds[0].type
    local = body.declare(node.name, "loop variable", node.name_span, type_)
    statements, _ = block(body, node.body, node.span, "")
    body.leave()
    if bounds is None or step is None or local is None:
        return None
    return typed.For(local, *bounds, step, statements, unroll, node.span)


def _count(ctx: Context, use: AttributeUse) -> int | None:
    if use.number >= 1:
        return use.number
    return ctx.error("E0516", use.span, f"`@{use.name}` needs a number above 0")


def _bounds(body: Body, node: syntax.For) -> tuple[typed.Expression, typed.Expression] | None:
    ctx = body.ctx
    nodes = (node.start, node.stop)
    found: list[typed.Expression | None] = [None, None]
    kind: Type = INT
    for late in (False, True):
        for at, bound in enumerate(nodes):
            if literals.is_flexible(ctx, bound) is late:
                value = expressions.value(body, bound, kind)
                found[at] = value
                if value is not None and value.type == UINT:
                    kind = UINT
    start, stop = found
    if start is None or stop is None:
        return None
    for value in (start, stop):
        if value.type not in (INT, UINT):
            return ctx.error(
                "E0513",
                value.span,
                f"the bounds of a `for` are ints or uints, and this is {value.type}",
                notes=advice.default_notes(ctx, value, INT),
                help=advice.conversion_help(ctx, value, INT),
            )
    if start.type != stop.type:
        return ctx.error(
            "E0513",
            start.span.to(stop.span),
            f"the bounds of a `for` must agree, and these are {start.type} and {stop.type}",
            help=advice.conversion_help(ctx, start, stop.type),
        )
    return start, stop


def _require_static(ctx: Context, bounds: tuple[typed.Expression, typed.Expression]) -> None:
    for bound in bounds:
        if not constants.is_static(bound):
            ctx.error(
                "E0511",
                bound.span,
                "the bounds of a `for` must be known before the shader runs",
                help="put `@unroll(N)` before the loop to run it at most N times, or use `while` "
                "with `@max_iterations(N)`",
            )
            return


def _step(body: Body, node: syntax.For) -> int | None:
    if node.step is None:
        return 1
    ctx = body.ctx
    found = expressions.value(body, node.step, INT)
    if found is None:
        return None
    value = constants.require(ctx, found, "the step of a `for`")
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int) or value == 0:
        return ctx.error(
            "E0512",
            node.step.span,
            f"the step of a `for` is a constant int other than 0, and this is "
            f"{found.type if not isinstance(value, int) else value}",
        )
    return value


def _while(body: Body, node: syntax.While) -> typed.Statement | None:
    ctx = body.ctx
    uses = attributes.check(ctx, node.attributes, Target.LOOP)
    unroll = uses.get("unroll")
    if unroll is not None:
        ctx.error(
            "E0514",
            unroll.span,
            "`@unroll` stands on `for` loops",
            help="write `@max_iterations(n)` to limit a `while`",
        )
    limit: int | None = None
    if "max_iterations" in uses:
        limit = _count(ctx, uses["max_iterations"])
    elif not node.attributes:
        ctx.reporter.warning(
            "W0905",
            Span(node.span.start, node.condition.span.end),
            "nothing bounds this loop",
            help="put `@max_iterations(n)` before it",
        )
    condition = _condition(body, node.condition)
    statements, _ = block(body, node.body, node.span, "")
    if condition is None:
        return None
    return typed.While(condition, statements, limit, node.span)
