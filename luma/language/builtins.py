"""THE table of operations: every operator and builtin function, one row each.

A row says all that is common knowledge about an operation: its name, its signature, what it may
cost, how it behaves (pure, partial, bound to its quad, ...), its SPIR-V instruction, its evaluator
and one line of documentation.  The checker resolves calls by it, the verifier checks IR by it, the
e-graph's schema, the interpreter, the SPIR-V emitter, the printers and the reference page are made
from it.  A backend adds only what it spells differently.

Signatures are written in a small language of type patterns::

    F  float or half, scalar or vector        V  float or half vector
    N  number, scalar or vector               S  like N without uint
    I  int or uint, scalar or vector          B  bool or bool vector
    A  any scalar or vector                   X  bool vector
    P  N or a matrix                          M  matrix        Q  square matrix
    T  texture of colours  D  depth texture   E  either        s  sampler  c  comparison sampler
    any type name (vec3, int, ...) stands for itself

Equal letters in one signature are equal types.  ``F~`` takes the type bound to F or its scalar,
which is then splat.  Results may also be ``scalar(V)``, ``bool(N)`` (bool shaped like N), and the
other functions in :data:`RESULT_FUNCTIONS`.  ``coord`` and ``texel`` are the coordinates of the
texture bound to T or D (a float vector with the array layer last; an int vector), ``grad`` its
gradient, ``size`` the type of its size.  ``column`` and ``row`` are the float vectors that long as
M's columns and rows; ``left, right -> product`` are matrices whose product exists; ``height,
breadth -> outer`` two float vectors and their outer product; ``place`` is memory: of the type bound
to I, or a runtime array.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from typing import Any

from luma.language import numbers
from luma.language.numbers import f16_bits, f16_from_bits, round_to_odd

Eval = Callable[..., Any]


class Effect(Enum):
    """How an operation behaves towards the rest of the program."""

    PURE = "pure"  # a total function of its operands: may be merged, moved, dropped
    PARTIAL = (
        "partial"  # pure, but unspecified for some operands: never speculated nor folded there
    )
    QUAD = "quad"  # looks at neighbouring invocations: stays in its block
    READ = "read"  # reads memory that may change: stays in order
    WRITE = "write"  # changes memory or synchronises: stays in order, is never dropped


@dataclass(frozen=True, slots=True)
class Operation:
    """One row: an IR operation, and the Luma function of the same name if ``callable``.

    ``cost`` is in issue cycles of a scalar (the extractor multiplies by the component count for
    ``each`` rows).  ``spirv`` names the instruction: one word, or one each for float, int, uint,
    bool operands; a ``std.`` prefix means GLSL.std.450; None means the emitter lowers it.
    ``each`` marks component-wise operations, whose evaluator takes scalars.  ``exact`` marks those
    whose evaluator, rounded once, is the one correct result, so that constants may be folded.
    ``eval`` works on Python numbers (vectors are tuples) and leaves rounding to its caller.
    """

    name: str
    signature: str
    cost: int
    spirv: str | None
    eval: Eval | None
    doc: str
    effect: Effect = Effect.PURE
    each: bool = False
    exact: bool = False
    commutes: bool = False
    stages: tuple[str, ...] = ()  # empty: every stage
    callable: bool = True
    term: str = ""

    @property
    def constructor(self) -> str:
        """The e-graph constructor.  None may be another's name followed by digits."""
        return self.term or "".join(w[:1].upper() + w[1:] for w in self.name.split("_"))

    @property
    def operand_typed(self) -> bool:
        """Whether the operand type does not follow from the result type (``dot``, ``lt``)."""
        operands, result = self.signature.split("->")
        first = operands.split(",")[0].strip().rstrip("~")
        return first != result.strip() and first in PATTERNS


#: The single letters of the signature language that stand for more than one type.
PATTERNS = frozenset("FVNSIBAXPMQTDEsc")

#: Functions that may wrap a letter in a result.
RESULT_FUNCTIONS = ("scalar", "bool", "int", "transposed", "size")

_ROWS: list[Operation] = []


def _row(name: str, signature: str, cost: int, spirv: str | None, ev: Eval | None, doc: str,
         **more: Any) -> None:  # fmt: skip
    _ROWS.append(Operation(name, signature, cost, spirv, ev, doc, **more))


