"""Every case on every target at every level: compiled, validated, executed, compared."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.harness.cases import Case, compare, discover
from tests.harness.compile import LEVELS, to_spirv
from tests.harness.jobs import Dispatch, Draw, Job, Outputs
from tests.harness.worker import Driver

TARGETS = ("spirv", "glsl")


def _run(case: Case, target: str, level: str, driver: Driver) -> Outputs:
    made = [to_spirv(*stage, target, level) for stage in case.stages()]
    job = _renamed(case.job(), [name for _, name in made])
    return driver.run(job, tuple(binary for binary, _ in made))


def _renamed(job: Job, names: list[str]) -> Job:
    if isinstance(job, Draw):
        return replace(job, vertex=names[0], fragment=names[1])
    assert isinstance(job, Dispatch)
    return replace(job, entry=names[0])


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("case", discover(), ids=lambda case: case.name)
def test_case(case: Case, level: str, target: str, driver: Driver) -> None:
    """The outputs are those of the reference."""
    compare(_run(case, target, level, driver), case.expected())
