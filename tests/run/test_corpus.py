"""The benchmarks' corpus: Luma's output and the twins written by hand give the same results.

So a twin is a fair opponent: it computes the same from the same data.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from benchmarks.corpus import ENTRIES, Entry
from tests.harness import twins
from tests.harness.cases import compare
from tests.harness.jobs import Outputs
from tests.harness.worker import Driver
from tests.run.cases import pbr

_RESULTS: dict[str, Outputs] = {}


def by_hand(entry: Entry, driver: Driver) -> Outputs:
    """What the GLSL twin gives, run once."""
    if entry.name not in _RESULTS:
        _RESULTS[entry.name] = twins.run_twin(entry, "glsl", driver)
    return _RESULTS[entry.name]


def _others() -> Iterator[tuple[Entry, str]]:
    for entry in ENTRIES:
        yield from ((entry, language) for language in entry.twins if language != "glsl")


def _name(value: Entry | str) -> str:
    return value.name if isinstance(value, Entry) else value


@pytest.mark.parametrize("level", ["none", "aggressive"])
@pytest.mark.parametrize("entry", ENTRIES, ids=_name)
def test_luma_gives_what_glsl_gives(entry: Entry, level: str, driver: Driver) -> None:
    """Within the entry's tolerance."""
    expected = twins.expected(entry, by_hand(entry, driver))
    compare(twins.run_luma(entry, level, driver), expected)


@pytest.mark.parametrize(("entry", "language"), list(_others()), ids=_name)
def test_other_twins_give_what_glsl_gives(entry: Entry, language: str, driver: Driver) -> None:
    """Those in HLSL and in WGSL."""
    expected = twins.expected(entry, by_hand(entry, driver))
    compare(twins.run_twin(entry, language, driver), expected)


@pytest.mark.parametrize("entry", ENTRIES, ids=_name)
def test_results_tell_something(entry: Entry, driver: Driver) -> None:
    """Finite numbers that are not all the same."""
    for want in twins.expected(entry, by_hand(entry, driver)).values():
        values = want.values.astype(float)
        assert values.size and (abs(values) < 1e30).all()
        assert values.min() < values.max()


def test_names_are_unique_and_every_entry_has_a_twin() -> None:
    """In GLSL, at least."""
    names = [entry.name for entry in ENTRIES]
    assert sorted(set(names)) == names
    assert all("glsl" in entry.twins for entry in ENTRIES)


def test_pbr_fragment_agrees_with_the_reference(driver: Driver) -> None:
    """Its twin, by NumPy."""
    (entry,) = (entry for entry in ENTRIES if entry.name == "pbr_fragment")
    compare(by_hand(entry, driver), pbr.expected())