def _operator(*args: Any, **more: Any) -> None:
    _row(*args, callable=False, **more)


# ---------------------------------------------------------------- evaluators that need more than a
# line.  Floats come and go as Python floats; an invalid operation gives NaN, as IEEE-754 has it.


def _divide(a: float, b: float) -> float:
    if isinstance(a, int) and isinstance(b, int):
        if b == 0:
            return 0
        return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
    if b == 0:
        if a == 0 or math.isnan(a):
            return math.nan
        return math.copysign(math.inf, a) * math.copysign(1.0, b)
    return a / b


def _remainder(a: int, b: int) -> int:
    return 0 if b == 0 else a - b * int(_divide(a, b))


def _floor(x: float) -> float:
    return x if not math.isfinite(x) else math.copysign(float(math.floor(x)), x)


def _ceil(x: float) -> float:
    return x if not math.isfinite(x) else math.copysign(float(math.ceil(x)), x)


def _trunc(x: float) -> float:
    return x if not math.isfinite(x) else math.copysign(float(math.trunc(x)), x)


def _round(x: float) -> float:
    return x if not math.isfinite(x) else math.copysign(float(round(x)), x)


def _fract(x: float) -> float:
    return math.nan if not math.isfinite(x) else x - math.floor(x)


def _modulo(x: float, y: float) -> float:
    """x - y * floor(x / y), each step in binary32 as the targets take it."""
    f = numbers.f32
    whole: float = _floor(f(_divide(x, y)))
    return float(f(x - f(y * whole)))


def _sign(x: float) -> float:
    return 0 * x if x == 0 or x != x else (1 if x > 0 else -1)


def _min(a: float, b: float) -> float:
    return b if b < a else a


def _max(a: float, b: float) -> float:
    return b if a < b else a


def _total(function: Callable[..., float]) -> Callable[..., float]:
    """``function`` with NaN where it has no value and an infinity where it overflows."""

    def total(*args: float) -> float:
        try:
            return function(*args)
        except ValueError:
            return math.nan
        except OverflowError:
            return math.inf

    return total


def _sinh(x: float) -> float:
    return math.copysign(_total(math.sinh)(abs(x)), x)


def _sqrt(x: float) -> float:
    return math.nan if x < 0 else math.sqrt(x)


def _inverse_sqrt(x: float) -> float:
    return _divide(1.0, _sqrt(x))


def _log(function: Callable[[float], float]) -> Callable[[float], float]:
    return lambda x: -math.inf if x == 0 else math.nan if x < 0 or x != x else function(x)


def _pow(x: float, y: float) -> float:
    if x < 0 or (x == 0 and y < 0):
        return math.nan
    return float(x**y)


def _fma(a: float, b: float, c: float) -> float:
    if not (math.isfinite(a) and math.isfinite(b) and math.isfinite(c)):
        return a * b + c
    exact = Fraction(a) * Fraction(b) + Fraction(c)
    return a * b + c if exact == 0 else round_to_odd(exact)


def _smoothstep(low: float, high: float, x: float) -> float:
    t = _min(_max(_divide(x - low, high - low), 0.0), 1.0)
    return t * t * (3.0 - 2.0 * t)


def _dot(a: tuple[float, ...], b: tuple[float, ...]) -> float:
    return sum(x * y for x, y in zip(a, b, strict=True))


def _length(v: tuple[float, ...]) -> float:
    return _sqrt(_dot(v, v))


def _scale(v: tuple[float, ...], k: float) -> tuple[float, ...]:
    return tuple(x * k for x in v)


def _subtract(a: tuple[float, ...], b: tuple[float, ...]) -> tuple[float, ...]:
    return tuple(x - y for x, y in zip(a, b, strict=True))


def _normalize(v: tuple[float, ...]) -> tuple[float, ...]:
    n = _length(v)
    return tuple(_divide(x, n) for x in v)


def _cross(a: tuple[float, ...], b: tuple[float, ...]) -> tuple[float, ...]:
    return (
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    )


def _reflect(i: tuple[float, ...], n: tuple[float, ...]) -> tuple[float, ...]:
    return _subtract(i, _scale(n, 2.0 * _dot(n, i)))


