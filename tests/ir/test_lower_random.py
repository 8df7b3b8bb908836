"""Random programs give the same results when lowered and interpreted as in plain Python."""

from __future__ import annotations

import pytest

from luma.ir.interpret import Resources, decode, encode, run_compute
from luma.language.types import INT, Array
from tests.ir.random_programs import Generator, Reference, source
from tests.ir.sources import lowered

STATE = Array(INT, 4)
INPUTS = ((5, -3), (0, 7), (-100, 2))


@pytest.mark.parametrize("seed", range(60))
def test_random_program(seed: int) -> None:
    body = Generator(seed).body()
    module = lowered(source(body))
    for a, b in INPUTS:
        expected = [1, 0, a, b]
        Reference(expected).run(body)
        memory = bytearray(encode(STATE, (1, 0, a, b)))
        run_compute(module, "main", resources=Resources({"state": memory}))
        assert list(decode(STATE, memory)) == expected
