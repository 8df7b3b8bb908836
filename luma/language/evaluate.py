"""Operations on known values: what constant folding and the interpreter have in common.

Values are Python numbers; vectors, arrays and structs are tuples of them, matrices tuples of column
tuples.  Every result is rounded to its type (binary32 or binary16, to nearest even) or wrapped to
32 bits, component by component and once, except where the table's evaluator says otherwise.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, TypeAlias

from luma.language import numbers
from luma.language.builtins import OPERATIONS, Operation
from luma.language.transcendental import correctly_rounded
from luma.language.types import (
    Array,
    Kind,
    Matrix,
    Scalar,
    Struct,
    Type,
    Vector,
    is_integer,
    scalar_of,
)

Value: TypeAlias = Any
Evaluator: TypeAlias = Callable[..., Value]


def evaluate(
    op: str,
    type_: Type,
    arg_types: Sequence[Type],
    args: Sequence[Value],
    imm: Sequence[int | None] = (),
) -> Value:
    """The value of an operation of result type ``type_`` on ``args``.

    ``op`` is an operation of the table that has an evaluator, or one of the structural ones on
    values (construct, splat, extract, insert, shuffle, convert).  ``imm`` is as in IR: the path of
    an extract or insert, the indices of a shuffle.

    Raises ValueError for an integer division or remainder by zero and for an index out of range
    (their results are unspecified), KeyError for an operation that cannot be evaluated.
    """
    return evaluator(op, type_, tuple(arg_types), tuple(imm))(*args)


def evaluate_constant(
    op: str, type_: Type, arg_types: Sequence[Type], args: Sequence[Value]
) -> Value:
    """:func:`evaluate` with transcendental functions rounded correctly: the same bits everywhere.

    Much slower where such a function is called.
    """
    row = OPERATIONS.get(op)
    if row is None or row.eval is None or not row.each or row.exact:
        return evaluate(op, type_, arg_types, args)
    return _each(type_, tuple(arg_types), correctly_rounded(op, row.eval))(*args)


@lru_cache(maxsize=4096)
def evaluator(
    op: str, type_: Type, arg_types: tuple[Type, ...], imm: tuple[int | None, ...] = ()
) -> Evaluator:
    """The function of the arguments' values that :func:`evaluate` calls, to be kept and reused."""
    structural = _STRUCTURAL.get(op)
    if structural is not None:
        return structural(type_, arg_types, imm)
    row = OPERATIONS[op]
    if row.eval is None:
        raise KeyError(op)
    if op in ("div", "rem") and is_integer(type_):
        return _each(type_, arg_types, _guard_zero(row.eval))
    if op == "select" and isinstance(arg_types[0], Scalar):
        return _choose
    if row.each:
        return _each(type_, arg_types, row.eval)
    return _whole(row, type_)


def zero(t: Type) -> Value:
    """The value of a type that is 0 (or false) all through; raises TypeError if it has none."""
    match t:
        case Scalar(kind):
            return False if kind is Kind.BOOL else 0.0 if kind in _FLOATS else 0
        case Vector(elem, size):
            return (zero(elem),) * size
        case Matrix(cols):
            return (zero(t.column),) * cols
        case Array(elem, int() as size):
            return (zero(elem),) * size
        case Struct(fields=fields):
            return tuple(zero(f.type) for f in fields)
    raise TypeError(f"{t} has no zero value")


_BINARY32 = struct.Struct("<f")
_FLOATS = (Kind.FLOAT, Kind.HALF)

# ---------------------------------------------------------------- operations of the table


@lru_cache(maxsize=8)
def rounding(to: Scalar) -> Callable[[Any], Any]:
    """:func:`luma.language.numbers.narrow` for one scalar type."""
    match to.kind:
        case Kind.FLOAT:
            return numbers.f32
        case Kind.HALF:
            return numbers.f16
        case Kind.INT:
            return lambda x: numbers.i32(int(x))
        case Kind.UINT:
            return lambda x: numbers.u32(int(x))
    return bool


@lru_cache(maxsize=32)
def rounding_all(elem: Scalar, size: int) -> Callable[[Sequence[Any]], tuple[Any, ...]]:
    """Rounds ``size`` components at once."""
    round_ = rounding(elem)
    if elem.kind is not Kind.FLOAT:
        return lambda parts: tuple(map(round_, parts))
    form = struct.Struct(f"<{size}f")
    pack, unpack = form.pack, form.unpack

    def round_all(parts: Sequence[Any]) -> tuple[Any, ...]:
        try:
            return unpack(pack(*parts))
        except OverflowError:  # too large for binary32: an infinity, which f32 makes
            return tuple(map(round_, parts))

    return round_all


def _guard_zero(compute: Evaluator) -> Evaluator:
    def guarded(a: int, b: int) -> Any:
        if b == 0:
            raise ValueError("integer division by zero")
        return compute(a, b)

    return guarded


def _choose(condition: bool, a: Value, b: Value) -> Value:
    return a if condition else b


def _each(type_: Type, arg_types: tuple[Type, ...], compute: Evaluator) -> Evaluator:
    """Component-wise, each component rounded once; scalars beside vectors are splat."""
    round_ = rounding(scalar_of(type_))
    if isinstance(type_, Scalar):
        return _scalar(compute, round_, len(arg_types))
    if isinstance(type_, Matrix):
        return lambda *args: tuple(
            tuple(round_(compute(*parts)) for parts in zip(*columns, strict=True))
            for columns in zip(*args, strict=True)
        )
    assert isinstance(type_, Vector)
    size = type_.size
    round_all = rounding_all(type_.elem, size)
    if all(isinstance(t, Vector) for t in arg_types):
        return lambda *args: round_all([*map(compute, *args)])
    scalars = tuple(isinstance(t, Scalar) for t in arg_types)

    def broadcast(*args: Value) -> Value:
        wide = ((a,) * size if scalar else a for a, scalar in zip(args, scalars, strict=True))
        return round_all([*map(compute, *wide)])

    return broadcast