def _refract(i: tuple[float, ...], n: tuple[float, ...], eta: float) -> tuple[float, ...]:
    d = _dot(n, i)
    k = 1.0 - eta * eta * (1.0 - d * d)
    if k < 0:
        return tuple(0.0 for _ in i)
    return _subtract(_scale(i, eta), _scale(n, eta * d + math.sqrt(k)))


def _face_forward(
    n: tuple[float, ...], i: tuple[float, ...], reference: tuple[float, ...]
) -> tuple[float, ...]:
    return n if _dot(reference, i) < 0 else _scale(n, -1.0)


Columns = tuple[tuple[float, ...], ...]


def _transpose(m: Columns) -> Columns:
    return tuple(zip(*m, strict=True))


def _mat_vec(m: Columns, v: tuple[float, ...]) -> tuple[float, ...]:
    return tuple(sum(c[r] * x for c, x in zip(m, v, strict=True)) for r in range(len(m[0])))


def _minor(m: Columns, col: int, row: int) -> Columns:
    return tuple(c[:row] + c[row + 1 :] for at, c in enumerate(m) if at != col)


def _determinant(m: Columns) -> float:
    if len(m) == 1:
        return m[0][0]
    return sum((1.0, -1.0)[c & 1] * m[c][0] * _determinant(_minor(m, c, 0)) for c in range(len(m)))


def _inverse(m: Columns) -> Columns:
    d, n = _determinant(m), range(len(m))
    return tuple(
        tuple(_divide((-1) ** (r + c) * _determinant(_minor(m, r, c)), d) for r in n) for c in n
    )


def _bit_count(x: int) -> int:
    return (x & numbers.UINT_MAX).bit_count()


def _reverse_bits(x: int) -> int:
    return int(f"{x & numbers.UINT_MAX:032b}"[::-1], 2)


def _find_lsb(x: int) -> int:
    return (x & -x).bit_length() - 1


def _find_msb(x: int) -> int:
    """Of a negative int: the highest bit that is 0 (GLSL 4.60, 8.8)."""
    return (~x if x < 0 else x).bit_length() - 1


def _packer(
    lanes: int, bits: int, encode: Callable[[float], int]
) -> Callable[[tuple[float, ...]], int]:
    mask = (1 << bits) - 1
    return lambda v: sum((encode(v[i]) & mask) << (bits * i) for i in range(lanes))


def _unpacker(
    lanes: int, bits: int, decode: Callable[[int], float]
) -> Callable[[int], tuple[float, ...]]:
    mask = (1 << bits) - 1
    return lambda p: tuple(decode(p >> (bits * i) & mask) for i in range(lanes))


def _snorm(bits: int) -> Callable[[float], int]:
    top = (1 << (bits - 1)) - 1
    return lambda x: 0 if x != x else round(_min(_max(x, -1.0), 1.0) * top)


def _unorm(bits: int) -> Callable[[float], int]:
    top = (1 << bits) - 1
    return lambda x: 0 if x != x else round(_min(_max(x, 0.0), 1.0) * top)


def _from_snorm(bits: int) -> Callable[[int], float]:
    top = (1 << (bits - 1)) - 1
    sign = 1 << (bits - 1)
    return lambda p: _max(((p ^ sign) - sign) / top, -1.0)


def _from_unorm(bits: int) -> Callable[[int], float]:
    return lambda p: p / ((1 << bits) - 1)


# ---------------------------------------------------------------- the table

PURE, PARTIAL, QUAD, READ, WRITE = Effect
FRAGMENT = ("fragment",)
COMPUTE = ("compute",)

