"""Evaluation of operations: rounded once, wrapped, total over every special value."""

from __future__ import annotations

import itertools
import math
import random
import struct
from typing import Any

import numpy as np
import pytest

from luma.language import numbers
from luma.language.builtins import OPERATIONS, Operation
from luma.language.evaluate import EVALUATED, evaluate, zero
from luma.language.signatures import match, parse
from luma.language.types import (
    BOOL,
    FLOAT,
    HALF,
    INT,
    NAMED_TYPES,
    UINT,
    Array,
    Field,
    Kind,
    Matrix,
    Scalar,
    Struct,
    Type,
    Vector,
    scalar_of,
)

VEC2, VEC3, VEC4 = (Vector(FLOAT, n) for n in (2, 3, 4))
F32 = numbers.f32

SPECIAL: dict[Kind, tuple[Any, ...]] = {
    Kind.FLOAT: (
        0.0, -0.0, 1.0, -1.0, 0.5, -2.5, math.inf, -math.inf, math.nan, numbers.FLT_MAX,
        -numbers.FLT_MAX, 2.0**-149, -(2.0**-126), F32(0.1), 1e10, 4294967296.0,
    ),
    Kind.HALF: (0.0, -0.0, 1.0, -2.5, math.inf, -math.inf, math.nan, 65504.0, 2.0**-24),
    Kind.INT: (0, 1, -1, 5, -7, 31, 32, numbers.INT_MIN, numbers.INT_MAX),
    Kind.UINT: (0, 1, 2, 31, 32, 255, numbers.UINT_MAX),
    Kind.BOOL: (False, True),
}  # fmt: skip

VALUE_TYPES = [t for t in NAMED_TYPES.values() if isinstance(t, Scalar | Vector | Matrix)]


def any_value(rng: random.Random, t: Type) -> Any:
    match t:
        case Scalar(kind):
            return rng.choice(SPECIAL[kind])
        case Vector(elem, size):
            return tuple(any_value(rng, elem) for _ in range(size))
        case Matrix(cols=cols) as matrix:
            return tuple(any_value(rng, matrix.column) for _ in range(cols))
    raise TypeError(str(t))


def overloads(row: Operation) -> list[tuple[tuple[Type, ...], Type]]:
    """Argument types that an operation takes, with its result."""
    count = len(parse(row.signature).operands)
    found = []
    for first in itertools.product(VALUE_TYPES, repeat=min(count, 2)):
        for last in (first[-1], scalar_of(first[-1])):
            types = first + (last,) * (count - len(first))
            result = match(row.signature, types)
            if result is not None and (types, result) not in found:
                found.append((types, result))
    return found


def is_value(t: Type, value: Any) -> bool:
    """Whether a Python value is exactly one of the type."""
    match t:
        case Scalar(Kind.BOOL):
            return isinstance(value, bool)
        case Scalar(Kind.INT | Kind.UINT):
            return type(value) is int and numbers.narrow(value, t) == value
        case Scalar():
            return isinstance(value, float) and (
                math.isnan(value) or numbers.narrow(value, t) == value
            )
        case Vector(elem, size):
            return len(value) == size and all(is_value(elem, x) for x in value)
        case Matrix(cols=cols) as matrix:
            return len(value) == cols and all(is_value(matrix.column, c) for c in value)
    return False


@pytest.mark.parametrize("name", [n for n in EVALUATED if n in OPERATIONS])
def test_every_operation_is_total(name: str) -> None:
    """No special value makes an evaluator fail, and what comes out is of the result's type."""
    row = OPERATIONS[name]
    rng = random.Random(name)
    found = overloads(row)
    assert found, "no overload found"
    for types, result in found:
        for _ in range(25):
            args = [any_value(rng, t) for t in types]
            try:
                value = evaluate(name, result, types, args)
            except ValueError as error:
                assert name in ("div", "rem"), error
                continue
            assert is_value(result, value), (args, value)


def test_every_row_with_an_evaluator_is_known() -> None:
    for row in OPERATIONS.values():
        places = "place" in row.signature
        assert (row.name in EVALUATED) == (row.eval is not None and not places)


