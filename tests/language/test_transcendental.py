"""Constants with transcendental functions: right to the last bit, specials as in the table."""

from __future__ import annotations

import math
import random

import pytest

from luma.language.builtins import OPERATIONS
from luma.language.evaluate import evaluate, evaluate_constant
from luma.language.numbers import f32, f32_bits
from luma.language.types import FLOAT

UNARY = ["exp", "exp2", "log", "log2", "sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh",
         "tanh"]  # fmt: skip


def _bits(op: str, *args: float) -> int:
    return f32_bits(evaluate_constant(op, FLOAT, (FLOAT,) * len(args), args))


@pytest.mark.parametrize("op", UNARY)
def test_close_to_the_platform(op: str) -> None:
    """The platform's double results are within an ulp of binary64, so nearly all bits agree."""
    draw = random.Random(op)
    differing = 0
    for _ in range(100):
        x = f32(draw.uniform(-1, 1) * draw.choice([1.0, 1.0, 1e-3, 20.0, 1e6]))
        plain = evaluate(op, FLOAT, (FLOAT,), (x,))
        value = evaluate_constant(op, FLOAT, (FLOAT,), (x,))
        if math.isnan(plain):
            assert math.isnan(value)
        else:
            differing += value != plain
            assert value == plain or abs(f32_bits(value) - f32_bits(plain)) == 1, x
    assert differing <= 1


@pytest.mark.parametrize(
    ("op", "args", "bits"),
    [
        # Known results of binary32 functions, from the definition to 40 digits.
        ("exp", (1.0,), 0x402DF854),
        ("log2", (8.0,), 0x40400000),
        ("exp2", (-149.0,), 0x00000001),
        ("sin", (f32(3.1415927),), 0xB3BBBD2E),
        ("cos", (0.0,), 0x3F800000),
        ("atan2", (1.0, -1.0), 0x4016CBE4),
        ("acos", (-1.0,), 0x40490FDB),
        ("pow", (3.0, 4.0), 0x42A20000),
        ("pow", (2.0, 0.5), 0x3FB504F3),
        ("pow", (f32(4097.0), 2.0), 0x4B801000),  # a tie, to even
        ("tanh", (50.0,), 0x3F800000),
        ("sin", (f32(1e30),), f32_bits(f32(math.sin(f32(1e30))))),
    ],
)
def test_known_values(op: str, args: tuple[float, ...], bits: int) -> None:
    assert _bits(op, *args) == bits


@pytest.mark.parametrize("op", [*UNARY, "pow", "atan2"])
def test_special_values_are_the_tables(op: str) -> None:
    special = [0.0, -0.0, math.inf, -math.inf, math.nan, -1.0, 1.0, 1e38, -1e38]
    count = OPERATIONS[op].signature.count(",") + 1
    for x in special:
        args = (x, *[special[5]] * (count - 1))
        a = evaluate(op, FLOAT, (FLOAT,) * count, args)
        b = evaluate_constant(op, FLOAT, (FLOAT,) * count, args)
        assert (math.isnan(a) and math.isnan(b)) or abs(f32_bits(a) - f32_bits(b)) <= 1, args
