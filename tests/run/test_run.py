"""Every case on every target at every level: compiled, validated, executed, compared."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from tests.harness import msl, slang, wgsl
from tests.harness.cases import Case, compare, discover
from tests.harness.compile import LEVELS, CompileError, optimized, to_spirv
from tests.harness.interpreter import interpret
from tests.harness.jobs import Dispatch, Draw, Job, Outputs
from tests.harness.validators import InvalidOutput
from tests.harness.worker import Driver


def run_case(case: Case, executor: str, level: str, driver: Driver) -> Outputs:
    if executor == "interpreter":
        modules = [optimized(source, entry, level, case.fp) for source, entry, _ in case.stages()]
        return interpret(case.job(), tuple(modules))
    if executor == "wgsl":
        return wgsl.run(case, level)
    if executor == "msl":
        return msl.run(case, level)
    made = [to_spirv(*stage, executor, level, case.fp) for stage in case.stages()]
    job = _renamed(case.job(), [name for _, name in made])
    return driver.run(job, tuple(binary for binary, _ in made))


def _renamed(job: Job, names: list[str]) -> Job:
    if isinstance(job, Draw):
        return replace(job, vertex=names[0], fragment=names[1])
    assert isinstance(job, Dispatch)
    return replace(job, entry=names[0])


def _parameters() -> Iterator[tuple[Case, str, str]]:
    for case in discover():
        for level in LEVELS:
            for executor in case.executors:
                yield case, level, executor


@pytest.mark.parametrize(
    ("case", "level", "executor"),
    list(_parameters()),
    ids=lambda value: value.name if isinstance(value, Case) else value,
)
def test_case(case: Case, level: str, executor: str, driver: Driver) -> None:
    """The outputs are those of the reference; or the target says why it cannot run the case."""
    code = case.refusal(executor)
    if code is not None:
        with pytest.raises(CompileError, match=code):
            run_case(case, executor, level, driver)
        return
    if executor == "slang" and case.name in slang.REFUSED:
        with pytest.raises(InvalidOutput):
            run_case(case, executor, level, driver)
        return
    compare(run_case(case, executor, level, driver), case.expected())
