"""The types at which a rule makes sense: all ways to type its left side, found by trying."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from luma.language.builtins import OPERATIONS
from luma.language.numbers import INT_MAX, INT_MIN, UINT_MAX, f16, f32
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
from luma.optimizer.rulefiles.tree import (
    HELPERS,
    Call,
    Literal,
    Pattern,
    Rule,
    Var,
    is_term,
    walk,
)
from luma.optimizer.schema import CONSTRUCTORS

SCALARS = {"Bool": BOOL, "I32": INT, "U32": UINT, "F32": FLOAT, "F16": HALF}
#: Every scalar and vector, every matrix, and some arrays and structs.
TYPES: tuple[Type, ...] = (
    FLOAT, INT, UINT, BOOL, HALF,
    *(Vector(elem, size) for elem in (FLOAT, INT, UINT, BOOL, HALF) for size in (2, 3, 4)),
    *(Matrix(cols, rows) for cols in (2, 3, 4) for rows in (2, 3, 4)),
    Array(FLOAT, 3), Array(INT, 3), Array(FLOAT, 4),
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

    @property
    def key(self) -> object:
        """What it has in common with its equals alone, hashable."""
        parts = (self.types, self.expressions, self.sizes, self.numbers)
        return tuple(frozenset(part.items()) for part in parts)


def typings(rule: Rule) -> list[Typing]:
    """The ways to type a rule's left side that its conditions allow."""
    found: dict[object, Typing] = {}
    for t in TYPES:
        for typing in _term(rule.left, t, Typing({}, {}, {}, {})):
            for full in _others(rule, typing):
                allowed = all(
                    _allowed(side, full)
                    for f in (*rule.conditions, *rule.states)
                    for side in f.sides
                )
                if allowed:
                    found.setdefault(full.key, full)
    return list(found.values())


def _others(rule: Rule, typing: Typing) -> Iterator[Typing]:
    """The typing extended by the terms that conditions speak of."""
    found = [typing]
    for fact in rule.conditions:
        for side in fact.sides:
            if is_term(side):
                found = [t for f in found for k in TYPES for t in _term(side, k, f)]
    yield from found


def _allowed(condition: Pattern, typing: Typing) -> bool:
    if not isinstance(condition, Call):
        return True
    if condition.name in ("float", "integer"):
        (arg,) = condition.args
        t = typing.types.get(arg.name) if isinstance(arg, Var) else None
        wanted = is_float if condition.name == "float" else is_integer
        return t is None or wanted(t)
    for p in walk(condition):
        if isinstance(p, Call) and p.name in _APPLIES and len(p.args) == 1:
            known = _type_of(p.args[0], typing)
            if known is not None and not _APPLIES[p.name](known):
                return False
    return True


def _is_plain(t: Type) -> bool:
    return isinstance(t, Scalar | Vector)


#: The types whose expressions a fact can be about.
_APPLIES: dict[str, Callable[[Type], bool]] = {
    **dict.fromkeys(("uniform", "low", "high"), lambda t: _is_plain(t) and is_float(t)),
    "whole": lambda t: _is_plain(t) and not is_float(t),
    **dict.fromkeys(("least", "most"), lambda t: _is_plain(t) and is_integer(t)),
    "unit": lambda t: isinstance(t, Vector) and is_float(t),
    "cosine": lambda t: isinstance(t, Scalar) and is_float(t),
    **dict.fromkeys(("rigid", "affine"), lambda t: isinstance(t, Matrix) and t.cols == t.rows),
}


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
    if sorts is None and pattern.name not in CONSTRUCTORS:
        return
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
    row = OPERATIONS.get(CONSTRUCTORS[name].op)
    if row is None:
        return None
    operands = _of_row(row.name, t, stated[0] if stated else t, count)
    return operands if operands and match(row.signature, operands) == t else None


def _of_row(name: str, t: Type, first: Type, count: int) -> tuple[Type, ...]:
    match name, t, first:
        case "select", _, _:
            return (first, t, t)
        case "mat_vec", _, Matrix(cols=cols):
            return (first, Vector(FLOAT, cols))
        case "vec_mat", Vector(size=cols), Vector(size=rows):
            return (first, Matrix(cols, rows))
        case "mat_mat", Matrix(cols=cols), Matrix(cols=inner):
            return (first, Matrix(cols, inner))
        case "mat_scale", _, _:
            return (t, FLOAT)
        case "refract", Vector(elem=elem), _:
            return (t, t, elem)
    return (first,) * count


