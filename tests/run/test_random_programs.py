"""Random programs give the same on every executor at every level as in Python."""

from __future__ import annotations

import os
from collections.abc import Mapping

import numpy as np
import pytest

from tests.harness.cases import EXECUTORS, Case, Expected, Key, compare
from tests.harness.compile import LEVELS
from tests.harness.jobs import Dispatch, Storage
from tests.harness.worker import Driver
from tests.run.programs import CELLS, RESULTS, RUNS, make_program
from tests.run.test_run import run_case

#: How many programs; more by the environment variable LUMA_PROGRAMS, from LUMA_FIRST_PROGRAM on.
FIRST = int(os.environ.get("LUMA_FIRST_PROGRAM", "0"))
COUNT = int(os.environ.get("LUMA_PROGRAMS", "24"))


def make_case(seed: int) -> Case:
    """The case of a seed."""
    program = make_program(seed)
    memory = np.random.default_rng(seed).integers(-99, 99, (RUNS, CELLS)).astype(np.int32)

    def job() -> Dispatch:
        out = Storage(bytes(4 * RUNS * RESULTS))
        return Dispatch("main", (1, 1, 1), {(0, 0): Storage(memory.tobytes()), (0, 1): out})

    def expected() -> Mapping[Key, Expected]:
        runs = [program.run(i, row) for i, row in enumerate(memory.tolist())]
        return {
            (0, 0): Expected(np.array([after for after, _ in runs], np.int32)),
            (0, 1): Expected(np.array([found for _, found in runs], np.int32)),
        }

    # Slang makes invalid SPIR-V of some branches that return; DXC has the same text.
    executors = tuple(name for name in EXECUTORS if name != "slang")
    return Case(f"program_{seed}", program.source, job, expected, executors=executors)


@pytest.mark.parametrize("seed", range(FIRST, FIRST + COUNT))
def test_program(seed: int, driver: Driver) -> None:
    """Compiled three ways at three levels."""
    case = make_case(seed)
    for level in LEVELS:
        for executor in case.executors:
            try:
                compare(run_case(case, executor, level, driver), case.expected())
            except Exception as error:
                error.add_note(f"{executor} at {level} of:\n{case.source}")
                raise
