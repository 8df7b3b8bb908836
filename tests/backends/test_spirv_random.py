"""Random programs through SPIR-V on the driver do what their reference does."""

from __future__ import annotations

import struct

import pytest
from luma.backends import EmitOptions
from luma.backends.spirv import BACKEND

from luma.language.layout import Rules, layout
from tests.backends.random_values import Program
from tests.backends.spirv_support import assemble, pack, unpack
from tests.harness.jobs import Dispatch, Resources, Storage, Uniform
from tests.harness.validators import validate_spirv
from tests.harness.worker import Driver
from tests.ir.random_programs import Generator, Reference, source
from tests.ir.sources import lowered

STATES = ([0, 0, 3, 4], [5, 1, -7, 100])


@pytest.mark.parametrize("seed", range(100, 124))
def test_random_program(seed: int, driver: Driver) -> None:
    body = Generator(seed).body()
    binary = BACKEND.emit(lowered(source(body)), EmitOptions()).output
    validate_spirv(binary)
    for state in STATES:
        wanted = list(state)
        Reference(wanted).run(body)
        job = Dispatch("main", (1, 1, 1), {(0, 0): Storage(struct.pack("4i", *state))})
        out = driver.run(job, (binary,))[0, 0]
        assert isinstance(out, bytes)
        assert list(struct.unpack("4i", out)) == wanted


@pytest.mark.parametrize("seed", range(40))
def test_random_values(seed: int, driver: Driver) -> None:
    """Straight-line code over all shapes of values."""
    program = Program(seed)
    source, result = program.source(), program.result()
    data = pack(source, [v for _, v in program.inputs], Rules.STD140)
    size = layout(result, Rules.STD430).size
    resources: Resources = {(0, 0): Uniform(data), (0, 1): Storage(bytes(size))}
    out = driver.run(Dispatch("main", (1, 1, 1), resources), (assemble(program.text()),))[0, 1]
    assert isinstance(out, bytes)
    assert unpack(result, out) == tuple(v for _, v in program.outputs)