_STRUCTURAL = frozenset(
    {"Lit", "Int", "Rounded", "Wrapped", "Splat", "Vec2", "Vec3", "Vec4", "Mat2", "Mat3", "Mat4",
     "Join2", "Join3", "Extract", "Insert", "Swz2", "Swz3", "Swz4", "Convert",
     "ConvertAt"}
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
            plain = all(isinstance(s, Scalar | Vector) for s in stated)
            fits = isinstance(t, Vector) and total == t.size and plain
            return stated if fits and all(scalar_of(s) == scalar_of(t) for s in stated) else None
        case "Extract":
            whole = stated[0]
            return (whole,) if not isinstance(whole, Scalar) and element(whole) == t else None
        case "Insert":
            return (t, element(t)) if not isinstance(t, Scalar) else None
        case "Swz2" | "Swz3" | "Swz4":
            fits = isinstance(t, Vector) and t.size == int(name[-1])
            same = isinstance(stated[0], Vector) and fits and stated[0].elem == scalar_of(t)
            return (stated[0],) if same else None
        case "Convert" | "ConvertAt":
            whole = stated[0]
            if not (isinstance(t, Scalar | Vector) and isinstance(whole, Scalar | Vector)):
                return None
            return (whole,) if with_scalar(whole, scalar_of(t)) == t else None
    return None


def is_typed(term: Call) -> bool:
    """Whether the types of a term's operands follow from what it states."""
    constructor = CONSTRUCTORS.get(term.name)
    if constructor is None:
        return True
    return constructor.op in OPERATIONS or term.name in _STRUCTURAL


def misfit(pattern: Pattern | None, t: Type, typing: Typing) -> Pattern | None:
    """The term in a right side that is not of the type it should be, None if all is well.

    Terms that types do not follow from (memory, calls of a shader's functions) are taken as right.
    """
    match pattern:
        case Var(name):
            known = typing.expressions.get(name)
            return pattern if known is not None and known != t else None
        case Call(name, (stated, *rest)) if is_term(pattern):
            made = known_type(stated, typing)
            if made is not None and made != t:
                return pattern
            return _misfit_inside(pattern, t, rest, typing)
    return None


def _misfit_inside(term: Call, t: Type, rest: Sequence[Pattern], typing: Typing) -> Pattern | None:
    constructor = CONSTRUCTORS.get(term.name)
    if constructor is None or (constructor.op not in OPERATIONS and term.name not in _STRUCTURAL):
        kinds: tuple[Type, ...] | None = () if term.name in ("Rounded", "Wrapped") else None
        return term if kinds == () and operand_types(term.name, t, (), 0) is None else None
    pairs = list(zip(constructor.sorts, rest, strict=True))
    stated = tuple(known_type(p, typing) for sort, p in pairs if sort == "T")
    operands = [p for sort, p in pairs if sort == "E"]
    if None in stated:
        return None
    if constructor.op in OPERATIONS and not term.name.endswith("At"):
        actual = [_type_of(p, typing) for p in operands]
        if None in actual:
            return None
        if match(OPERATIONS[constructor.op].signature, tuple(actual)) != t:
            return term
        found = tuple(actual)
    else:
        kinds = operand_types(term.name, t, stated, len(operands))  # type: ignore[arg-type]
        if kinds is None or len(kinds) != len(operands):
            return term
        found = kinds
    if not _numbers_fit(term.name, t, stated, [p for sort, p in pairs if sort in "IF"]):
        return term
    for p, kind in zip(operands, found, strict=True):
        wrong = misfit(p, kind, typing)  # type: ignore[arg-type]
        if wrong is not None:
            return wrong
    return None


def _numbers_fit(name: str, t: Type, stated: tuple[Any, ...], numbers: list[Pattern]) -> bool:
    """Whether the numbers written in a term are positions or values that there are."""
    counted = _counted(name, t, stated)
    written = [p.value for p in numbers if isinstance(p, Literal)]
    if isinstance(counted, int):
        return all(isinstance(n, int) and 0 <= n < counted for n in written)
    return name in HELPERS or all(_is_value(n, scalar_of(counted)) for n in written)


def _is_value(number: float | str, t: Scalar) -> bool:
    """Whether a literal of a type may hold a number, rounded where it is a float."""
    assert not isinstance(number, str)
    if is_float(t):
        return math.isfinite(f16(number) if t == HALF else f32(number))
    low, high = _RANGES[t]
    return low <= number <= high


_RANGES = {BOOL: (0, 1), INT: (INT_MIN, INT_MAX), UINT: (0, UINT_MAX)}


def _type_of(pattern: Pattern, typing: Typing) -> Type | None:
    if isinstance(pattern, Var):
        return typing.expressions.get(pattern.name)
    return known_type(pattern.args[0], typing) if isinstance(pattern, Call) else None


def known_type(pattern: Pattern, typing: Typing) -> Type | None:
    """The type that a type's pattern stands for, None if that cannot be told or is none."""
    match pattern:
        case Var(name):
            return typing.types.get(name)
        case Call("VecT", (inner, n)):
            elem, size = known_type(inner, typing), _known_size(n, typing)
            return Vector(elem, size) if isinstance(elem, Scalar) and size else None
        case Call("MatT", (c, r)):
            cols, rows = _known_size(c, typing), _known_size(r, typing)
            return Matrix(cols, rows) if cols and rows else None
        case Call(name, ()):
            return SCALARS.get(name)
    return None


def _known_size(pattern: Pattern, typing: Typing) -> int | None:
    if isinstance(pattern, Literal):
        return int(pattern.value)
    return typing.sizes.get(pattern.name) if isinstance(pattern, Var) else None
