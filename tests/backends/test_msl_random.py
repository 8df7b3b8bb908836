"""Random programs through MSL do what the interpreter and the reference do."""

from __future__ import annotations

import math
import pickle
import struct
from functools import lru_cache

import pytest

from luma.ir.module import Module
from luma.language.types import Space
from tests.harness.jobs import Dispatch, Outputs, Storage, Uniform
from tests.harness.msl.host import Stage
from tests.harness.msl.run import driver, emit_text, stage_of
from tests.harness.msl.toolchain import compile_texts
from tests.ir.random_ir import buffers, random_module, results
from tests.ir.random_programs import Generator, Reference, source
from tests.ir.sources import lowered

IR_SEEDS = range(24)
FLOW_SEEDS = range(200, 224)
STATES = ([0, 0, 3, 4], [5, 1, -7, 100])


def _compiled(modules: dict[str, Module]) -> dict[str, Stage]:
    library, sources = compile_texts({name: emit_text(m) for name, m in modules.items()})
    return {
        name: stage_of(m, m.entry_points[0].name, str(library), name, sources[name])
        for name, m in modules.items()
    }


@lru_cache(maxsize=1)
def _ir() -> tuple[dict[str, Module], dict[str, Stage]]:
    modules = {f"ir_{seed}": random_module(seed + 5000, size=20 + 4 * seed) for seed in IR_SEEDS}
    return modules, _compiled(modules)


@lru_cache(maxsize=1)
def _flow() -> dict[str, Stage]:
    bodies = {f"flow_{seed}": Generator(seed).body() for seed in FLOW_SEEDS}
    return _compiled({name: lowered(source(body)) for name, body in bodies.items()})


def _run(job: Dispatch, stage: Stage) -> Outputs:
    return driver().run(job, (pickle.dumps(stage),))


@pytest.mark.parametrize("seed", IR_SEEDS)
def test_random_ir(seed: int) -> None:
    modules, stages = _ir()
    module = modules[f"ir_{seed}"]
    places, resources = {}, {}
    for item in module.globals:
        if item.group is None or item.binding is None:
            continue
        data = bytes(buffers()[item.name])
        places[item.name] = slot = (item.group, item.binding)
        resources[slot] = Uniform(data) if item.space is Space.UNIFORM else Storage(data)
    floats, ints = results(module)
    out = _run(Dispatch("main", (1, 1, 1), resources), stages[f"ir_{seed}"])
    found_floats, found_ints = out[places["fout"]], out[places["iout"]]
    assert isinstance(found_floats, bytes) and isinstance(found_ints, bytes)
    assert struct.unpack(f"{len(ints)}i", found_ints) == ints
    for found, wanted in zip(struct.unpack(f"{len(floats)}f", found_floats), floats, strict=True):
        assert math.isclose(found, wanted, rel_tol=1e-4, abs_tol=1e-4)


@pytest.mark.parametrize("seed", FLOW_SEEDS)
def test_random_control_flow(seed: int) -> None:
    body = Generator(seed).body()
    for state in STATES:
        wanted = list(state)
        Reference(wanted).run(body)
        job = Dispatch("main", (1, 1, 1), {(0, 0): Storage(struct.pack("4i", *state))})
        out = _run(job, _flow()[f"flow_{seed}"])[0, 0]
        assert isinstance(out, bytes)
        assert list(struct.unpack("4i", out)) == wanted
