"""The page about conformance tells of every target and level, and of no failure."""

from __future__ import annotations

import re

import pytest

from tests.harness.cases import EXECUTORS, discover
from tests.harness.conformance import LEVELS, PAGE, Tally, page, table


def test_a_tally_counts_by_target_and_level() -> None:
    """Whatever else ran."""
    tally = Tally()
    tally.add(["tests/run/test_run.py::test_case[a_b-none-msl]", "tests/x.py::test_y"], passed=True)
    tally.add(["tests/run/test_run.py::test_case[c-none-msl]"], passed=False)
    assert dict(tally.total) == {("msl", "none"): 2}
    assert re.search(r"msl +\| 1/2 +\| 0/0 +\| 0/0 ", table(tally))
    assert not tally.complete
    assert table(tally) in page(tally)


@pytest.mark.parametrize("executor", EXECUTORS)
def test_the_page_has_no_failure(executor: str) -> None:
    """In any level of a target."""
    text = PAGE.read_text(encoding="utf-8")
    row = re.search(rf"^\| {executor} +\|(( +\d+/\d+ +\|)+)$", text, re.MULTILINE)
    assert row is not None
    counts = re.findall(r"(\d+)/(\d+)", row[1])
    assert len(counts) == len(LEVELS)
    assert all(passed == total and int(total) >= 150 for passed, total in counts)


def test_the_suite_has_programs_enough() -> None:
    """Those of one target only not counted."""
    everywhere = [case for case in discover() if len(case.executors) == len(EXECUTORS)]
    assert len(everywhere) >= 150
