"""Calls of user functions and of builtins, resolved by the signatures of the operations table."""

from __future__ import annotations

from luma.frontend import elsewhere, syntax, typed
from luma.frontend.check import advice, constructors, expressions, literals, operators, resources
from luma.frontend.check.context import Context, FunctionInfo, Notes, Restricted, declared_here
from luma.frontend.check.scope import Body
from luma.frontend.wording import are, counted, did_you_mean
from luma.language import signatures
from luma.language.builtins import ALIASES, FUNCTIONS, OPERATIONS, Operation
from luma.language.signatures import Pattern, Signature
from luma.language.types import (
    BOOL,
    FLOAT,
    HALF,
    INT,
    NAMED_TYPES,
    UINT,
    Scalar,
    Type,
    Vector,
    is_integer,
    is_opaque,
    scalar_of,
    with_scalar,
)


def call(body: Body, node: syntax.Call, expected: Type | None) -> typed.Expression | None:
    """Check a call of a function or constructor."""
    decl = body.ctx.declared.get(node.callee)
    if isinstance(decl, syntax.FunctionDecl):
        if body.owner is None:
            return expressions.not_constant(body.ctx, node.callee, node.callee_span)
        return _user_call(body, node, body.ctx.functions[node.callee])
    constructed = NAMED_TYPES.get(node.callee)
    if constructed is not None:
        return constructors.construct(body, node, constructed)
    if node.callee in FUNCTIONS:
        return _builtin(body, node, expected)
    return _unknown(body, node)


def _unknown(body: Body, node: syntax.Call) -> typed.Expression | None:
    ctx = body.ctx
    decl = ctx.declared.get(node.callee)
    if isinstance(decl, syntax.StructDecl):
        fields = ", ".join(f"{f.name} = ..." for f in decl.fields)
        return ctx.error(
            "E0303",
            node.callee_span,
            f"`{node.callee}` is a struct, not a function",
            notes=declared_here(node.callee, decl.name_span),
            help=f"write `{node.callee} {{ {fields} }}`",
        )
    local = body.find(node.callee)
    if local is not None:
        local.read = True
    if local is not None or decl is not None:
        span = local.span if local is not None else decl.name_span if decl else None
        return ctx.error(
            "E0303",
            node.callee_span,
            f"`{node.callee}` is not a function",
            notes=[(f"`{node.callee}` is declared here", span)],
        )
    functions = [n for n, d in ctx.declared.items() if isinstance(d, syntax.FunctionDecl)]
    return ctx.error(
        "E0303",
        node.callee_span,
        f"there is no function `{node.callee}`",
        help=elsewhere.FUNCTIONS.get(node.callee)
        or elsewhere.TYPES.get(node.callee)
        or did_you_mean(node.callee, (*functions, *FUNCTIONS, *NAMED_TYPES, *_WITH_BRACKETS)),
    )


#: Keywords that a bracket may follow: misspelt, they look like functions.
_WITH_BRACKETS = ("return", "while", "elseif")


# ---------------------------------------------------------------- user functions


def _user_call(body: Body, node: syntax.Call, info: FunctionInfo) -> typed.Expression | None:
    ctx, decl = body.ctx, info.decl
    if body.owner is not None:
        body.owner.calls.setdefault(info, node.span)
    if info.is_entry:
        return ctx.error(
            "E0503",
            node.callee_span,
            f"`{node.callee}` is an entry point and cannot be called",
            notes=declared_here(node.callee, decl.name_span),
            help="move what both need to a function of its own",
        )
    wanted = [None if p is None else p.type for p in info.parameters]
    arguments: list[typed.Expression | None] = []
    if len(node.arguments) != len(wanted):
        return ctx.error(
            "E0310",
            node.span,
            f"`{node.callee}` takes {counted(len(wanted), 'argument')}, "
            f"and {len(node.arguments)} {are(len(node.arguments))} given",
            notes=declared_here(node.callee, decl.name_span),
        )
    for argument, parameter, type_ in zip(node.arguments, decl.parameters, wanted, strict=True):
        arguments.append(_argument(body, node, argument, parameter, type_))
    found = [a for a in arguments if a is not None]
    if len(found) < len(wanted) or info.function is None:
        return None
    return typed.CallOf(info.function, tuple(found), info.function.result, node.span)


