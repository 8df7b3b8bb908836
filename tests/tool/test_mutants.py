"""The table of mutants is true: every mistake can still be made, and its cases exist."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from tests.harness.cases import discover
from tests.harness.compile import LEVELS
from tools.mutants import MUTANTS, Mutant

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda m: f"{m.target}: {m.name}")
def test_mistake_can_be_made(mutant: Mutant) -> None:
    """What it replaces is in its file exactly once; run ``make mutants`` after a change."""
    text = (ROOT / mutant.file).read_text(encoding="utf-8")
    assert text.count(mutant.old) == 1
    assert mutant.new != mutant.old


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda m: f"{m.target}: {m.name}")
def test_cases_exist(mutant: Mutant) -> None:
    """On the mutant's target."""
    known = {case.name: case for case in discover()}
    assert mutant.cases
    for chosen in mutant.cases:
        name, _, level = chosen.rpartition("-")
        assert level in LEVELS
        case = known[name]
        assert mutant.target in case.executors and mutant.target not in case.refused


def test_every_target_has_mutants() -> None:
    counts = Counter(mutant.target for mutant in MUTANTS)
    assert all(counts[target] >= 8 for target in ("glsl", "hlsl", "msl", "spirv", "wgsl"))
    named = Counter((mutant.target, mutant.name) for mutant in MUTANTS)
    assert max(named.values()) == 1
