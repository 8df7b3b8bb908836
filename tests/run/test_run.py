"""Every case on every target at every level: compiled, validated, executed, compared."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.harness.cases import Case, compare, discover
from tests.harness.compile import LEVELS, optimized, to_spirv
from tests.harness.interpreter import interpret
from tests.harness.jobs import Dispatch, Draw, Job, Outputs
from tests.harness.worker import Driver

EXECUTORS = ("spirv", "glsl", "interpreter")


def _run(case: Case, executor: str, level: str, driver: Driver) -> Outputs:
    if executor == "interpreter":
        modules = [optimized(source, entry, level) for source, entry, _ in case.stages()]
        return interpret(case.job(), tuple(modules))
    made = [to_spirv(*stage, executor, level) for stage in case.stages()]
    job = _renamed(case.job(), [name for _, name in made])
    return driver.run(job, tuple(binary for binary, _ in made))


def _renamed(job: Job, names: list[str]) -> Job:
    if isinstance(job, Draw):
        return replace(job, vertex=names[0], fragment=names[1])
    assert isinstance(job, Dispatch)
    return replace(job, entry=names[0])


@pytest.mark.parametrize("executor", EXECUTORS)
@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("case", discover(), ids=lambda case: case.name)
def test_case(case: Case, level: str, executor: str, driver: Driver) -> None:
    """The outputs are those of the reference."""
    compare(_run(case, executor, level, driver), case.expected())
