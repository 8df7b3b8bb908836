"""Numbers as text that reads back to the same bits."""

from __future__ import annotations

from decimal import ROUND_UP, Context

from luma.language.numbers import FLT_MAX, f16, f32
from luma.language.types import Kind

_LARGEST = {
    Kind.FLOAT: (FLT_MAX, "3.4028234663852886e38"),
    Kind.HALF: (65504.0, "65504.0"),
}


def shortest(x: float, kind: Kind) -> str:
    """The shortest decimal that rounds to the finite binary32 or binary16 value x.

    It always has a point or an exponent, never a plus sign.  The greatest finite value is
    written so that the decimal itself does not lie above it.  A half's decimal is not nearer to
    zero than the half: glslang cuts off what does not fit a half.
    """
    largest, text = _LARGEST[kind]
    if abs(x) == largest:
        return f"-{text}" if x < 0 else text
    for digits in range(1, 18):
        if kind is Kind.HALF:
            text = f"{_away_from_zero(x, digits):.{digits}g}"
            fits = f16(float(text)) == x
        else:
            text = f"{x:.{digits}g}"
            fits = f32(float(text)) == x
        if fits:
            return _tidy(text)
    raise ValueError(f"{x!r} is not finite")


def _away_from_zero(x: float, digits: int) -> float:
    """A decimal of so many digits, the next from x on."""
    return float(Context(prec=digits, rounding=ROUND_UP).create_decimal(x))


def _tidy(text: str) -> str:
    mantissa, e, exponent = text.partition("e")
    if e:
        power = int(exponent)
        if -5 <= power < 10:
            return _plain(mantissa, power)
        return f"{mantissa}e{power}"
    return mantissa if "." in mantissa else f"{mantissa}.0"


def _plain(mantissa: str, power: int) -> str:
    """The decimal without its exponent."""
    sign = "-" if mantissa.startswith("-") else ""
    whole, _, fraction = mantissa.removeprefix("-").partition(".")
    digits, point = whole + fraction, len(whole) + power
    if point <= 0:
        return f"{sign}0.{'0' * -point}{digits}"
    if point >= len(digits):
        return f"{sign}{digits}{'0' * (point - len(digits))}.0"
    return f"{sign}{digits[:point]}.{digits[point:]}"
