"""Transcendental functions rounded correctly, so that a constant has the same bits everywhere.

The platform's mathematical library is fast but differs in last bits between systems.  These
functions work in decimal arithmetic with :data:`DIGITS` digits, far beyond what decides a rounding
to binary32; they are for constants of the source, not for running shaders.  Like the evaluators of
the table they return a double that the caller rounds (to odd, so that this is the one rounding).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from decimal import Context, Decimal, localcontext
from fractions import Fraction
from functools import cache

from luma.language.numbers import round_to_odd

#: Enough for a binary32 angle of any size: 39 digits before the point, and 60 to spare.
DIGITS = 120

_ONE, _TWO = Decimal(1), Decimal(2)
_SMALLEST = Decimal(10) ** -DIGITS

#: Beyond these a result of binary32 is an infinity or zero, whatever its digits.
_EXP_LIMIT = Decimal(200)


@cache
def _pi() -> Decimal:
    """Machin's formula."""
    return 4 * (4 * _arc_tangent_series(_ONE / 5) - _arc_tangent_series(_ONE / 239))


def _arc_tangent_series(x: Decimal) -> Decimal:
    total, power, square, n = Decimal(0), x, -x * x, 1
    while abs(power) > _SMALLEST:
        total += power / n
        power *= square
        n += 2
    return total


def _sine_series(x: Decimal) -> Decimal:
    total, term, n = Decimal(0), x, 1
    while abs(term) > _SMALLEST:
        total += term
        term *= -x * x / ((n + 1) * (n + 2))
        n += 2
    return total


def _sine(x: Decimal) -> Decimal:
    turns = (x / (2 * _pi())).to_integral_value()
    return _sine_series(x - turns * 2 * _pi())


def _cosine(x: Decimal) -> Decimal:
    return _sine(x + _pi() / 2)


def _arc_tangent(x: Decimal) -> Decimal:
    """By halving the angle until the series is quick."""
    if abs(x) < Decimal("0.05"):
        return _arc_tangent_series(x)
    return 2 * _arc_tangent(x / (_ONE + (_ONE + x * x).sqrt()))


def _arc_sine(x: Decimal) -> Decimal:
    if abs(x) == 1:
        return x * _pi() / 2
    return _arc_tangent(x / (_ONE - x * x).sqrt())


def _angle(y: Decimal, x: Decimal) -> Decimal:
    if x == 0:
        return _pi() / 2 if y > 0 else -_pi() / 2
    angle = _arc_tangent(y / x)
    return angle if x > 0 else angle + (-_pi() if y.is_signed() else _pi())


def _exponential(x: Decimal) -> Decimal:
    return max(-_EXP_LIMIT, min(_EXP_LIMIT, x)).exp()


def _power(x: Decimal, y: Decimal) -> Decimal:
    if x == 0:
        return Decimal(0) if y > 0 else _ONE
    if y == y.to_integral_value() and abs(y) <= 64:
        exact = Fraction(x) ** int(y)  # whose ties must be seen as ties
        return Decimal(exact.numerator) / Decimal(exact.denominator)
    return _exponential(y * x.ln())


def _hyperbolic(sign: int) -> Callable[[Decimal], Decimal]:
    return lambda x: (_exponential(x) + sign * _exponential(-x)) / 2


def _hyperbolic_tangent(x: Decimal) -> Decimal:
    twice = _exponential(2 * x)
    return (twice - 1) / (twice + 1)


_FUNCTIONS: dict[str, Callable[..., Decimal]] = {
    "pow": _power,
    "exp": _exponential,
    "exp2": lambda x: _exponential(x * _TWO.ln()),
    "log": lambda x: x.ln(),
    "log2": lambda x: x.ln() / _TWO.ln(),
    "sin": _sine,
    "cos": _cosine,
    "tan": lambda x: _sine(x) / _cosine(x),
    "asin": _arc_sine,
    "acos": lambda x: _pi() / 2 - _arc_sine(x),
    "atan": _arc_tangent,
    "atan2": _angle,
    "sinh": _hyperbolic(-1),
    "cosh": _hyperbolic(1),
    "tanh": _hyperbolic_tangent,
}


def correctly_rounded(op: str, plain: Callable[..., float]) -> Callable[..., float]:
    """The evaluator of an operation that does not depend on the platform.

    ``plain`` is the table's evaluator; it stays in charge where an argument or the result is no
    finite number (or a zero, whose sign it knows), and of all other operations.
    """
    function = _FUNCTIONS.get(op)
    if function is None:
        return plain

    def evaluate(*args: float) -> float:
        near = plain(*args)
        if near == 0 or not all(map(math.isfinite, (near, *args))):
            return near
        with localcontext(Context(prec=DIGITS, Emin=-999999, Emax=999999)):
            return round_to_odd(Fraction(function(*(Decimal(a) for a in args))))

    return evaluate