def same(a: float, b: float) -> bool:
    return struct.pack("<f", a) == struct.pack("<f", b) or (math.isnan(a) and math.isnan(b))


FLOAT_PAIRS = [
    *itertools.product(SPECIAL[Kind.FLOAT], repeat=2),
    *(
        (F32(random.Random(i).uniform(-1e3, 1e3)), F32(random.Random(-i).gauss(0, 1e-3)))
        for i in range(200)
    ),
]


@pytest.mark.parametrize(
    ("op", "reference"),
    [("add", np.add), ("sub", np.subtract), ("mul", np.multiply), ("div", np.divide)],
)
def test_float_arithmetic_is_binary32(op: str, reference: Any) -> None:
    with np.errstate(all="ignore"):
        for a, b in FLOAT_PAIRS:
            expected = float(reference(np.float32(a), np.float32(b)))
            assert same(evaluate(op, FLOAT, (FLOAT, FLOAT), (a, b)), expected), (a, b)


@pytest.mark.parametrize(
    ("op", "reference"),
    [("sqrt", np.sqrt), ("floor", np.floor), ("ceil", np.ceil), ("trunc", np.trunc),
     ("round", np.rint), ("neg", np.negative), ("abs", np.abs)],
)  # fmt: skip
def test_float_functions_are_binary32(op: str, reference: Any) -> None:
    with np.errstate(all="ignore"):
        for a, _ in FLOAT_PAIRS:
            expected = float(reference(np.float32(a)))
            assert same(evaluate(op, FLOAT, (FLOAT,), (a,)), expected), a


@pytest.mark.parametrize("op", ["add", "sub", "mul", "div"])
def test_half_arithmetic_is_binary16(op: str) -> None:
    reference = {"add": np.add, "sub": np.subtract, "mul": np.multiply, "div": np.divide}[op]
    with np.errstate(all="ignore"):
        for a, b in itertools.product(SPECIAL[Kind.HALF], repeat=2):
            expected = float(reference(np.float16(a), np.float16(b)))
            assert same(evaluate(op, HALF, (HALF, HALF), (a, b)), expected), (a, b)


@pytest.mark.parametrize(
    ("op", "t", "args", "expected"),
    [
        ("add", INT, (numbers.INT_MAX, 1), numbers.INT_MIN),
        ("neg", INT, (numbers.INT_MIN,), numbers.INT_MIN),
        ("mul", INT, (65536, 65536), 0),
        ("sub", UINT, (0, 1), numbers.UINT_MAX),
        ("div", INT, (-7, 2), -3),
        ("rem", INT, (-7, 2), -1),
        ("rem", INT, (7, -3), 1),
        ("div", INT, (numbers.INT_MIN, -1), numbers.INT_MIN),
        ("div", UINT, (numbers.UINT_MAX, 2), 0x7FFFFFFF),
        ("shl", INT, (1, 33), 2),
        ("shr", INT, (-8, 1), -4),
        ("shr", UINT, (0x80000000, 31), 1),
        ("shl", INT, (1, -1), numbers.INT_MIN),
        ("bit_not", UINT, (0,), numbers.UINT_MAX),
        ("bit_not", INT, (0,), -1),
        ("reverse_bits", INT, (1,), numbers.INT_MIN),
        ("bit_count", INT, (-1,), 32),
        ("sign", INT, (-9,), -1),
        ("abs", INT, (numbers.INT_MIN,), numbers.INT_MIN),
        ("mod", FLOAT, (-0.5, 1.0), 0.5),
        ("mod", FLOAT, (5.5, -2.0), -0.5),
        ("round", FLOAT, (2.5,), 2.0),
        ("round", FLOAT, (-0.5,), -0.0),
        ("fma", FLOAT, (1.0 + 2.0**-23, 1.0 - 2.0**-23, -1.0), -(2.0**-46)),
        ("mul", FLOAT, (1e30, 1e30), math.inf),
        ("pow", FLOAT, (2.0, 10.0), 1024.0),
        ("sinh", FLOAT, (-1000.0,), -math.inf),
        ("clamp", FLOAT, (5.0, 0.0, 1.0), 1.0),
        ("step", FLOAT, (1.0, 1.0), 1.0),
        ("smoothstep", FLOAT, (0.0, 1.0, 0.5), 0.5),
        ("mul", VEC2, ((1e30, 2.0), (1e30, 3.0)), (math.inf, 6.0)),
        ("dot", FLOAT, ((1.0, 2.0, 3.0), (4.0, 5.0, 6.0)), 32.0),
        ("cross", VEC3, ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0)), (0.0, 0.0, 1.0)),
    ],
)
def test_known_results(op: str, t: Type, args: tuple[Any, ...], expected: Any) -> None:
    kinds = tuple(Vector(FLOAT, len(a)) if isinstance(a, tuple) else scalar_of(t) for a in args)
    assert repr(evaluate(op, t, kinds, args)) == repr(expected)


