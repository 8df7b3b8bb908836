"""Fixtures for all tests."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.harness.worker import Driver


@pytest.fixture(scope="session")
def driver() -> Iterator[Driver]:
    """The Vulkan device's process, started when a test first runs a shader."""
    made = Driver()
    yield made
    made.close()
