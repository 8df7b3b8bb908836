"""Operations on bits, and integer remainders, in simpler ones."""

from __future__ import annotations

from collections.abc import Callable

from luma.ir.module import Instr
from luma.language.types import FLOAT, INT, UINT, Vector, scalar_of, with_scalar

from .builder import Builder

Expansion = Callable[[Builder, Instr], object]


def _rem(b: Builder, instr: Instr) -> object:
    """a - b * (a / b)."""
    x, y = instr.args
    return b.each("sub", x, b.each("mul", y, b.each("div", x, y)))


def _find_lsb(b: Builder, instr: Instr) -> object:
    """The number of bits below the lowest one."""
    (x,) = instr.args
    negative = b.each("add", b.each("bit_not", x), b.like(1, x))
    below = b.each("sub", b.each("bit_and", x, negative), b.like(1, x))
    count = b.convert(b.each("bit_count", below), INT)
    return b.choose(b.compare("eq", x, b.like(0, x)), b.like(-1, count), count)


def _find_msb(b: Builder, instr: Instr) -> object:
    """The number of bits at and below the highest one, less one; of a negative int, of its
    complement."""
    (x,) = instr.args
    if scalar_of(b.types[x]) == INT:
        x = b.convert(b.each("bit_xor", x, b.shift("shr", x, 31)), UINT)
    for distance in (1, 2, 4, 8, 16):
        x = b.each("bit_or", x, b.shift("shr", x, distance))
    count = b.convert(b.each("bit_count", x), INT)
    return b.each("sub", count, b.like(1, count))


def _packer(lanes: int, signed: bool) -> Expansion:
    """Clamp, scale, round to even, and put the bits together."""
    bits = 32 // lanes
    scale = float((1 << (bits - signed)) - 1)

    def expansion(b: Builder, instr: Instr) -> object:
        (x,) = instr.args
        low = -1.0 if signed else 0.0
        limited = b.each("clamp", x, b.like(low, x), b.like(1.0, x))
        whole = b.each("round", b.each("mul", limited, b.like(scale, x)))
        mask = (1 << bits) - 1
        if signed:
            number = b.convert(b.each("bit_and", *_masked(b, b.convert(whole, INT), mask)), UINT)
        else:
            number = b.convert(whole, UINT)
        packed = b.part(number, 0)
        for lane in range(1, lanes):
            packed = b.each("bit_or", packed, b.shift("shl", b.part(number, lane), bits * lane))
        return packed

    return expansion


def _masked(b: Builder, value: int, mask: int) -> tuple[int, int]:
    return value, b.like(mask, value)


def _unpacker(lanes: int, signed: bool) -> Expansion:
    """Take the bits apart, with their sign if they have one, and scale."""
    bits = 32 // lanes
    scale = float((1 << (bits - signed)) - 1)

    def expansion(b: Builder, instr: Instr) -> object:
        (x,) = instr.args
        kind = INT if signed else UINT
        t = Vector(kind, lanes)
        lane = range(lanes)
        spread = b.splat(b.convert(x, kind), t)
        if signed:
            up = b.construct(t, [b.integer(32 - bits * (i + 1)) for i in lane])
            number = b.each("shr", b.each("shl", spread, up), b.constant(32 - bits, t))
        else:
            down = b.construct(t, [b.constant(bits * i, UINT) for i in lane])
            number = b.each("bit_and", b.each("shr", spread, down), b.constant((1 << bits) - 1, t))
        real = b.convert(number, FLOAT)
        scaled = b.each("div", real, b.like(scale, real))
        return b.each("max", scaled, b.like(-1.0, scaled)) if signed else scaled

    return expansion


def _reverse_bits(b: Builder, instr: Instr) -> object:
    """Neighbours change places, then pairs, and so on."""
    (x,) = instr.args
    kind = scalar_of(b.types[x])
    x = b.convert(x, UINT)
    for distance, mask in ((1, 0x55555555), (2, 0x33333333), (4, 0x0F0F0F0F), (8, 0x00FF00FF)):
        high = b.each("bit_and", b.shift("shr", x, distance), b.like(mask, x))
        low = b.shift("shl", b.each("bit_and", x, b.like(mask, x)), distance)
        x = b.each("bit_or", high, low)
    x = b.each("bit_or", b.shift("shr", x, 16), b.shift("shl", x, 16))
    return b.add("convert", with_scalar(instr.type, kind), [x]) if kind == INT else x


EXPANSIONS: dict[str, Expansion] = {
    "rem": _rem,
    "find_lsb": _find_lsb,
    "find_msb": _find_msb,
    "reverse_bits": _reverse_bits,
    "pack_snorm4x8": _packer(4, True),
    "pack_unorm4x8": _packer(4, False),
    "pack_snorm2x16": _packer(2, True),
    "pack_unorm2x16": _packer(2, False),
    "unpack_snorm4x8": _unpacker(4, True),
    "unpack_unorm4x8": _unpacker(4, False),
    "unpack_snorm2x16": _unpacker(2, True),
    "unpack_unorm2x16": _unpacker(2, False),
}
