"""Attributes: whether they exist, stand where they may, and what their arguments are."""

from __future__ import annotations

from collections.abc import Callable

from luma.frontend import elsewhere, syntax
from luma.frontend.check import constants, expressions
from luma.frontend.check.context import Attributes, AttributeUse, Context
from luma.frontend.check.scope import Body
from luma.frontend.wording import are, counted, listed, nearest
from luma.language.stages import ATTRIBUTES, BUILTIN_ALIASES, BUILTIN_VALUE, AttributeRule, Target
from luma.language.types import FLOAT, INT


def check(ctx: Context, found: tuple[syntax.Attribute, ...], target: Target) -> Attributes:
    """The usable attributes of a declaration, by name; the others are reported."""
    uses: Attributes = {}
    for attribute in found:
        use = _check_one(ctx, attribute, target)
        if use is None:
            continue
        if use.name in uses:
            ctx.error(
                "E0404",
                attribute.span,
                f"`@{use.name}` is given twice",
                notes=[("first given here", uses[use.name].span)],
            )
            continue
        uses[use.name] = use
    return uses


def _check_one(ctx: Context, attribute: syntax.Attribute, target: Target) -> AttributeUse | None:
    rule = ATTRIBUTES.get(attribute.name)
    if rule is None:
        return ctx.error(
            "E0401",
            attribute.span,
            f"there is no attribute `@{attribute.name}`",
            help=_unknown_help(attribute.name, target),
        )
    if target not in rule.targets:
        places = listed(t.value for t in rule.targets)
        return ctx.error(
            "E0402",
            attribute.span,
            f"`@{rule.name}` cannot stand on {target.value}",
            help=f"it belongs on {places}: {rule.doc}",
        )
    if not rule.required <= len(attribute.arguments) <= len(rule.arguments):
        return ctx.error(
            "E0403",
            attribute.span,
            f"`@{rule.name}` takes {_arity(rule)}, and {len(attribute.arguments)} "
            f"{are(len(attribute.arguments))} given",
        )
    arguments: list[int | float | str] = []
    for kind, node in zip(rule.arguments, attribute.arguments, strict=False):
        value = _ARGUMENTS[kind](ctx, node, rule)
        if value is None:
            return None
        arguments.append(value)
    return AttributeUse(rule.name, tuple(arguments), attribute.span)


def _unknown_help(name: str, target: Target) -> str:
    """What was meant, and what may stand there."""
    own = listed((f"`@{r.name}`" for r in ATTRIBUTES.values() if target in r.targets), "and")
    places = f"on {target.value} may stand {own}"
    near = nearest(name, ATTRIBUTES)
    if name in elsewhere.ATTRIBUTES:
        return elsewhere.ATTRIBUTES[name]
    if name in BUILTIN_VALUE or name in BUILTIN_ALIASES:
        return f"write `@builtin({name})`"
    return places if near is None else f"did you mean `@{near}`? {places}"


def _arity(rule: AttributeRule) -> str:
    most = len(rule.arguments)
    if most == 0:
        return "no arguments"
    if rule.required == most:
        return counted(most, "argument")
    if rule.required == 0:
        return f"at most {counted(most, 'argument')}"
    return f"{rule.required} to {counted(most, 'argument')}"


def _word(ctx: Context, node: syntax.Expression, rule: AttributeRule) -> str | None:
    if isinstance(node, syntax.Name):
        return node.name
    return ctx.error(
        "E0403", node.span, f"`@{rule.name}` takes a word, such as `{_EXAMPLES[rule.name]}`"
    )


_EXAMPLES = {"entry": "vertex", "builtin": "position", "interpolation": "flat"}


def _float(ctx: Context, node: syntax.Expression, rule: AttributeRule) -> float | None:
    found = expressions.value(Body(ctx), node, FLOAT)
    value = (
        None if found is None else constants.require(ctx, found, f"the argument of `@{rule.name}`")
    )
    if value is None:
        return None
    if not isinstance(value, float):
        return ctx.error("E0403", node.span, f"`@{rule.name}` takes constant floats")
    return value


def _number(ctx: Context, node: syntax.Expression, rule: AttributeRule) -> int | None:
    found = expressions.value(Body(ctx), node, INT)
    if found is None:
        return None
    value = constants.require(ctx, found, f"the argument of `@{rule.name}`")
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        return ctx.error(
            "E0403", node.span, f"`@{rule.name}` takes a constant int that is not negative"
        )
    return value


_ARGUMENTS: dict[
    str, Callable[[Context, syntax.Expression, AttributeRule], int | float | str | None]
] = {"i": _number, "n": _float, "w": _word}
