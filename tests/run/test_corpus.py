"""The benchmarks' corpus: Luma's output and the twins written by hand give the same results.

So a twin is a fair opponent: it computes the same from the same data.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from benchmarks.corpus import ENTRIES, ROOT, Entry
from tests.harness import twins
from tests.harness.cases import compare, shader_files
from tests.harness.jobs import Outputs
from tests.harness.worker import Driver

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


@pytest.mark.parametrize("entry", [e for e in ENTRIES if e.reference], ids=_name)
def test_twin_agrees_with_the_reference(entry: Entry, driver: Driver) -> None:
    """That of NumPy."""
    assert entry.reference is not None
    compare(by_hand(entry, driver), entry.reference())


@pytest.mark.parametrize("entry", ENTRIES, ids=_name)
def test_results_tell_something(entry: Entry, driver: Driver) -> None:
    """Finite numbers, not all the same."""
    found = [
        want.values
        for want in twins.expected(entry, by_hand(entry, driver)).values()
        if want.values.dtype != np.uint8  # a buffer that is only read
    ]
    assert all(np.isfinite(values).all() for values in found)
    assert any(values.min() < values.max() for values in found)


def test_every_shader_has_an_entry() -> None:
    """And every file of the corpus belongs to one."""
    real = {path.stem for path in shader_files().values() if ROOT in path.parents}
    assert real == {entry.shader for entry in ENTRIES}
    files = {path for entry in ENTRIES for path in (entry.luma, *entry.twins.values())}
    suffixes = (".luma", ".vert", ".frag", ".comp", ".hlsl", ".wgsl")
    there = {p for p in ROOT.glob("*/*") if p.suffix in suffixes and p.parent.name != "common"}
    assert there == files


def test_names_are_unique_and_every_entry_has_a_twin() -> None:
    """In GLSL, at least."""
    names = [entry.name for entry in ENTRIES]
    assert sorted(set(names)) == names
    assert all("glsl" in entry.twins for entry in ENTRIES)
