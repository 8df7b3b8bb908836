"""Numbers as a GPU has them: binary32, binary16 and 32-bit integers, in Python's floats and ints.

A binary32 or binary16 value is held as the Python float of the same value; these functions round
to nearest even and wrap around, so that folding and interpreting give the targets' results.
"""

from __future__ import annotations

import math
import struct
from fractions import Fraction

from luma.language.types import Kind, Scalar

FLT_MAX = 3.4028234663852886e38
HALF_MAX = 65504.0
INT_MIN, INT_MAX = -(1 << 31), (1 << 31) - 1
UINT_MAX = (1 << 32) - 1

_F32 = struct.Struct("<f")
_F16 = struct.Struct("<e")
_U32 = struct.Struct("<I")
_U16 = struct.Struct("<H")


def f32(x: float) -> float:
    """x rounded to binary32 (an overflow gives an infinity)."""
    try:
        return float(_F32.unpack(_F32.pack(x))[0])
    except OverflowError:
        return math.copysign(math.inf, x)


def f16(x: float) -> float:
    """x rounded to binary16 (an overflow gives an infinity)."""
    try:
        return float(_F16.unpack(_F16.pack(x))[0])
    except OverflowError:
        return math.copysign(math.inf, x)


def i32(x: int) -> int:
    """x wrapped to a signed 32-bit integer."""
    return ((x + (1 << 31)) & UINT_MAX) - (1 << 31)


def u32(x: int) -> int:
    """x wrapped to an unsigned 32-bit integer."""
    return x & UINT_MAX


def f32_bits(x: float) -> int:
    """The bit pattern of x as binary32."""
    return int(_U32.unpack(_F32.pack(f32(x)))[0])


def f32_from_bits(bits: int) -> float:
    """The binary32 value with the given bit pattern."""
    return float(_F32.unpack(_U32.pack(bits & UINT_MAX))[0])


def f16_bits(x: float) -> int:
    """The bit pattern of x as binary16."""
    return int(_U16.unpack(_F16.pack(f16(x)))[0])


def f16_from_bits(bits: int) -> float:
    """The binary16 value with the given bit pattern."""
    return float(_F16.unpack(_U16.pack(bits & 0xFFFF))[0])


def round_to_odd(x: Fraction) -> float:
    """x rounded to odd in double, so that a later rounding to binary32 is the only one."""
    near = float(x)
    if Fraction(near) == x or math.isinf(near):
        return near
    (bits,) = struct.unpack("<q", struct.pack("<d", near))
    if bits & 1:
        return near
    toward = math.inf if Fraction(near) < x else -math.inf
    return math.nextafter(near, toward)


Number = bool | int | float


def narrow(x: Number, to: Scalar) -> Number:
    """The result x of a computation as a value of the scalar type: rounded, wrapped or truth."""
    match to.kind:
        case Kind.FLOAT:
            return f32(float(x))
        case Kind.HALF:
            return f16(float(x))
        case Kind.INT:
            return i32(int(x))
        case Kind.UINT:
            return u32(int(x))
    return bool(x)


def convert(x: Number, to: Scalar) -> Number:
    """x converted as by the scalar's constructor in Luma.

    A float out of the integer type's range (or NaN) has an unspecified result; here it saturates
    (NaN gives 0), and the optimizer never folds it.
    """
    if isinstance(x, float) and to.kind in (Kind.INT, Kind.UINT):
        if math.isnan(x):
            return 0
        low, high = (INT_MIN, INT_MAX) if to.kind is Kind.INT else (0, UINT_MAX)
        return int(min(max(x, low), high))
    return narrow(x != 0, to) if to.kind is Kind.BOOL else narrow(x, to)
