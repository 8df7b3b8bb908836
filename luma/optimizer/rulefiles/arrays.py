"""The operations on many values at once, in NumPy: what checking rules on 100,000 points takes.

A scalar is an array of one value a point: float64 holding binary32 or binary16 numbers, int64, or
bool.  Vectors are tuples of such arrays, matrices tuples of columns.  The results are those of
:mod:`luma.language.evaluate`, bit for bit where the table calls an operation exact.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from luma.language.builtins import OPERATIONS
from luma.language.numbers import INT_MAX, INT_MIN, UINT_MAX
from luma.language.types import (
    INT,
    Kind,
    Matrix,
    Scalar,
    Type,
    Vector,
    is_integer,
    scalar_of,
)

Array = Any  # an array of numbers of one kind; NumPy's own types say no more here
Value = Any  # an Array or a tuple of Values

_MASK = (1 << 32) - 1
_SIGN = 1 << 31


def narrowed(x: Array, to: Scalar) -> Array:
    """Numbers as values of a type: rounded to nearest even, or wrapped to 32 bits."""
    match to.kind:
        case Kind.FLOAT:
            return np.asarray(x, np.float64).astype(np.float32).astype(np.float64)
        case Kind.HALF:
            return np.asarray(x, np.float64).astype(np.float16).astype(np.float64)
        case Kind.INT:
            return ((np.asarray(x, np.int64) + _SIGN) & _MASK) - _SIGN
        case Kind.UINT:
            return np.asarray(x, np.int64) & _MASK
    return np.asarray(x, bool)


def converted(x: Array, to: Scalar) -> Array:
    """Numbers converted as by the type's constructor (:func:`luma.language.numbers.convert`)."""
    if to.kind is Kind.BOOL:
        return x != 0
    if x.dtype == np.float64 and to.kind in (Kind.INT, Kind.UINT):
        low, high = (-_SIGN, _SIGN - 1) if to.kind is Kind.INT else (0, _MASK)
        return np.trunc(np.clip(np.where(np.isnan(x), 0.0, x), low, high)).astype(np.int64)
    return narrowed(x, to)


# ---------------------------------------------------------------- by component


def _divide(a: Array, b: Array) -> Array:
    if a.dtype == np.int64:
        d = np.where(b == 0, 1, b)
        q = np.abs(a) // np.abs(d)
        return np.where(b == 0, 0, np.where((a < 0) == (d < 0), q, -q))
    return np.divide(a, b)


def _remainder(a: Array, b: Array) -> Array:
    return np.where(b == 0, 0, a - b * _divide(a, b))


def _min(a: Array, b: Array) -> Array:
    return np.where(b < a, b, a)


def _max(a: Array, b: Array) -> Array:
    return np.where(a < b, b, a)


def _clamp(x: Array, low: Array, high: Array) -> Array:
    return _min(_max(x, low), high)


def _sign(x: Array) -> Array:
    return np.where(x > 0, 1, np.where(x < 0, -1, 0 * x))


def _fract(x: Array) -> Array:
    return np.where(np.isfinite(x), x - (np.floor(x) + 0.0), np.nan)


def _modulo(x: Array, y: Array) -> Array:
    f = np.float32
    whole = np.floor((x / y).astype(f).astype(np.float64))
    return (x - (y * whole).astype(f).astype(np.float64)).astype(f).astype(np.float64)


def _fma(a: Array, b: Array, c: Array) -> Array:
    """Rounded to odd, so that the rounding that follows is the only one."""
    product = a * b  # exact: 24 bits times 24 bits
    total = product + c
    back = total - product
    lost = (product - (total - back)) + (c - back)
    even = (total.view(np.int64) & 1) == 0
    nudged = np.nextafter(total, np.where(lost > 0, np.inf, -np.inf))
    return np.where(np.isfinite(total) & (lost != 0) & np.isfinite(lost) & even, nudged, total)


def _pow(x: Array, y: Array) -> Array:
    return np.where((x < 0) | ((x == 0) & (y < 0)), np.nan, np.power(x, y))


def _smoothstep(low: Array, high: Array, x: Array) -> Array:
    t = _min(_max((x - low) / (high - low), np.zeros_like(x)), np.ones_like(x))
    return t * t * (3.0 - 2.0 * t)


def _saturate(x: Array) -> Array:
    return _clamp(x, np.zeros_like(x), np.ones_like(x))


def _bit_count(x: Array) -> Array:
    return sum((x >> k) & 1 for k in range(32))


