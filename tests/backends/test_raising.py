"""An expanded operation gives what the operation gives."""

from __future__ import annotations

import math
import random
from typing import Any

import pytest
from luma.backends.raising import EXPANSIONS, expand

from luma.ir.interpret import run_function
from luma.ir.module import Block, Function, FunctionParam, Instr, Module, Return
from luma.ir.verify import verify
from luma.language.types import (
    BOOL,
    FLOAT,
    HALF,
    INT,
    UINT,
    Kind,
    Matrix,
    Scalar,
    Type,
    Vector,
    with_scalar,
)

VEC2, VEC3, VEC4 = (Vector(FLOAT, n) for n in (2, 3, 4))
IVEC3, UVEC2 = Vector(INT, 3), Vector(UINT, 2)
BVEC2, BVEC4 = Vector(BOOL, 2), Vector(BOOL, 4)
MATRICES = tuple(Matrix(c, r) for c in (2, 3, 4) for r in (2, 3, 4))
SQUARES = tuple(Matrix(n, n) for n in (2, 3, 4))

#: Per operation, the operand types to try, and the result.
SHAPES: dict[str, list[tuple[tuple[Type, ...], Type]]] = {
    **{op: [((t,) * 2, t) for t in (FLOAT, VEC3, HALF)] for op in ("mod",)},
    **{op: [((t,), t) for t in (FLOAT, VEC3)] for op in ("fract", "saturate", "radians")},
    "degrees": [((FLOAT,), FLOAT)],
    "clamp": [((t,) * 3, t) for t in (FLOAT, IVEC3, UINT)],
    "mix": [((t,) * 3, t) for t in (FLOAT, VEC4)],
    "step": [((t,) * 2, t) for t in (FLOAT, VEC2)],
    "smoothstep": [((t,) * 3, t) for t in (FLOAT, VEC2)],
    "sign": [((t,), t) for t in (FLOAT, VEC2, INT, IVEC3)],
    "isinf": [((t,), with_scalar(t, BOOL)) for t in (FLOAT, VEC2, HALF)],
    "select": [((BVEC2, VEC2, VEC2), VEC2), ((BOOL, VEC3, VEC3), VEC3), ((BOOL, INT, INT), INT)],
    **{op: [((t,) * 2, t) for t in (BOOL, BVEC4)] for op in ("and", "or")},
    "not": [((t,), t) for t in (BOOL, BVEC2)],
    "distance": [((t,) * 2, FLOAT) for t in (VEC2, VEC3)],
    "reflect": [((t,) * 2, t) for t in (VEC2, VEC3)],
    "faceforward": [((t,) * 3, t) for t in (VEC2, VEC3)],
    "rem": [((t,) * 2, t) for t in (INT, UINT, IVEC3)],
    "find_lsb": [((t,), with_scalar(t, INT)) for t in (INT, UINT, IVEC3, UVEC2)],
    "find_msb": [((t,), with_scalar(t, INT)) for t in (INT, UINT, IVEC3, UVEC2)],
    "reverse_bits": [((t,), t) for t in (INT, UINT, IVEC3)],
    **{
        f"pack_{k}norm{n}": [((v,), UINT)] for k in "su" for n, v in (("4x8", VEC4), ("2x16", VEC2))
    },
    **{
        f"unpack_{k}norm{n}": [((UINT,), v)]
        for k in "su"
        for n, v in (("4x8", VEC4), ("2x16", VEC2))
    },
    **{op: [((m,) * 2, m) for m in MATRICES] for op in ("add", "sub")},
    "neg": [((m,), m) for m in MATRICES],
    "mat_scale": [((m, FLOAT), m) for m in MATRICES],
    "transpose": [((m,), Matrix(m.rows, m.cols)) for m in MATRICES],
    "outer_product": [((VEC2, VEC3), Matrix(3, 2)), ((VEC4, VEC4), Matrix(4, 4))],
    "determinant": [((m,), FLOAT) for m in SQUARES],
    "inverse": [((m,), m) for m in SQUARES],
}
#: Operations whose steps are rounded one by one.
ROUNDED = frozenset(
    (
        "mod",
        "mix",
        "smoothstep",
        "radians",
        "degrees",
        "distance",
        "reflect",
        "inverse",
        "determinant",
    )
)
#: What ends in the same operation, by columns or with a splat condition.
SPLAT = frozenset({"add", "sub", "neg", "select"})
SPECIAL = (0, -1, 1, 2**31 - 1, -(2**31), 255, -256)


def _module(op: str, operands: tuple[Type, ...], result: Type) -> Module:
    params = tuple(FunctionParam(i, f"p{i}", t) for i, t in enumerate(operands))
    instr = Instr(len(params), op, result, tuple(p.id for p in params))
    block = Block(0, (), (instr,), Return((instr.id,)))
    function = Function("main", params, (result,), (block,))
    return Module((), (), (), (function,), ())


def _value(t: Type, rng: random.Random) -> Any:
    match t:
        case Scalar(Kind.BOOL):
            return rng.random() < 0.5
        case Scalar(Kind.INT):
            return rng.choice(SPECIAL) if rng.random() < 0.3 else rng.randrange(-1000, 1000)
        case Scalar(Kind.UINT):
            return rng.choice(SPECIAL) & 0xFFFFFFFF if rng.random() < 0.3 else rng.getrandbits(32)
        case Scalar():
            return rng.randrange(-64, 64) / 8 or 0.5
        case Vector(elem, size):
            return tuple(_value(elem, rng) for _ in range(size))
        case Matrix(cols):
            return tuple(_value(t.column, rng) for _ in range(cols))
    raise TypeError(str(t))


def _flat(value: Any) -> list[float]:
    return [x for part in value for x in _flat(part)] if isinstance(value, tuple) else [value]


def _same(a: Any, b: Any, rounded: bool) -> bool:
    pairs = zip(_flat(a), _flat(b), strict=True)
    if rounded:
        return all(math.isclose(x, y, rel_tol=2e-4, abs_tol=2e-4) for x, y in pairs)
    return all(x == y or (x != x and y != y) for x, y in pairs)


def test_every_expansion_is_tried() -> None:
    assert set(SHAPES) == set(EXPANSIONS)


@pytest.mark.parametrize("op", sorted(SHAPES))
def test_expansion_means_the_same(op: str) -> None:
    rng = random.Random(op)
    for operands, result in SHAPES[op]:
        module = _module(op, operands, result)
        wanted = expand(module, frozenset({op}))
        assert verify(wanted) == []
        left = [i for f in wanted.functions for i in f.instructions() if i.op == op]
        assert not any(isinstance(i.type, Matrix | Vector) for i in left) or op in SPLAT
        for _ in range(40):
            values = [_value(t, rng) for t in operands]
            if op == "rem" and 0 in _flat(values[1]):
                continue
            before = run_function(module, "main", values)
            after = run_function(wanted, "main", values)
            assert _same(before, after, op in ROUNDED), (operands, values, before, after)


def test_only_the_kind_that_is_named() -> None:
    scalar = _module("rem", (UINT, UINT), UINT)
    assert expand(scalar, frozenset({"rem.int"})) == scalar
    signed = _module("rem", (INT, INT), INT)
    assert expand(signed, frozenset({"rem.int"})) != signed


def test_unknown_operation() -> None:
    with pytest.raises(KeyError):
        expand(_module("neg", (INT,), INT), frozenset({"sample"}))
