"""What may cross the border of a stage, and how."""

from __future__ import annotations

from dataclasses import dataclass

from luma.frontend.check.context import Attributes, Context, FunctionInfo
from luma.frontend.wording import an, did_you_mean, listed
from luma.language.stages import (
    BUILTIN_ALIASES,
    BUILTIN_VALUE,
    BUILTIN_VALUES,
    INTERPOLATIONS,
    BuiltinValue,
    Stage,
)
from luma.language.types import (
    Array,
    Matrix,
    Scalar,
    Struct,
    Type,
    Vector,
    is_bool,
    is_float,
    is_integer,
    is_opaque,
)
from luma.source import Span


@dataclass(frozen=True, slots=True)
class Border:
    """One side of a stage."""

    stage: Stage
    output: bool

    def __str__(self) -> str:
        return f"{self.stage.value} {'output' if self.output else 'input'}"

    @property
    def interpolates(self) -> bool:
        """Whether values are interpolated there: from the vertex to the fragment stage."""
        return (self.stage, self.output) in ((Stage.VERTEX, True), (Stage.FRAGMENT, False))


# ---------------------------------------------------------------- types


def may_cross(ctx: Context, border: Border, name: str, t: Type, span: Span) -> bool:
    """Whether a value that is no builtin may cross; reports it if not."""
    if border.stage is Stage.COMPUTE:
        what = "output" if border.output else "input"
        ctx.error(
            "E0416",
            span,
            f"`{name}` cannot be {an(what)} of a compute entry point",
            help="write results to a buffer"
            if border.output
            else "a compute entry point has builtin inputs only; read the rest from buffers and "
            "uniforms",
        )
        return False
    reason = _obstacle(t)
    if reason is not None:
        ctx.error(
            "E0410", span, f"`{name}` cannot cross a stage's border: {reason[0]}", help=reason[1]
        )
    return reason is None


def _obstacle(t: Type) -> tuple[str, str | None] | None:
    """Why a type cannot cross a border, and what to do about it."""
    match t:
        case Array(elem=elem, size=int()):
            return _obstacle(elem)
        case Matrix():
            return None
        case Scalar() | Vector() if not is_bool(t):
            return None
        case Scalar() | Vector():
            return f"it is of type {t}", "use an int or uint that is 0 or 1"
        case Struct():
            return f"it holds a struct ({t})", "give its fields one by one"
    return f"it is of type {t}", "declare it as a uniform" if is_opaque(t) else None


# ---------------------------------------------------------------- builtin values


def builtin_value(
    ctx: Context, border: Border, uses: Attributes, name: str, t: Type, span: Span
) -> BuiltinValue | None:
    """The row of a ``@builtin(value)`` that is valid at a border for what has a name and type."""
    use = uses["builtin"]
    row = BUILTIN_VALUE.get(BUILTIN_ALIASES.get(use.word, use.word))
    if row is None:
        return ctx.error(
            "E0407",
            use.span,
            f"there is no builtin value `{use.word}`",
            help=did_you_mean(use.word, (*BUILTIN_VALUE, *BUILTIN_ALIASES))
            or f"those of {an(border)} are {_available(border)}",
        )
    if (row.stage, row.output) != (border.stage, border.output):
        return ctx.error(
            "E0408",
            use.span,
            f"`{row.name}` is {an(Border(row.stage, row.output))}, and this is {an(border)}",
            help=_elsewhere_help(row, border),
        )
    if row.type != t:
        return ctx.error(
            "E0409",
            span,
            f"`{row.name}` is of type {row.type}, and this is {t}",
            help=_type_help(row, name, t),
        )
    for other in ("location", "interpolation"):
        if other in uses:
            return ctx.error(
                "E0412" if other == "location" else "E0413",
                uses[other].span,
                f"a builtin value has no {other}",
                help="leave one of the two attributes out",
            )
    return row


def _type_help(row: BuiltinValue, name: str, t: Type) -> str:
    """How to have a builtin value in the type that was asked for."""
    help = f"declare it `{name}: {row.type}`"
    if row.output:
        return help
    match row.type, t:
        case Vector(elem=elem), Scalar():
            part = f"{name}.x"
            return f"{help} and take `{part if elem == t else f'{t}({part})'}`"
        case Vector(size=have, elem=elem), Vector(size=size) if size < have:
            part = f"{name}.{'xyzw'[:size]}"
            return f"{help} and take `{part if elem == t.elem else f'{t}({part})'}`"
        case Vector(size=have), Vector(size=size) if size == have:
            return f"{help} and convert it: `{t}({name})`"
        case Scalar(), Scalar():
            return f"{help} and convert it: `{t}({name})`"
    return help


