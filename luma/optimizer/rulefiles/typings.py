"""The types at which a rule makes sense: all ways to type its left side, found by trying."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from luma.language.builtins import OPERATIONS
from luma.language.signatures import match
from luma.language.types import (
    BOOL,
    FLOAT,
    HALF,
    INT,
    UINT,
    Array,
    Field,
    Matrix,
    Scalar,
    Struct,
    Type,
    Vector,
    element,
    element_count,
    is_float,
    is_integer,
    scalar_of,
    width,
    with_scalar,
)
from luma.optimizer.rulefiles.rule import Call, Literal, Pattern, RuleText, Var
from luma.optimizer.schema import CONSTRUCTORS

SCALARS = {"Bool": BOOL, "I32": INT, "U32": UINT, "F32": FLOAT, "F16": HALF}
TYPES: tuple[Type, ...] = (
    FLOAT, INT, UINT, BOOL, HALF,
    Vector(FLOAT, 2), Vector(FLOAT, 3), Vector(FLOAT, 4), Vector(INT, 3), Vector(UINT, 2),
    Vector(INT, 2), Vector(UINT, 4), Vector(INT, 4), Vector(BOOL, 2), Vector(BOOL, 3),
    Vector(BOOL, 4), Vector(HALF, 3), Matrix(2, 2), Matrix(3, 3), Matrix(4, 4), Matrix(2, 3),
    Matrix(3, 2), Matrix(4, 3), Array(FLOAT, 3), Array(INT, 3), Array(FLOAT, 4),
    Struct("Pair", (Field("first", FLOAT), Field("second", FLOAT))),
)  # fmt: skip


@dataclass(frozen=True)
class Typing:
    """What the variables of a rule are: types, the types of expressions, numbers in types, and of
    the other numbers what they count (a literal's type, or the size of what is indexed)."""

    types: dict[str, Type]
    expressions: dict[str, Type]
    sizes: dict[str, int]
    numbers: dict[str, Type | int]


def typings(rule: RuleText) -> list[Typing]:
    """The ways to type a rule's left side that its conditions allow."""
    found = []
    for t in TYPES:
        for typing in _term(rule.left, t, Typing({}, {}, {}, {})):
            allowed = all(
                _allowed(side, typing)
                for f in rule.conditions
                for side in (f.left, f.right)
                if side is not None
            )
            if allowed and typing not in found:
                found.append(typing)
    return found


def _allowed(condition: Pattern, typing: Typing) -> bool:
    if not isinstance(condition, Call):
        return True
    if condition.name in ("float", "integer"):
        (arg,) = condition.args
        assert isinstance(arg, Var)
        return (is_float if condition.name == "float" else is_integer)(typing.types[arg.name])
    constant = [p for p in _subpatterns(condition) if isinstance(p, Call)]
    for p in constant:
        if p.name in ("uniform", "whole") and isinstance(p.args[0], Var):
            t = typing.expressions.get(p.args[0].name)
            known = t is not None and not isinstance(t, Matrix)
            if not known or is_float(t) is not (p.name == "uniform"):  # type: ignore[arg-type]
                return False
    return True


def _subpatterns(p: Pattern) -> Iterator[Pattern]:
    yield p
    if isinstance(p, Call):
        for a in p.args:
            yield from _subpatterns(a)


def _type(pattern: Pattern, t: Type, typing: Typing) -> Typing | None:
    """The typing extended so that a type's pattern is ``t``."""
    match pattern:
        case Var(name):
            known = typing.types.get(name)
            if known is None:
                return replace(typing, types={**typing.types, name: t})
            return typing if known == t else None
        case Call(name, ()):
            return typing if SCALARS.get(name) == t else None
        case Call("VecT", (elem, n)) if isinstance(t, Vector):
            inner = _type(elem, t.elem, typing)
            return None if inner is None else _size(n, t.size, inner)
        case Call("MatT", (c, r)) if isinstance(t, Matrix):
            inner = _size(c, t.cols, typing)
            return None if inner is None else _size(r, t.rows, inner)
    return None


def _size(pattern: Pattern, n: int, typing: Typing) -> Typing | None:
    if isinstance(pattern, Literal):
        return typing if pattern.value == n else None
    assert isinstance(pattern, Var)
    known = typing.sizes.get(pattern.name)
    if known is None:
        return replace(typing, sizes={**typing.sizes, pattern.name: n})
    return typing if known == n else None


def _term(pattern: Pattern, t: Type, typing: Typing) -> Iterator[Typing]:
    """The typings in which an expression's pattern has the type ``t``."""
    if isinstance(pattern, Var):
        known = typing.expressions.get(pattern.name)
        if known is None:
            yield replace(typing, expressions={**typing.expressions, pattern.name: t})
        elif known == t:
            yield typing
        return
    assert isinstance(pattern, Call), pattern
    sorts = "I" if pattern.name == "Wrapped" else "F" if pattern.name == "Rounded" else None
    sorts = CONSTRUCTORS[pattern.name].sorts if sorts is None else sorts
    first = _type(pattern.args[0], t, typing)
    if first is not None:
        rest = tuple(zip(sorts, pattern.args[1:], strict=True))
        yield from _arguments(pattern.name, t, rest, (), first)


def _arguments(
    name: str,
    t: Type,
    rest: tuple[tuple[str, Pattern], ...],
    stated: tuple[Type, ...],
    typing: Typing,
) -> Iterator[Typing]:
    """Types first (they are stated before the operands), then operands by what they say."""
    if rest and rest[0][0] == "T":
        for candidate in TYPES:
            found = _type(rest[0][1], candidate, typing)
            if found is not None:
                yield from _arguments(name, t, rest[1:], (*stated, candidate), found)
        return
    kinds = operand_types(name, t, stated, sum(s == "E" for s, _ in rest))
    if kinds is not None:
        yield from _operands(name, t, rest, list(kinds), stated, typing)


def _operands(
    name: str,
    t: Type,
    rest: tuple[tuple[str, Pattern], ...],
    kinds: list[Type],
    stated: tuple[Type, ...],
    typing: Typing,
) -> Iterator[Typing]:
    if not rest:
        yield typing
        return
    sort, pattern = rest[0]
    if sort == "E":
        for found in _term(pattern, kinds[0], typing):
            yield from _operands(name, t, rest[1:], kinds[1:], stated, found)
        return
    counted = _counted(name, t, stated)
    if isinstance(pattern, Var):
        known = typing.numbers.get(pattern.name)
        if known is not None and known != counted:
            if not (isinstance(known, int) and isinstance(counted, int)):
                return
            counted = min(known, counted)
        typing = replace(typing, numbers={**typing.numbers, pattern.name: counted})
    elif isinstance(pattern, Literal) and isinstance(counted, int):
        assert isinstance(pattern.value, int | float)
        if not 0 <= pattern.value < counted:
            return
    yield from _operands(name, t, rest[1:], kinds, stated, typing)


def _counted(name: str, t: Type, stated: tuple[Type, ...]) -> Type | int:
    """What a number of a term is: a value of a type, or one less than a limit."""
    if name in ("Lit", "Int", "Rounded", "Wrapped"):
        return t
    if name == "Insert":
        return element_count(t)
    if stated and name.startswith(("Extract", "Swz")):
        return element_count(stated[0])
    return 1 << 20


def operand_types(
    name: str, t: Type, stated: tuple[Type, ...], count: int
) -> tuple[Type, ...] | None:
    """The types of a term's operands, None if there is no such term.

    Where operands' types do not follow from what is stated, the square ones are meant.
    """
    found = _structural(name, t, stated, count)
    if found is not None or name in _STRUCTURAL or CONSTRUCTORS.get(name) is None:
        return found
    row = OPERATIONS[CONSTRUCTORS[name].op]
    operands = _of_row(row.name, t, stated[0] if stated else t, count)
    return operands if operands and match(row.signature, operands) == t else None


def _of_row(name: str, t: Type, first: Type, count: int) -> tuple[Type, ...]:
    match name, t, first:
        case "select", _, _:
            return (first, t, t)
        case "mat_vec", _, Matrix(cols=cols):
            return (first, Vector(FLOAT, cols))
        case "vec_mat", Vector(size=size), _:
            return (t, Matrix(size, size))
        case "mat_mat", Matrix(cols=cols), Matrix(cols=inner):
            return (first, Matrix(cols, inner))
        case "mat_scale", _, _:
            return (t, FLOAT)
        case "refract", Vector(elem=elem), _:
            return (t, t, elem)
    return (first,) * count


_STRUCTURAL = frozenset(
    {"Lit", "Int", "Rounded", "Wrapped", "Splat", "Vec2", "Vec3", "Vec4", "Mat2", "Mat3", "Mat4",
     "Join2", "Join3", "Extract", "Insert", "Swz2", "Swz3", "Swz4", "Convert"}
)  # fmt: skip


def _structural(
    name: str, t: Type, stated: tuple[Type, ...], count: int
) -> tuple[Type, ...] | None:
    match name:
        case "Lit" | "Rounded":
            return () if isinstance(t, Scalar) and is_float(t) else None
        case "Int" | "Wrapped":
            return () if isinstance(t, Scalar) and not is_float(t) else None
        case "Splat":
            return (t.elem,) if isinstance(t, Vector) else None
        case "Vec2" | "Vec3" | "Vec4":
            fits = isinstance(t, Vector) and t.size == count
            return (scalar_of(t),) * count if fits else None
        case "Mat2" | "Mat3" | "Mat4":
            return (t.column,) * count if isinstance(t, Matrix) and t.cols == count else None
        case "Join2" | "Join3":
            total = sum(width(s) if isinstance(s, Scalar | Vector) else 0 for s in stated)
            fits = isinstance(t, Vector) and total == t.size
            return stated if fits and all(scalar_of(s) == scalar_of(t) for s in stated) else None
        case "Extract":
            whole = stated[0]
            return (whole,) if not isinstance(whole, Scalar) and element(whole) == t else None
        case "Insert":
            return (t, element(t)) if not isinstance(t, Scalar) else None
        case "Swz2" | "Swz3" | "Swz4":
            fits = isinstance(t, Vector) and t.size == int(name[-1])
            same = isinstance(stated[0], Vector) and scalar_of(stated[0]) == scalar_of(t)
            return (stated[0],) if fits and same else None
        case "Convert":
            whole = stated[0]
            if not (isinstance(t, Scalar | Vector) and isinstance(whole, Scalar | Vector)):
                return None
            return (whole,) if with_scalar(whole, scalar_of(t)) == t else None
    return None