# fmt: off
# Operators. Operands are of one type; a scalar beside a vector is splat before.
_operator("add", "P, P -> P", 1, "FAdd IAdd IAdd", operator.add, "sum", each=True, exact=True, commutes=True)
_operator("sub", "P, P -> P", 1, "FSub ISub ISub", operator.sub, "difference", each=True, exact=True)
_operator("mul", "N, N -> N", 1, "FMul IMul IMul", operator.mul, "component-wise product", each=True, exact=True, commutes=True)
_operator("div", "N, N -> N", 5, "FDiv SDiv UDiv", _divide, "quotient; of ints truncated toward zero", each=True, exact=True)
_operator("rem", "I, I -> I", 16, "- SRem UMod", _remainder, "remainder of the truncated division", effect=PARTIAL, each=True, exact=True)
_operator("neg", "P -> P", 1, "FNegate SNegate SNegate", operator.neg, "negation", each=True, exact=True)
_operator("mat_scale", "M, float -> M", 1, "MatrixTimesScalar", lambda m, k: tuple(_scale(c, k) for c in m), "matrix times scalar")
_operator("mat_vec", "M, row -> column", 9, "MatrixTimesVector", _mat_vec, "matrix times column vector", term="MatVec")
_operator("vec_mat", "column, M -> row", 9, "VectorTimesMatrix", lambda v, m: tuple(_dot(v, c) for c in m), "row vector times matrix", term="VecMat")
_operator("mat_mat", "left, right -> product", 27, "MatrixTimesMatrix", lambda a, b: tuple(_mat_vec(a, c) for c in b), "matrix product", term="MatMat")
_operator("eq", "A, A -> bool(A)", 1, "FOrdEqual IEqual IEqual LogicalEqual", operator.eq, "equal, by component", each=True, exact=True, commutes=True)
_operator("ne", "A, A -> bool(A)", 1, "FUnordNotEqual INotEqual INotEqual LogicalNotEqual", operator.ne, "not equal, by component", each=True, exact=True, commutes=True)
_operator("lt", "N, N -> bool(N)", 1, "FOrdLessThan SLessThan ULessThan", operator.lt, "less, by component", each=True, exact=True)
_operator("le", "N, N -> bool(N)", 1, "FOrdLessThanEqual SLessThanEqual ULessThanEqual", operator.le, "less or equal, by component", each=True, exact=True)
_operator("gt", "N, N -> bool(N)", 1, "FOrdGreaterThan SGreaterThan UGreaterThan", operator.gt, "greater, by component", each=True, exact=True)
_operator("ge", "N, N -> bool(N)", 1, "FOrdGreaterThanEqual SGreaterThanEqual UGreaterThanEqual", operator.ge, "greater or equal, by component", each=True, exact=True)
_operator("and", "B, B -> B", 1, "LogicalAnd", lambda a, b: a and b, "both, evaluated eagerly", each=True, exact=True, commutes=True)
_operator("or", "B, B -> B", 1, "LogicalOr", lambda a, b: a or b, "either, evaluated eagerly", each=True, exact=True, commutes=True)
_operator("not", "B -> B", 1, "LogicalNot", operator.not_, "logical negation", each=True, exact=True)
_operator("bit_and", "I, I -> I", 1, "BitwiseAnd", operator.and_, "bitwise and", each=True, exact=True, commutes=True)
_operator("bit_or", "I, I -> I", 1, "BitwiseOr", operator.or_, "bitwise or", each=True, exact=True, commutes=True)
_operator("bit_xor", "I, I -> I", 1, "BitwiseXor", operator.xor, "bitwise exclusive or", each=True, exact=True, commutes=True)
_operator("bit_not", "I -> I", 1, "Not", operator.invert, "bitwise complement", each=True, exact=True)
_operator("shl", "I, I -> I", 1, None, lambda a, b: a << (b & 31), "shift left; the count is taken modulo 32", each=True, exact=True)
_operator("shr", "I, I -> I", 1, None, lambda a, b: a >> (b & 31), "shift right, arithmetic on int; count modulo 32", each=True, exact=True)