@pytest.mark.parametrize("op", ["div", "rem"])
@pytest.mark.parametrize("t", [INT, UINT, Vector(INT, 2)])
def test_integer_division_by_zero_has_no_value(op: str, t: Type) -> None:
    args = ((1, 2), (1, 0)) if isinstance(t, Vector) else (1, 0)
    with pytest.raises(ValueError, match="division by zero"):
        evaluate(op, t, (t, t), args)


def test_matrices_are_columns() -> None:
    m = ((1.0, 2.0, 3.0), (4.0, 5.0, 6.0))  # mat2x3
    mat = Matrix(2, 3)
    assert evaluate("mat_vec", VEC3, (mat, VEC2), (m, (1.0, 10.0))) == (41.0, 52.0, 63.0)
    assert evaluate("vec_mat", VEC2, (VEC3, mat), ((1.0, 10.0, 100.0), m)) == (321.0, 654.0)
    other = ((1.0, 0.0), (0.0, 2.0), (1.0, 1.0))  # mat3x2
    product = evaluate("mat_mat", Matrix(3, 3), (mat, Matrix(3, 2)), (m, other))
    assert product == ((1.0, 2.0, 3.0), (8.0, 10.0, 12.0), (5.0, 7.0, 9.0))
    assert evaluate("transpose", Matrix(3, 2), (mat,), (m,)) == ((1.0, 4.0), (2.0, 5.0), (3.0, 6.0))
    outer = evaluate("outer_product", mat, (VEC3, VEC2), ((1.0, 2.0, 3.0), (1.0, 4.0)))
    assert outer == ((1.0, 2.0, 3.0), (4.0, 8.0, 12.0))
    assert evaluate("add", mat, (mat, mat), (m, m)) == ((2.0, 4.0, 6.0), (8.0, 10.0, 12.0))


@pytest.mark.parametrize("size", [2, 3, 4])
def test_inverse_and_determinant(size: int) -> None:
    rng = np.random.default_rng(size)
    m = rng.normal(size=(size, size)).astype(np.float32)
    columns = tuple(tuple(float(x) for x in column) for column in m)
    t = Matrix(size, size)
    inverse = np.array(evaluate("inverse", t, (t,), (columns,)))
    assert np.allclose(inverse, np.linalg.inv(m.astype(np.float64)), rtol=1e-4)
    determinant = evaluate("determinant", FLOAT, (t,), (columns,))
    assert determinant == pytest.approx(np.linalg.det(m.astype(np.float64)), rel=1e-4)
    singular = (columns[0],) * size
    assert not any(math.isfinite(x) for c in evaluate("inverse", t, (t,), (singular,)) for x in c)


def test_packing_comes_back() -> None:
    for name, lanes in (("snorm4x8", 4), ("unorm4x8", 4), ("snorm2x16", 2), ("half2x16", 2)):
        vector = (0.0, 1.0, 0.0, 1.0)[:lanes]
        t = Vector(FLOAT, lanes)
        packed = evaluate(f"pack_{name}", UINT, (t,), (vector,))
        assert evaluate(f"unpack_{name}", t, (UINT,), (packed,)) == vector
    assert evaluate("pack_snorm4x8", UINT, (VEC4,), ((-1.0, -2.0, math.nan, 1.0),)) == 0x7F008181


