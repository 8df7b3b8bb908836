"""What to do about a value of the wrong type, and where its type came from."""

from __future__ import annotations

from luma.frontend import elsewhere, syntax, typed
from luma.frontend.check.context import Context, Defaulted, Notes
from luma.frontend.wording import an, are, listed
from luma.language.types import BOOL, FLOAT, INT, UINT, Scalar, Type, Vector, scalar_of

#: The names of a vector's components.
_COMPONENTS = "xyzw"


def conversion_help(ctx: Context, found: typed.Expression, wanted: Type) -> str | None:
    """The help that writes out the conversion of a value, if there is one."""
    text = ctx.text(found.span)
    default = _default(ctx, found, wanted)
    if default is not None:
        kind = scalar_of(wanted)
        return f"declare `{default.name}` as {an(kind)}, or convert here: `{kind}({text})`"
    match found.type, wanted:
        case Scalar(), Scalar():
            return literal_help(found, wanted) or (
                f"there are no implicit conversions; write `{wanted}({text})`"
            )
        case Scalar(), Vector():
            return f"to repeat it in every component, write `{wanted}({text})`"
        case Vector(size=have), Vector(size=size) if have == size:
            return f"there are no implicit conversions; write `{wanted}({text})`"
        case Vector(size=have, elem=elem), Vector(size=size) if have > size:
            part = f"{postfix(text)}.{_COMPONENTS[:size]}"
            part = part if elem == wanted.elem else f"{wanted}({part})"
            return f"to take its first components, write `{part}`"
        case Vector(size=have), Vector(size=size):
            return f"{missing_components(have, size)}: write `{wanted}({text}, ...)`"
        case Vector(elem=elem), Scalar():
            part = f"{postfix(text)}.x"
            part = part if elem == wanted else f"{wanted}({part})"
            return f"to take one component, write `{part}`"
    return None


def missing_components(have: int, size: int) -> str:
    """Which components of a vector of a size are missing after the first ones."""
    names = [f"`{name}`" for name in _COMPONENTS[have:size]]
    return f"{listed(names, 'and')} {are(len(names))} missing"


def literal_help(found: typed.Expression, wanted: Type) -> str | None:
    """The help that turns a literal from a number into a bool or the other way around."""
    if not isinstance(found, typed.Literal):
        return None
    if wanted == BOOL and found.type != BOOL:
        return f"write `{truth(found)}`"
    if wanted != BOOL and found.type == BOOL:
        value = int(found.value)
        return f"write `{value if wanted in (INT, UINT) else float(value)}`"
    return None


def truth(number: typed.Literal) -> str:
    """The bool that a number stands for in other languages."""
    return "true" if number.value else "false"


def postfix(text: str) -> str:
    """A text in parentheses, if that is needed to append to it."""
    return text if text.replace("_", "").replace(".", "").isalnum() else f"({text})"


# ---------------------------------------------------------------- types by default


def default_notes(ctx: Context, found: typed.Expression, wanted: Type) -> Notes:
    """The note on the ``let`` that made a float of what should be an integer, if one did."""
    default = _default(ctx, found, wanted)
    if default is None:
        return []
    kind = scalar_of(wanted)
    let = f"let {default.name}: {kind} = {default.value}"
    return [
        (f"`{default.name}` is a float because nothing says otherwise; write `{let}`", default.span)
    ]


def note_default(ctx: Context, local: typed.Local, node: syntax.Let, whole: bool) -> None:
    """Remember a local that is a float only because a whole number gives it its type.

    ``whole`` tells that its value is made of whole numbers only.
    """
    if whole and local.type == FLOAT and node.value is not None:
        ctx.defaulted[local] = Defaulted(node.name, ctx.text(node.value.span), node.span)


def inherit_default(ctx: Context, local: typed.Local, value: typed.Expression) -> None:
    """Remember that a local is a float because another one is."""
    default = _default(ctx, value, INT)
    if default is not None:
        ctx.defaulted[local] = default


def _default(ctx: Context, found: typed.Expression, wanted: Type) -> Defaulted | None:
    """The variable that is to blame for a float where an integer is needed.

    There is none if the value depends on other floats too, because those would stay floats.
    """
    if not isinstance(wanted, Scalar | Vector) or scalar_of(wanted) not in (INT, UINT):
        return None
    if found.type != FLOAT:
        return None
    blamed: Defaulted | None = None
    pending = [found]
    while pending:
        match pending.pop():
            case typed.Literal():
                pass
            case typed.LocalRef(local) if local in ctx.defaulted:
                blamed = blamed or ctx.defaulted[local]
            case typed.Operation() as node if all(a.type == FLOAT for a in node.arguments):
                pending.extend(reversed(node.arguments))
            case _:
                return None
    return blamed


# ---------------------------------------------------------------- modules


def no_modules(ctx: Context, node: syntax.Member) -> typed.Expression | None:
    """Report ``math.pi`` and its like."""
    return ctx.error(
        "E0301",
        node.span,
        f"Luma has no modules, so there is no `{ctx.text(node.span)}`",
        help=elsewhere.VARIABLES.get(node.name)
        or f"a function is called by its plain name: `{node.name}(...)`",
    )