def _argument(
    body: Body,
    node: syntax.Call,
    argument: syntax.Expression,
    parameter: syntax.Parameter,
    wanted: Type | None,
) -> typed.Expression | None:
    if wanted is not None and is_opaque(wanted):
        found = expressions.check(body, argument, wanted)
    else:
        found = expressions.value(body, argument, wanted)
    if found is None or wanted is None or found.type == wanted:
        return found
    return body.ctx.error(
        "E0311",
        argument.span,
        f"parameter `{parameter.name}` of `{node.callee}` is of type {wanted}, "
        f"and this is {found.type}",
        notes=[
            *declared_here(parameter.name, parameter.name_span),
            *advice.default_notes(body.ctx, found, wanted),
        ],
        help=advice.conversion_help(body.ctx, found, wanted),
    )


# ---------------------------------------------------------------- builtin functions


def _builtin(body: Body, node: syntax.Call, expected: Type | None) -> typed.Expression | None:
    alias = ALIASES.get(node.callee)
    row = OPERATIONS[alias.operation if alias else node.callee]
    if row.stages and body.owner is not None:
        help_ = _STAGE_HELP.get(row.name)
        body.owner.restricted.append(Restricted(f"`{node.callee}`", row.stages, node.span, help_))
    parsed = signatures.parse(row.signature)
    first = parsed.operands[0].name if parsed.operands else ""
    if first in ("T", "D", "E"):
        return resources.texture_call(body, node, row, parsed)
    if first == "place":
        return resources.place_call(body, node, row, parsed)
    found = _generic(body, node, row, parsed, expected, vectors=bool(alias and alias.vectors_only))
    if found is None:
        return None
    if alias is not None and alias.negated:
        return typed.Operation("not", (found,), BOOL, node.span)
    return operators.check_literals(body.ctx, found) if _all_literals(body, node) else found


_STAGE_HELP = {
    "sample": "use `sample_level` with a level of detail of your own",
    "sample_bias": "use `sample_level` with a level of detail of your own",
}


def _all_literals(body: Body, node: syntax.Call) -> bool:
    return bool(node.arguments) and all(literals.is_flexible(body.ctx, a) for a in node.arguments)


def wrong_count(ctx: Context, node: syntax.Call, wanted: int, help: str | None = None) -> None:
    """Report a builtin called with the wrong number of arguments."""
    count = len(node.arguments)
    ctx.error(
        "E0310",
        node.span,
        f"`{node.callee}` takes {counted(wanted, 'argument')}, and {count} {are(count)} given",
        help=help,
    )


def _count_help(ctx: Context, node: syntax.Call) -> str | None:
    """What to write for a builtin with a number of arguments that other languages have."""
    given = [ctx.text(a.span) for a in node.arguments]
    form = _OTHER_COUNTS.get((node.callee, len(given)))
    if form is not None:
        return f"write `{form.format(*given)}`"
    if node.callee in ("min", "max") and len(given) > 2:
        nested = given[0]
        for other in given[1:]:
            nested = f"{node.callee}({nested}, {other})"
        return f"write `{nested}`"
    return None


#: Forms of functions that other languages have, by name and number of arguments.
_OTHER_COUNTS = {
    ("atan", 2): "atan2({0}, {1})",
    ("atan2", 1): "atan({0})",
    ("log", 2): "log({0}) / log({1})",
    ("clamp", 1): "saturate({0})",
    ("saturate", 3): "clamp({0}, {1}, {2})",
    ("length", 2): "length(vec2({0}, {1}))",
    ("pow", 1): "exp({0})",
    ("any", 2): "{0} or {1}",
    ("all", 2): "{0} and {1}",
}