S = Struct("S", (Field("a", FLOAT), Field("b", VEC3)))


@pytest.mark.parametrize(
    ("op", "t", "kinds", "args", "imm", "expected"),
    [
        ("construct", VEC4, (VEC2, FLOAT, FLOAT), ((1.0, 2.0), 3.0, 4.0), (), (1.0, 2.0, 3.0, 4.0)),
        ("construct", VEC2, (FLOAT, FLOAT), (1.0, 2.0), (), (1.0, 2.0)),
        ("construct", S, (FLOAT, VEC3), (1.0, (1.0, 2.0, 3.0)), (), (1.0, (1.0, 2.0, 3.0))),
        ("splat", VEC3, (FLOAT,), (2.0,), (), (2.0, 2.0, 2.0)),
        ("extract", FLOAT, (S,), ((1.0, (2.0, 3.0, 4.0)),), (1, 2), 4.0),
        ("extract", FLOAT, (VEC3, INT), ((1.0, 2.0, 3.0), 1), (None,), 2.0),
        ("insert", S, (S, FLOAT), ((1.0, (2.0, 3.0, 4.0)), 9.0), (1, 0), (1.0, (9.0, 3.0, 4.0))),
        ("shuffle", VEC3, (VEC2,), ((1.0, 2.0),), (1, 0, 1), (2.0, 1.0, 2.0)),
        ("shuffle", VEC2, (VEC2, VEC2), ((1.0, 2.0), (3.0, 4.0)), (3, 0), (4.0, 1.0)),
        ("convert", INT, (FLOAT,), (-2.9,), (), -2),
        ("convert", FLOAT, (INT,), (16777217,), (), 16777216.0),
        ("convert", HALF, (FLOAT,), (70000.0,), (), math.inf),
        ("convert", BOOL, (FLOAT,), (math.nan,), (), True),
        ("convert", FLOAT, (BOOL,), (True,), (), 1.0),
        ("convert", UINT, (INT,), (-1,), (), numbers.UINT_MAX),
        ("convert", Vector(INT, 2), (Vector(UINT, 2),), ((numbers.UINT_MAX, 1),), (), (-1, 1)),
        ("select", VEC2, (BOOL, VEC2, VEC2), (False, (1.0, 2.0), (3.0, 4.0)), (), (3.0, 4.0)),
        ("select", VEC2, (Vector(BOOL, 2), VEC2, VEC2),
         ((True, False), (1.0, 2.0), (3.0, 4.0)), (), (1.0, 4.0)),
    ],
)  # fmt: skip
def test_structural_operations(
    op: str, t: Type, kinds: tuple[Type, ...], args: Any, imm: Any, expected: Any
) -> None:
    assert repr(evaluate(op, t, kinds, args, imm)) == repr(expected)


def test_index_out_of_range_has_no_value() -> None:
    for index in (-1, 3):
        with pytest.raises(ValueError, match="out of range"):
            evaluate("extract", FLOAT, (VEC3, INT), ((1.0, 2.0, 3.0), index), (None,))


def test_what_cannot_be_evaluated() -> None:
    for op in ("sample", "workgroup_barrier", "load", "nonsense"):
        with pytest.raises(KeyError):
            evaluate(op, FLOAT, (), ())


def test_zero() -> None:
    assert zero(Array(S, 2)) == ((0.0, (0.0, 0.0, 0.0)),) * 2
    assert zero(Matrix(2, 2)) == ((0.0, 0.0), (0.0, 0.0))
    assert zero(Vector(BOOL, 2)) == (False, False)
    with pytest.raises(TypeError):
        zero(Array(FLOAT, None))


def test_min_and_max_of_equal_signs_keep_an_operand() -> None:
    """GLSL's min(x, y) is y only if y < x: so of two zeros it is the first."""
    assert repr(evaluate("min", FLOAT, (FLOAT, FLOAT), (0.0, -0.0))) == "0.0"
    assert repr(evaluate("max", FLOAT, (FLOAT, FLOAT), (-0.0, 0.0))) == "-0.0"
