"""Numbers as text that reads back to the same bits."""

from __future__ import annotations

from luma.language.numbers import FLT_MAX, f16, f32
from luma.language.types import Kind


def shortest(x: float, kind: Kind) -> str:
    """The shortest decimal that rounds to the finite binary32 or binary16 value x.

    It always has a point or an exponent, never a plus sign.  The greatest finite value is
    written so that the decimal itself does not lie above it.
    """
    if abs(x) == FLT_MAX and kind is Kind.FLOAT:
        return "-3.4028234663852886e38" if x < 0 else "3.4028234663852886e38"
    narrow = f16 if kind is Kind.HALF else f32
    for digits in range(1, 18):
        text = f"{x:.{digits}g}"
        if narrow(float(text)) == x:
            return _tidy(text)
    raise ValueError(f"{x!r} is not finite")


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
