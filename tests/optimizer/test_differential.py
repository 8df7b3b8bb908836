"""Optimized programs do what the unoptimized ones do: bit for bit, or nearly under fast rules."""

from __future__ import annotations

import pytest

from luma.ir.interpret import Resources, decode, encode, run_compute
from luma.language.numbers import f32_bits
from luma.language.types import INT, Array
from tests.ir.random_ir import random_module, results
from tests.ir.random_programs import Generator, source
from tests.optimizer.sources import lowered, optimized

LEVELS = (("basic", "strict"), ("basic", "fast"), ("aggressive", "strict"), ("aggressive", "fast"))
STATE = Array(INT, 4)


@pytest.mark.parametrize("seed", range(25))
def test_random_ir(seed: int) -> None:
    module = random_module(seed, 60)
    floats, ints = results(module)
    for level, fp in LEVELS:
        found, integers = results(optimized(module, level, fp))
        assert integers == ints
        if fp == "fast":
            assert found == pytest.approx(floats, rel=1e-3, abs=1e-3)
        else:
            assert [f32_bits(x) for x in found] == [f32_bits(x) for x in floats]


@pytest.mark.parametrize("seed", range(25))
def test_random_programs(seed: int) -> None:
    """Integers, loops, early returns, memory: the same whatever the mode."""
    module = lowered(source(Generator(seed).body()))
    made = [module, *(optimized(module, *level) for level in LEVELS)]
    for a, b in ((5, -3), (0, 7), (-100, 2)):
        first, *others = [_run(m, a, b) for m in made]
        assert all(other == first for other in others)


def _run(module: object, a: int, b: int) -> object:
    memory = bytearray(encode(STATE, (1, 0, a, b)))
    run_compute(module, "main", resources=Resources({"state": memory}))  # type: ignore[arg-type]
    return decode(STATE, memory)