# Common
_row("abs", "S -> S", 1, "std.FAbs std.SAbs", abs, "absolute value", each=True, exact=True)
_row("sign", "S -> S", 3, "std.FSign std.SSign", _sign, "-1, 0 or 1 by the sign", each=True, exact=True)
_row("floor", "F -> F", 1, "std.Floor", _floor, "greatest integer not above x", each=True, exact=True)
_row("ceil", "F -> F", 1, "std.Ceil", _ceil, "least integer not below x", each=True, exact=True)
_row("trunc", "F -> F", 1, "std.Trunc", _trunc, "x without its fraction", each=True, exact=True)
_row("round", "F -> F", 1, "std.RoundEven", _round, "nearest integer, halves to even", each=True, exact=True)
_row("fract", "F -> F", 1, "std.Fract", _fract, "x - floor(x)", each=True, exact=True)
_row("mod", "F, F~ -> F", 7, "FMod", _modulo, "x - y * floor(x / y): has the sign of y", each=True)
_row("min", "N, N~ -> N", 1, "std.FMin std.SMin std.UMin", _min, "lesser of two", each=True, exact=True, commutes=True)
_row("max", "N, N~ -> N", 1, "std.FMax std.SMax std.UMax", _max, "greater of two", each=True, exact=True, commutes=True)
_row("clamp", "N, N~, N~ -> N", 2, "std.FClamp std.SClamp std.UClamp", lambda x, a, b: _min(_max(x, a), b), "min(max(x, low), high)", each=True, exact=True)
_row("saturate", "F -> F", 1, None, lambda x: _min(_max(x, 0.0), 1.0), "clamp(x, 0.0, 1.0)", each=True, exact=True)
_row("mix", "F, F, F~ -> F", 2, "std.FMix", lambda x, y, t: x * (1.0 - t) + y * t, "x * (1 - t) + y * t", each=True)
_row("step", "F~, F -> F", 3, "std.Step", lambda e, x: 0.0 if x < e else 1.0, "0 below the edge, else 1", each=True, exact=True)
_row("smoothstep", "F~, F~, F -> F", 10, "std.SmoothStep", _smoothstep, "smooth 0 to 1 between two edges", each=True)
_row("fma", "F, F, F -> F", 1, "std.Fma", _fma, "a * b + c", each=True, exact=True)
_row("isnan", "F -> bool(F)", 2, "IsNan", lambda x: x != x, "whether x is not a number", each=True, exact=True)
_row("isinf", "F -> bool(F)", 2, "IsInf", math.isinf, "whether x is an infinity", each=True, exact=True)
_row("select", "B, A, A -> A", 2, "Select", lambda c, a, b: a if c else b, "a where c holds, else b; both are evaluated", each=True, exact=True)

# Exponential
_row("sqrt", "F -> F", 4, "std.Sqrt", _sqrt, "square root", each=True, exact=True)
_row("inversesqrt", "F -> F", 4, "std.InverseSqrt", _inverse_sqrt, "1 / sqrt(x)", each=True, term="InverseSqrt")
_row("pow", "F, F~ -> F", 9, "std.Pow", _total(_pow), "x to the power y, for x >= 0", each=True)
_row("exp", "F -> F", 5, "std.Exp", _total(math.exp), "e to the power x", each=True, term="ExpE")
_row("exp2", "F -> F", 4, "std.Exp2", _total(lambda x: 2.0**x), "2 to the power x", each=True, term="ExpTwo")
_row("log", "F -> F", 5, "std.Log", _log(math.log), "natural logarithm", each=True, term="LogE")
_row("log2", "F -> F", 4, "std.Log2", _log(math.log2), "logarithm to base 2", each=True, term="LogTwo")

# Angles
_row("radians", "F -> F", 1, "std.Radians", math.radians, "degrees to radians", each=True)
_row("degrees", "F -> F", 1, "std.Degrees", math.degrees, "radians to degrees", each=True)
_row("sin", "F -> F", 5, "std.Sin", _total(math.sin), "sine", each=True)
_row("cos", "F -> F", 5, "std.Cos", _total(math.cos), "cosine", each=True)
_row("tan", "F -> F", 14, "std.Tan", _total(math.tan), "tangent", each=True)
_row("asin", "F -> F", 26, "std.Asin", _total(math.asin), "arc sine", each=True)
_row("acos", "F -> F", 13, "std.Acos", _total(math.acos), "arc cosine", each=True)
_row("atan", "F -> F", 15, "std.Atan", math.atan, "arc tangent", each=True, term="Atan")
_row("atan2", "F, F -> F", 36, "std.Atan2", math.atan2, "angle of the point (x, y), given y and x", each=True, term="AtanYX")
_row("sinh", "F -> F", 10, "std.Sinh", _sinh, "hyperbolic sine", each=True)
_row("cosh", "F -> F", 10, "std.Cosh", _total(math.cosh), "hyperbolic cosine", each=True)
_row("tanh", "F -> F", 21, "std.Tanh", math.tanh, "hyperbolic tangent", each=True)

