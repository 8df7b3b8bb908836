"""Random IR gives the same on the driver, optimized or not, as in the interpreter."""

from __future__ import annotations

import pytest
from luma.backends import EmitOptions, find

from luma.ir.interpret import decode
from luma.ir.module import Module
from luma.ir.verify import verify
from luma.language.types import FLOAT, INT, Array
from luma.optimizer import optimize
from tests.harness.jobs import Dispatch, Storage, Uniform
from tests.harness.validators import glsl_to_spirv, validate_spirv
from tests.harness.worker import Driver
from tests.ir.random_ir import INVOCATIONS, RESULTS, buffers, random_module, results

COUNT = INVOCATIONS * RESULTS


def run(module: Module, target: str, driver: Driver) -> tuple[tuple[float, ...], tuple[int, ...]]:
    """The floats and ints that the driver gives."""
    emitted = find(target).emit(module, EmitOptions())
    assert not emitted.diagnostics
    binary = emitted.output
    if target == "glsl":
        binary = glsl_to_spirv(binary.decode(), "compute")
    validate_spirv(binary)
    memory = buffers()
    storage = {(0, i): Storage(bytes(memory[n])) for i, n in ((1, "src"), (2, "fout"), (3, "iout"))}
    job = Dispatch("main", (1, 1, 1), {(0, 0): Uniform(bytes(memory["u"])), **storage})
    out = driver.run(job, (binary,))
    return decode(Array(FLOAT, COUNT), out[0, 2]), decode(Array(INT, COUNT), out[0, 3])


@pytest.mark.parametrize("target", ["spirv", "glsl"])
@pytest.mark.parametrize("seed", range(16))
def test_targets_agree_with_the_interpreter(seed: int, target: str, driver: Driver) -> None:
    module = random_module(seed, 30 + 3 * seed)
    floats, ints = run(module, target, driver)
    wanted_floats, wanted_ints = results(module)
    assert floats == pytest.approx(wanted_floats, abs=1e-5)
    assert ints == wanted_ints


@pytest.mark.parametrize("level", ["none", "basic", "aggressive"])
@pytest.mark.parametrize("seed", range(20, 32))
def test_exact_optimization_changes_no_bit(seed: int, level: str) -> None:
    module = random_module(seed, 40)
    optimized, warnings = optimize(module, level, fp="strict")
    assert warnings == ()
    assert verify(optimized) == []
    assert repr(results(optimized)) == repr(results(module))


@pytest.mark.parametrize("seed", range(32, 44))
def test_fast_optimization_stays_close(seed: int) -> None:
    module = random_module(seed, 40)
    optimized, _ = optimize(module, "aggressive", fp="fast")
    assert verify(optimized) == []
    floats, ints = results(optimized)
    wanted_floats, wanted_ints = results(module)
    assert floats == pytest.approx(wanted_floats, rel=1e-4, abs=1e-4)
    assert ints == wanted_ints


@pytest.mark.parametrize("seed", range(44, 50))
def test_optimized_modules_on_the_driver(seed: int, driver: Driver) -> None:
    module = random_module(seed, 60)
    optimized, _ = optimize(module, "aggressive", fp="strict")
    floats, ints = run(optimized, "spirv", driver)
    wanted_floats, wanted_ints = results(module)
    assert floats == pytest.approx(wanted_floats, abs=1e-5)
    assert ints == wanted_ints
