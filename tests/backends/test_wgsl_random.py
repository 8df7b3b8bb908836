"""Random programs through WGSL do what the interpreter and the reference do."""

from __future__ import annotations

import math
import struct

import pytest
from luma.backends import EmitOptions
from luma.backends.wgsl import BACKEND

from luma.ir.module import Module
from luma.language.types import Space
from tests.harness import wgsl
from tests.harness.jobs import Dispatch, Outputs, Storage, Uniform
from tests.ir.random_ir import buffers, random_module, results
from tests.ir.random_programs import Generator, Reference, source
from tests.ir.sources import lowered

STATES = ([0, 0, 3, 4], [5, 1, -7, 100])


def text_of(module: Module) -> bytes:
    made = BACKEND.emit(module, EmitOptions())
    assert made.diagnostics == ()
    output: bytes = made.output
    return output


def run(module: Module) -> tuple[Outputs, dict[str, tuple[int, int]]]:
    """What a random module writes, and where its buffers are."""
    places, resources = {}, {}
    for item in module.globals:
        if item.group is None or item.binding is None:
            continue
        data = bytes(buffers()[item.name])
        places[item.name] = slot = (item.group, item.binding)
        resources[slot] = Uniform(data) if item.space is Space.UNIFORM else Storage(data)
    job = Dispatch("main", (1, 1, 1), resources)
    return wgsl.driver().run(job, (text_of(module),)), places


@pytest.mark.parametrize("seed", range(30))
def test_random_ir(seed: int) -> None:
    module = random_module(seed + 5000, size=20 + 4 * seed)
    floats, ints = results(module)
    out, places = run(module)
    found_floats, found_ints = out[places["fout"]], out[places["iout"]]
    assert isinstance(found_floats, bytes) and isinstance(found_ints, bytes)
    assert struct.unpack(f"{len(ints)}i", found_ints) == ints
    for found, wanted in zip(struct.unpack(f"{len(floats)}f", found_floats), floats, strict=True):
        assert math.isclose(found, wanted, rel_tol=1e-4, abs_tol=1e-4)


@pytest.mark.parametrize("seed", range(200, 224))
def test_random_control_flow(seed: int) -> None:
    body = Generator(seed).body()
    text = text_of(lowered(source(body)))
    for state in STATES:
        wanted = list(state)
        Reference(wanted).run(body)
        job = Dispatch("main", (1, 1, 1), {(0, 0): Storage(struct.pack("4i", *state))})
        out = wgsl.driver().run(job, (text,))[0, 0]
        assert isinstance(out, bytes)
        assert list(struct.unpack("4i", out)) == wanted