def _reverse_bits(x: Array) -> Array:
    return sum(((x >> k) & 1) << (31 - k) for k in range(32))


def _bit_length(x: Array) -> Array:
    return np.frexp(x.astype(np.float64))[1].astype(np.int64)


def _shift_left(a: Array, b: Array) -> Array:
    return (a & _MASK) << (b & 31)


_EACH: dict[str, Callable[..., Array]] = {
    "div": _divide, "rem": _remainder, "and": np.logical_and, "or": np.logical_or,
    "not": np.logical_not, "shl": _shift_left, "sign": _sign, "floor": np.floor, "ceil": np.ceil,
    "trunc": np.trunc, "round": np.rint, "fract": _fract, "mod": _modulo, "min": _min, "max": _max,
    "clamp": _clamp, "saturate": _saturate, "step": lambda e, x: np.where(x < e, 0.0, 1.0),
    "smoothstep": _smoothstep, "fma": _fma, "isnan": np.isnan, "isinf": np.isinf,
    "select": np.where, "sqrt": np.sqrt, "inversesqrt": lambda x: 1.0 / np.sqrt(x), "pow": _pow,
    "exp": np.exp, "exp2": np.exp2, "log": np.log, "log2": np.log2, "radians": np.radians,
    "degrees": np.degrees, "sin": np.sin, "cos": np.cos, "tan": np.tan, "asin": np.arcsin,
    "acos": np.arccos, "atan": np.arctan, "atan2": np.arctan2, "sinh": np.sinh, "cosh": np.cosh,
    "tanh": np.tanh, "bit_count": _bit_count, "reverse_bits": _reverse_bits,
    "find_lsb": lambda x: _bit_length((x & _MASK) & -(x & _MASK)) - 1,
    "find_msb": lambda x: _bit_length(np.where(x < 0, ~x, x)) - 1,
}  # fmt: skip

# ---------------------------------------------------------------- of whole vectors and matrices


def _dot(a: Value, b: Value) -> Array:
    return sum(x * y for x, y in zip(a, b, strict=True))


def _length(v: Value) -> Array:
    return np.sqrt(_dot(v, v))


def _normalize(v: Value) -> Value:
    n = _length(v)
    return tuple(x / n for x in v)


def _refract(i: Value, n: Value, eta: Array) -> Value:
    d = _dot(n, i)
    k = 1.0 - eta * eta * (1.0 - d * d)
    return tuple(
        np.where(k < 0, 0.0, a * eta - b * (eta * d + np.sqrt(np.abs(k))))
        for a, b in zip(i, n, strict=True)
    )


def _face_forward(n: Value, i: Value, reference: Value) -> Value:
    keeps = _dot(reference, i) < 0
    return tuple(np.where(keeps, x, x * -1.0) for x in n)


def _inverse(m: Value) -> Value:
    from luma.language.builtins import _determinant, _minor

    d, n = _determinant(m), range(len(m))
    return tuple(tuple((-1) ** (r + c) * _determinant(_minor(m, r, c)) / d for r in n) for c in n)


def _packer(lanes: int, bits: int, encode: Callable[[Array], Array]) -> Callable[[Value], Array]:
    mask = (1 << bits) - 1
    return lambda v: sum((encode(v[i]) & mask) << (bits * i) for i in range(lanes))


def _unpacker(lanes: int, bits: int, decode: Callable[[Array], Array]) -> Callable[[Array], Value]:
    mask = (1 << bits) - 1
    return lambda p: tuple(decode(p >> (bits * i) & mask) for i in range(lanes))


def _norm(low: float, top: int) -> Callable[[Array], Array]:
    def encode(x: Array) -> Array:
        known = np.where(np.isnan(x), 0.0, np.clip(x, low, 1.0))
        return np.rint(known * top).astype(np.int64)

    return encode


def _from_snorm(bits: int) -> Callable[[Array], Array]:
    top, sign = (1 << (bits - 1)) - 1, 1 << (bits - 1)
    return lambda p: np.maximum(((p ^ sign) - sign) / top, -1.0)


def _half_bits(x: Array) -> Array:
    return x.astype(np.float16).view(np.uint16).astype(np.int64)


def _from_half(p: Array) -> Array:
    return p.astype(np.uint16).view(np.float16).astype(np.float64)