# Geometry
_row("length", "V -> scalar(V)", 7, "std.Length", _length, "Euclidean length")
_row("distance", "V, V -> scalar(V)", 9, "std.Distance", lambda a, b: _length(_subtract(a, b)), "length(a - b)", commutes=True)
_row("dot", "V, V -> scalar(V)", 3, "Dot", _dot, "scalar product", commutes=True)
_row("cross", "vec3, vec3 -> vec3", 6, "std.Cross", _cross, "vector product")
_row("normalize", "V -> V", 10, "std.Normalize", _normalize, "v / length(v)")
_row("reflect", "V, V -> V", 6, "std.Reflect", _reflect, "i mirrored at the plane with unit normal n")
_row("refract", "V, V, scalar(V) -> V", 21, "std.Refract", _refract, "i bent at the surface with unit normal n")
_row("faceforward", "V, V, V -> V", 6, "std.FaceForward", _face_forward, "n turned against i as seen by a reference normal", term="FaceForward")

# Matrices
_row("transpose", "M -> transposed(M)", 0, "Transpose", _transpose, "rows become columns")
_row("inverse", "Q -> Q", 43, "std.MatrixInverse", _inverse, "inverse of a square matrix")
_row("determinant", "Q -> float", 11, "std.Determinant", _determinant, "determinant of a square matrix")
_row("outer_product", "height, breadth -> outer", 9, "OuterProduct", lambda c, r: tuple(_scale(c, x) for x in r), "column times row: a matrix")

# Bool vectors
_row("any", "X -> bool", 1, "Any", any, "whether some component holds", exact=True)
_row("all", "X -> bool", 1, "All", all, "whether every component holds", exact=True)

# Bits
_row("bit_count", "I -> I", 1, "BitCount", _bit_count, "number of bits set", each=True, exact=True)
_row("reverse_bits", "I -> I", 1, "BitReverse", _reverse_bits, "bits in reverse order", each=True, exact=True)
_row("find_lsb", "I -> int(I)", 1, "std.FindILsb", _find_lsb, "lowest bit set, or -1", each=True, exact=True)
_row("find_msb", "I -> int(I)", 3, "- std.FindSMsb std.FindUMsb", _find_msb, "highest bit that differs from the sign, or -1", each=True, exact=True)
_row("pack_snorm4x8", "vec4 -> uint", 18, "std.PackSnorm4x8", _packer(4, 8, _snorm(8)), "4 floats in -1..1 to bytes")
_row("unpack_snorm4x8", "uint -> vec4", 8, "std.UnpackSnorm4x8", _unpacker(4, 8, _from_snorm(8)), "bytes to 4 floats in -1..1")
_row("pack_unorm4x8", "vec4 -> uint", 18, "std.PackUnorm4x8", _packer(4, 8, _unorm(8)), "4 floats in 0..1 to bytes")
_row("unpack_unorm4x8", "uint -> vec4", 8, "std.UnpackUnorm4x8", _unpacker(4, 8, _from_unorm(8)), "bytes to 4 floats in 0..1")
_row("pack_snorm2x16", "vec2 -> uint", 10, "std.PackSnorm2x16", _packer(2, 16, _snorm(16)), "2 floats in -1..1 to 16 bits each")
_row("unpack_snorm2x16", "uint -> vec2", 4, "std.UnpackSnorm2x16", _unpacker(2, 16, _from_snorm(16)), "16 bits each to 2 floats in -1..1")
_row("pack_unorm2x16", "vec2 -> uint", 10, "std.PackUnorm2x16", _packer(2, 16, _unorm(16)), "2 floats in 0..1 to 16 bits each")
_row("unpack_unorm2x16", "uint -> vec2", 4, "std.UnpackUnorm2x16", _unpacker(2, 16, _from_unorm(16)), "16 bits each to 2 floats in 0..1")
_row("pack_half2x16", "vec2 -> uint", 2, "std.PackHalf2x16", _packer(2, 16, f16_bits), "2 floats to binary16")
_row("unpack_half2x16", "uint -> vec2", 2, "std.UnpackHalf2x16", _unpacker(2, 16, f16_from_bits), "binary16 to 2 floats", exact=True)