def _generic(
    body: Body,
    node: syntax.Call,
    row: Operation,
    parsed: Signature,
    expected: Type | None,
    vectors: bool,
) -> typed.Expression | None:
    if len(node.arguments) != len(parsed.operands):
        wrong_count(body.ctx, node, len(parsed.operands), _count_help(body.ctx, node))
        return None
    arguments = _arguments(body, node, parsed, expected)
    if arguments is None:
        return None
    types = tuple(a.type for a in arguments)
    if vectors and not isinstance(types[0], Vector) and not isinstance(types[1], Vector):
        return _wants_vectors(body.ctx, node)
    match = signatures.resolve(row.signature, types)
    if match is None:
        arguments = _splat_literals(body.ctx, node, parsed, arguments)
        match = signatures.resolve(row.signature, tuple(a.type for a in arguments))
    if match is None:
        return _no_match(body.ctx, node, parsed, arguments)
    fitted = tuple(
        a if a.type == wanted else typed.Splat(a, wanted, a.span)
        for a, wanted in zip(arguments, match.operands, strict=True)
    )
    return typed.Operation(row.name, fitted, match.result, node.span)


def _wants_vectors(ctx: Context, node: syntax.Call) -> typed.Expression | None:
    operator = {"less": "<", "greater": ">", "equal": "==", "not": "!="}[node.callee.split("_")[0]]
    if node.callee.endswith("_equal") and operator in "<>":
        operator += "="
    return ctx.error(
        "E0311",
        node.span,
        f"`{node.callee}` compares vectors",
        help=f"compare scalars with `{operator}`",
    )


def _arguments(
    body: Body, node: syntax.Call, parsed: Signature, expected: Type | None
) -> list[typed.Expression] | None:
    """The arguments in their types: first what has one of its own, then the literals."""
    found: list[typed.Expression | None] = [None] * len(node.arguments)
    adapts = [literals.is_flexible(body.ctx, a) for a in node.arguments]
    failed = False
    for late in (False, True):
        for at, (argument, pattern) in enumerate(zip(node.arguments, parsed.operands, strict=True)):
            if adapts[at] is not late:
                continue
            context = _context(pattern, parsed, expected)
            if late:
                context = _literal_kind(node, pattern, parsed, found, context)
            found[at] = expressions.value(body, argument, context)
            failed = failed or found[at] is None
        if failed:
            return None
    return [a for a in found if a is not None]


def _context(pattern: Pattern, parsed: Signature, expected: Type | None) -> Type | None:
    """What the context of a call says about an argument of a pattern."""
    named = NAMED_TYPES.get(pattern.name)
    if named is not None:
        return named
    same = pattern.name == parsed.result.name and parsed.result.function is None
    return expected if same else None


def _literal_kind(
    node: syntax.Call,
    pattern: Pattern,
    parsed: Signature,
    found: list[typed.Expression | None],
    context: Type | None,
) -> Type | None:
    """The type of a literal argument: that of an argument of the same letter, or a default."""
    for other, argument in zip(parsed.operands, found, strict=True):
        if other.name == pattern.name and argument is not None:
            kind = literals.kind_of(argument.type)
            if kind is not None:
                return kind
    kind = literals.kind_of(context)
    if pattern.name == "I":
        return kind if kind in (INT, UINT) else INT
    if pattern.name in ("F", "V"):
        return kind if kind in (FLOAT, HALF) else FLOAT
    return kind or literals.kind_without_context(*node.arguments)


def _splat_literals(
    ctx: Context, node: syntax.Call, parsed: Signature, arguments: list[typed.Expression]
) -> list[typed.Expression]:
    """The arguments with literals made vectors where another of their letter is one."""
    vectors = {
        pattern.name: argument.type
        for pattern, argument in zip(parsed.operands, arguments, strict=True)
        if isinstance(argument.type, Vector)
    }
    fitted: list[typed.Expression] = []
    for at, (pattern, argument) in enumerate(zip(parsed.operands, arguments, strict=True)):
        wide = vectors.get(pattern.name)
        literal = literals.is_flexible(ctx, node.arguments[at])
        if wide is not None and literal and isinstance(argument.type, Scalar):
            argument = typed.Splat(argument, wide, argument.span)
        fitted.append(argument)
    return fitted


