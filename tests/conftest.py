"""Fixtures for all tests."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from tests.harness.worker import Driver


@pytest.fixture(scope="session")
def driver() -> Iterator[Driver]:
    """The Vulkan device's process, started when a test first runs a shader."""
    made = Driver()
    yield made
    made.close()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say how many programs passed on each target at each level, if any ran."""
    from tests.harness import conformance

    tally = conformance.Tally()
    for outcome in ("passed", "failed"):
        reports = terminalreporter.stats.get(outcome, ())
        tally.add((report.nodeid for report in reports), passed=outcome == "passed")
    if not tally.total:
        return
    terminalreporter.section("conformance: passed/total")
    terminalreporter.write_line(conformance.table(tally))
    if os.environ.get(conformance.UPDATE) and tally.complete:
        conformance.PAGE.write_text(conformance.page(tally), encoding="utf-8")
        terminalreporter.write_line(f"written: {conformance.PAGE}")