_WHOLE: dict[str, Callable[..., Value]] = {
    "length": _length, "normalize": _normalize, "refract": _refract, "inverse": _inverse,
    "distance": lambda a, b: _length(tuple(x - y for x, y in zip(a, b, strict=True))),
    "faceforward": _face_forward,
    "any": lambda v: np.logical_or.reduce(v), "all": lambda v: np.logical_and.reduce(v),
    "pack_snorm4x8": _packer(4, 8, _norm(-1.0, 127)),
    "unpack_snorm4x8": _unpacker(4, 8, _from_snorm(8)),
    "pack_unorm4x8": _packer(4, 8, _norm(0.0, 255)),
    "unpack_unorm4x8": _unpacker(4, 8, lambda p: p / 255),
    "pack_snorm2x16": _packer(2, 16, _norm(-1.0, 32767)),
    "unpack_snorm2x16": _unpacker(2, 16, _from_snorm(16)),
    "pack_unorm2x16": _packer(2, 16, _norm(0.0, 65535)),
    "unpack_unorm2x16": _unpacker(2, 16, lambda p: p / 65535),
    "pack_half2x16": _packer(2, 16, _half_bits), "unpack_half2x16": _unpacker(2, 16, _from_half),
}  # fmt: skip

# ---------------------------------------------------------------- any operation


def rounded(value: Value, t: Type) -> Value:
    """A value with every component brought to its type."""
    if isinstance(value, tuple):
        return tuple(rounded(v, t) for v in value)
    return narrowed(value, scalar_of(t))


def components(value: Value) -> list[Array]:
    """The arrays of a value, in order."""
    if isinstance(value, tuple):
        return [c for v in value for c in components(v)]
    return [value]


def applied(
    op: str, t: Type, kinds: tuple[Type, ...], values: list[Value], imm: tuple[int, ...]
) -> Value:
    """The operation on the values, not yet rounded.  Raises KeyError if there is none such."""
    structural = _STRUCTURAL.get(op)
    if structural is not None:
        return structural(t, kinds, values, imm)
    row = OPERATIONS[op]
    if row.eval is None:
        raise KeyError(op)
    if op == "select" and isinstance(kinds[0], Scalar):
        return _chosen(*values)
    if row.each:
        return _by_component(_EACH.get(op, row.eval), t, values)
    return _WHOLE.get(op, row.eval)(*values)


def _chosen(condition: Array, a: Value, b: Value) -> Value:
    if isinstance(a, tuple):
        return tuple(_chosen(condition, x, y) for x, y in zip(a, b, strict=True))
    return np.where(condition, a, b)


def _by_component(compute: Callable[..., Array], t: Type, values: list[Value]) -> Value:
    match t:
        case Vector(size=count) | Matrix(cols=count):
            wide = [v if isinstance(v, tuple) else (v,) * count for v in values]
            inner = t.column if isinstance(t, Matrix) else scalar_of(t)
            parts = zip(*wide, strict=True)
            return tuple(_by_component(compute, inner, list(p)) for p in parts)
    return compute(*values)


def _flat(t: Type, kinds: tuple[Type, ...], values: list[Value]) -> Value:
    if not isinstance(t, Vector):
        return tuple(values)
    return tuple(c for v in values for c in components(v))


def _inserted(value: Value, at: int, part: Value) -> Value:
    return (*value[:at], part, *value[at + 1 :])


_STRUCTURAL: dict[str, Callable[..., Value]] = {
    "construct": lambda t, kinds, values, imm: _flat(t, kinds, values),
    "splat": lambda t, kinds, values, imm: (values[0],) * t.size,
    "extract": lambda t, kinds, values, imm: values[0][imm[0]],
    "insert": lambda t, kinds, values, imm: _inserted(values[0], imm[0], values[1]),
    "shuffle": lambda t, kinds, values, imm: tuple(values[0][at] for at in imm),
    "convert": lambda t, kinds, values, imm: _converted(values[0], scalar_of(t)),
}


def _converted(value: Value, to: Scalar) -> Value:
    if isinstance(value, tuple):
        return tuple(_converted(v, to) for v in value)
    return converted(value, to)


def has_no_value(op: str, t: Type, values: list[Value]) -> Array | None:
    """Where an operation is unspecified; None if nowhere."""
    if op in ("div", "rem") and is_integer(t):
        return np.logical_or.reduce([c == 0 for c in components(values[1])])
    parts = components(values[0]) if op == "convert" and is_integer(t) else []
    if parts and parts[0].dtype == np.float64:  # truncated, a float has to be in range
        low, high = (INT_MIN, INT_MAX) if scalar_of(t) == INT else (0, UINT_MAX)
        return np.logical_or.reduce([~((c > low - 1) & (c < high + 1)) for c in parts])
    return None