# ---------------------------------------------------------------- when nothing matches

_WORDS = {
    "F": "a float or half, scalar or vector",
    "V": "a vector of floats or halves",
    "N": "a number, scalar or vector",
    "S": "a signed number, scalar or vector",
    "I": "an int or uint, scalar or vector",
    "B": "a bool or a vector of bools",
    "A": "a scalar or vector",
    "X": "a vector of bools",
    "P": "a number, vector or matrix",
    "M": "a matrix",
    "Q": "a square matrix",
}

_SCALAR_HELP = {
    "length": "of a scalar it is `abs(x)`",
    "distance": "of scalars it is `abs(a - b)`",
    "normalize": "of a scalar it is `sign(x)`",
    "dot": "of scalars it is `a * b`",
    "any": "a single bool needs no `any`",
    "all": "a single bool needs no `all`",
    "mod": "the remainder of ints is `%`",
}


def _no_match(
    ctx: Context, node: syntax.Call, parsed: Signature, arguments: list[typed.Expression]
) -> typed.Expression | None:
    for number, (pattern, argument) in enumerate(
        zip(parsed.operands, arguments, strict=True), start=1
    ):
        wanted = _unfit(pattern, argument.type)
        if wanted is not None:
            return ctx.error(
                "E0311",
                argument.span,
                f"argument {number} of `{node.callee}` must be {wanted}, and this is "
                f"{argument.type}",
                notes=_integer_notes(ctx, pattern, argument),
                help=_SCALAR_HELP.get(node.callee) or _fitting_help(ctx, pattern, argument),
            )
    given = ", ".join(str(a.type) for a in arguments)
    return ctx.error(
        "E0311",
        node.span,
        f"the arguments of `{node.callee}` do not agree: {given}",
        notes=_agree_notes(ctx, arguments),
        help=_agree_help(ctx, arguments),
    )


def _unfit(pattern: Pattern, given: Type) -> str | None:
    """What a pattern wants, in words, if a type alone can tell that it does not fit."""
    named = NAMED_TYPES.get(pattern.name)
    if named is not None:
        return None if named == given else f"of type {named}"
    if pattern.function is not None or pattern.name not in _WORDS:
        return None
    fits = signatures.resolve(f"{pattern.name} -> void", (given,)) is not None
    return None if fits else _WORDS[pattern.name]


def _integer_notes(ctx: Context, pattern: Pattern, argument: typed.Expression) -> Notes:
    return advice.default_notes(ctx, argument, INT) if pattern.name in ("I", "int") else []


#: The kind to convert to for a pattern that takes several.
_FITTING: dict[str, Type] = {"I": INT, "F": FLOAT, "V": FLOAT, "B": BOOL}


def _fitting_help(ctx: Context, pattern: Pattern, argument: typed.Expression) -> str | None:
    wanted = _FITTING.get(pattern.name) or NAMED_TYPES.get(pattern.name)
    if wanted is None:
        return None
    if not isinstance(wanted, Scalar) or not isinstance(argument.type, Scalar | Vector):
        return advice.conversion_help(ctx, argument, wanted)
    return advice.conversion_help(ctx, argument, with_scalar(argument.type, wanted))


def _agree_notes(ctx: Context, arguments: list[typed.Expression]) -> Notes:
    """The notes on a float by default beside an integer."""
    whole = next((a.type for a in arguments if is_integer(a.type)), None)
    if whole is None:
        return []
    return [note for a in arguments for note in advice.default_notes(ctx, a, whole)]


def _agree_help(ctx: Context, arguments: list[typed.Expression]) -> str | None:
    numbers = [a for a in arguments if literals.kind_of(a.type)]
    for other in numbers[1:]:
        kind = scalar_of(numbers[0].type)
        if scalar_of(other.type) != kind:
            wanted = with_scalar(other.type, kind)
            return f"there are no implicit conversions; write `{wanted}({ctx.text(other.span)})`"
    return "give vectors of one size" if len(numbers) > 1 else None