def _available(border: Border) -> str:
    names = [r.name for r in BUILTIN_VALUES if (r.stage, r.output) == (border.stage, border.output)]
    return listed(names, "and") or "none"


def _elsewhere_help(row: BuiltinValue, border: Border) -> str:
    if row.name == "position" and border == Border(Stage.FRAGMENT, False):
        return (
            "mark the struct `@varying` to strip its builtins here; the window position is "
            "`@builtin(frag_coord)`"
        )
    if row.name == "frag_coord" and border == Border(Stage.VERTEX, True):
        return "the clip-space position is `@builtin(position)`"
    return f"the builtin values of {an(border)}: {_available(border)}"


# ---------------------------------------------------------------- interpolation


def interpolation(ctx: Context, border: Border, uses: Attributes, t: Type) -> str | None:
    """How a located value is interpolated; None where nothing is."""
    use = uses.get("interpolation")
    elem = t
    while isinstance(elem, Array):
        elem = elem.elem
    if use is None:
        if not border.interpolates:
            return None
        return "flat" if is_integer(elem) else "smooth"
    if use.word not in INTERPOLATIONS:
        return ctx.error(
            "E0413",
            use.span,
            f"there is no interpolation `{use.word}`",
            help=did_you_mean(use.word, INTERPOLATIONS) or f"it is {listed(INTERPOLATIONS)}",
        )
    if not border.interpolates:
        return ctx.error(
            "E0413",
            use.span,
            f"{an(border)} is not interpolated",
            help="only what goes from the vertex to the fragment stage is",
        )
    if use.word != "flat" and not (is_float(elem) or isinstance(elem, Matrix)):
        return ctx.error(
            "E0413",
            use.span,
            f"a value of type {t} cannot be interpolated: it is always flat",
            help="leave `@interpolation` out",
        )
    return use.word


# ---------------------------------------------------------------- attributes of entry points

_LIMITS = (1024, 1024, 64)
_TOTAL_LIMIT = 1024


def workgroup_size(ctx: Context, info: FunctionInfo, stage: Stage) -> tuple[int, int, int]:
    """The workgroup size of a compute entry point; (1, 1, 1) elsewhere or in error."""
    use = info.attributes.get("workgroup_size")
    named = any(a.name == "workgroup_size" for a in info.decl.attributes)
    if stage is not Stage.COMPUTE:
        if use is not None:
            ctx.error(
                "E0414", use.span, f"`@workgroup_size` cannot stand on a {stage.value} entry point"
            )
        return (1, 1, 1)
    if use is None:
        if not named:
            ctx.error(
                "E0414",
                info.decl.name_span,
                f"compute entry point `{info.decl.name}` has no workgroup size",
                help="add `@workgroup_size(64)`, or two or three numbers",
            )
        return (1, 1, 1)
    sizes = [int(a) for a in use.arguments]
    x, y, z = (*sizes, 1, 1)[:3]
    for axis, size, limit in zip("xyz", (x, y, z), _LIMITS, strict=True):
        if not 1 <= size <= limit:
            ctx.error(
                "E0415",
                use.span,
                f"the workgroup size in {axis} is {size}; it goes from 1 to {limit}",
            )
            return (1, 1, 1)
    if x * y * z > _TOTAL_LIMIT:
        ctx.error(
            "E0415",
            use.span,
            f"a workgroup of {x} x {y} x {z} has {x * y * z} invocations; "
            f"at most {_TOTAL_LIMIT} are portable",
        )
    return (x, y, z)


def check_entry_attributes(ctx: Context, info: FunctionInfo, stage: Stage) -> None:
    """Report attributes that have no meaning in a stage."""
    use = info.attributes.get("early_depth")
    if use is not None and stage is not Stage.FRAGMENT:
        ctx.error(
            "E0428",
            use.span,
            f"`@early_depth` cannot stand on a {stage.value} entry point",
            help="only fragments are tested for depth",
        )


def check_plain_attributes(ctx: Context, info: FunctionInfo) -> None:
    """Report attributes of entry points on a function that is none."""
    for use in info.attributes.values():
        if use.name != "entry":
            ctx.error(
                "E0428",
                use.span,
                f"`@{use.name}` needs an entry point, and `{info.decl.name}` is none",
                help="add `@entry(...)`",
            )