# Textures (T s is a texture and its sampler, or a combined sampler in Luma source)
_row("sample", "T, s, coord -> vec4", 20, "ImageSampleImplicitLod", None, "filtered colour, level of detail by derivatives", effect=QUAD, stages=FRAGMENT)
_row("sample_bias", "T, s, coord, float -> vec4", 20, "ImageSampleImplicitLod", None, "sample with a bias added to the level of detail", effect=QUAD, stages=FRAGMENT)
_row("sample_level", "T, s, coord, float -> vec4", 20, "ImageSampleExplicitLod", None, "filtered colour at a given level of detail")
_row("sample_grad", "T, s, coord, grad, grad -> vec4", 24, "ImageSampleExplicitLod", None, "filtered colour with given gradients")
_row("sample_compare", "D, c, coord, float -> float", 20, "ImageSampleDrefImplicitLod", None, "filtered result of comparing the reference with the depth", effect=QUAD)
_row("texel_fetch", "T, texel, int -> vec4", 20, "ImageFetch", None, "one texel of one level, unfiltered", effect=PARTIAL)
_row("texture_size", "E, int -> size(E)", 4, "ImageQuerySizeLod", None, "size of a level in texels", effect=PARTIAL)

# Derivatives
_row("dfdx", "F -> F", 2, "DPdx", None, "change of x to the pixel on the right", effect=QUAD, each=True, stages=FRAGMENT)
_row("dfdy", "F -> F", 2, "DPdy", None, "change of x to the pixel below", effect=QUAD, each=True, stages=FRAGMENT)
_row("fwidth", "F -> F", 4, "Fwidth", None, "abs(dfdx(x)) + abs(dfdy(x))", effect=QUAD, each=True, stages=FRAGMENT)

# Memory: the first operand is a place, an int or uint of a buffer or of shared memory
_row("atomic_add", "place, I -> I", 20, "AtomicIAdd", lambda a, b: a + b, "add; gives the old value", effect=WRITE)
_row("atomic_min", "place, I -> I", 20, "- AtomicSMin AtomicUMin", min, "lesser of the two; gives the old value", effect=WRITE)
_row("atomic_max", "place, I -> I", 20, "- AtomicSMax AtomicUMax", max, "greater of the two; gives the old value", effect=WRITE)
_row("atomic_and", "place, I -> I", 20, "AtomicAnd", lambda a, b: a & b, "bitwise and; gives the old value", effect=WRITE)
_row("atomic_or", "place, I -> I", 20, "AtomicOr", lambda a, b: a | b, "bitwise or; gives the old value", effect=WRITE)
_row("atomic_xor", "place, I -> I", 20, "AtomicXor", lambda a, b: a ^ b, "bitwise exclusive or; gives the old value", effect=WRITE)
_row("atomic_exchange", "place, I -> I", 20, "AtomicExchange", lambda a, b: b, "replace; gives the old value", effect=WRITE)
_row("atomic_compare_exchange", "place, I, I -> I", 24, "AtomicCompareExchange", lambda a, e, b: b if a == e else a, "replace if it equals the expected; gives the old value", effect=WRITE)
_row("array_length", "place -> int", 4, "ArrayLength", None, "number of elements of a runtime array")
_row("workgroup_barrier", "-> void", 10, "ControlBarrier", None, "wait for the workgroup; shared memory is then seen by all", effect=WRITE, stages=COMPUTE)
_row("storage_barrier", "-> void", 10, "ControlBarrier", None, "wait for the workgroup; buffer memory is then seen by all", effect=WRITE, stages=COMPUTE)
_row("discard", "-> void", 1, "Kill", None, "end the invocation's effects", effect=WRITE, stages=FRAGMENT)
# fmt: on

#: Every operation by its IR name, in the order of the table.
OPERATIONS: dict[str, Operation] = {row.name: row for row in _ROWS}


@dataclass(frozen=True, slots=True)
class Alias:
    """A Luma function that is another operation by a second name, or that one negated."""

    operation: str
    negated: bool = False
    vectors_only: bool = False


#: Luma functions that have no row of their own.
ALIASES: dict[str, Alias] = {
    "less_than": Alias("lt", vectors_only=True),
    "less_equal": Alias("le", vectors_only=True),
    "greater_than": Alias("gt", vectors_only=True),
    "greater_equal": Alias("ge", vectors_only=True),
    "equal": Alias("eq", vectors_only=True),
    "not_equal": Alias("ne", vectors_only=True),
    "none": Alias("any", negated=True),
}

#: The names of every builtin function of the language.
FUNCTIONS: tuple[str, ...] = (*(r.name for r in _ROWS if r.callable), *ALIASES)