def _scalar(compute: Evaluator, round_: Callable[[Any], Any], arity: int) -> Evaluator:
    if round_ is numbers.f32:
        return _float_scalar(compute, arity)
    match arity:
        case 1:
            return lambda a: round_(compute(a))
        case 2:
            return lambda a, b: round_(compute(a, b))
    return lambda *args: round_(compute(*args))


def _float_scalar(compute: Evaluator, arity: int) -> Evaluator:
    """As :func:`_scalar`, with binary32 rounding in place: most of what shaders do comes here."""
    pack, unpack = _BINARY32.pack, _BINARY32.unpack

    def one(a: Any) -> Any:
        try:
            return unpack(pack(compute(a)))[0]
        except OverflowError:
            return numbers.f32(compute(a))

    def two(a: Any, b: Any) -> Any:
        try:
            return unpack(pack(compute(a, b)))[0]
        except OverflowError:
            return numbers.f32(compute(a, b))

    def many(*args: Any) -> Any:
        try:
            return unpack(pack(compute(*args)))[0]
        except OverflowError:
            return numbers.f32(compute(*args))

    return one if arity == 1 else two if arity == 2 else many


def _whole(row: Operation, type_: Type) -> Evaluator:
    compute = row.eval
    assert compute is not None
    round_ = rounding(scalar_of(type_))
    if isinstance(type_, Scalar):
        return lambda *args: round_(compute(*args))
    if isinstance(type_, Vector):
        round_all = rounding_all(type_.elem, type_.size)
        return lambda *args: round_all(compute(*args))
    return lambda *args: tuple(tuple(map(round_, column)) for column in compute(*args))


# ---------------------------------------------------------------- structural operations

_Types: TypeAlias = tuple[Type, ...]
_Path: TypeAlias = tuple[int | None, ...]


def _construct(type_: Type, arg_types: _Types, imm: _Path) -> Evaluator:
    if not isinstance(type_, Vector) or all(isinstance(t, Scalar) for t in arg_types):
        return lambda *parts: parts
    scalars = tuple(isinstance(t, Scalar) for t in arg_types)

    def flatten(*parts: Value) -> Value:
        components: list[Value] = []
        for part, scalar in zip(parts, scalars, strict=True):
            components += (part,) if scalar else part
        return tuple(components)

    return flatten


def _splat(type_: Type, arg_types: _Types, imm: _Path) -> Evaluator:
    assert isinstance(type_, Vector)
    size = type_.size
    return lambda x: (x,) * size


def _extract(type_: Type, arg_types: _Types, imm: _Path) -> Evaluator:
    if len(imm) == 1 and imm[0] is not None:
        at = imm[0]
        return lambda value: value[at]

    def extract(value: Value, *indices: int) -> Value:
        rest = iter(indices)
        for index in imm:
            chosen = next(rest) if index is None else index
            if not 0 <= chosen < len(value):
                raise ValueError("index out of range")
            value = value[chosen]
        return value

    return extract


def _insert(type_: Type, arg_types: _Types, imm: _Path) -> Evaluator:
    def insert(value: Value, part: Value) -> Value:
        return _replaced(value, imm, part)

    return insert


def _replaced(value: Value, path: _Path, part: Value) -> Value:
    if not path:
        return part
    at = path[0]
    if at is None:
        raise ValueError("the path of an insert is constant")
    return (*value[:at], _replaced(value[at], path[1:], part), *value[at + 1 :])


def _shuffle(type_: Type, arg_types: _Types, imm: _Path) -> Evaluator:
    indices = tuple(at for at in imm if at is not None)
    if isinstance(type_, Scalar):
        return lambda *vectors: sum(vectors, ())[indices[0]]
    if len(arg_types) == 1:
        return lambda vector: tuple([vector[at] for at in indices])

    def shuffle(a: Value, b: Value) -> Value:
        both = (*a, *b)
        return tuple([both[at] for at in indices])

    return shuffle


def _convert(type_: Type, arg_types: _Types, imm: _Path) -> Evaluator:
    """Bit for bit the constructors' conversions (:func:`luma.language.numbers.convert`)."""
    to = scalar_of(type_)
    if isinstance(type_, Scalar):
        return lambda x: numbers.convert(x, to)
    return lambda vector: tuple([numbers.convert(x, to) for x in vector])


_STRUCTURAL: dict[str, Callable[[Type, _Types, _Path], Evaluator]] = {
    "construct": _construct,
    "splat": _splat,
    "extract": _extract,
    "insert": _insert,
    "shuffle": _shuffle,
    "convert": _convert,
}

#: The structural operations that :func:`evaluate` knows.
STRUCTURAL_EVALUATED: tuple[str, ...] = tuple(_STRUCTURAL)

#: Every operation that :func:`evaluate` knows.
EVALUATED: tuple[str, ...] = (
    *(
        name
        for name, row in OPERATIONS.items()
        if row.eval is not None and "place" not in row.signature
    ),
    *STRUCTURAL_EVALUATED,
)
