"""What is measured: each entry point of each shader, with its twins in other languages."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from luma import pipeline
from luma.ir.module import IOVariable, Module
from luma.ir.reach import select
from luma.language.stages import Stage
from tests.harness.jobs import Job

ROOT = Path(__file__).parents[1]
CORPUS = ROOT / "benchmarks" / "corpus"

#: The trips of a loop of which nothing else is known, outermost loop first.
TRIPS = (8, 4, 2)
_TRIPS_OF = {"pbr_fragment": (4,), "noise": (5,)}


@dataclass(frozen=True, slots=True)
class Subject:
    """One stage of one shader: an entry point of a Luma file.

    ``twins`` holds the same stage written by hand, files by language (``glsl``, ``hlsl``,
    ``wgsl``); the entry point is called ``main`` in GLSL, elsewhere as in Luma.  ``trips`` are the
    trips of its loops as one runs it, outermost loop first.  ``job`` runs it on some data.
    """

    name: str
    entry: str
    stage: Stage
    path: Path
    inputs: tuple[IOVariable, ...]
    outputs: tuple[IOVariable, ...]
    twins: dict[str, Path] = field(default_factory=dict)
    trips: tuple[int, ...] = TRIPS
    job: Callable[[], Job] | None = None


@lru_cache(maxsize=256)
def lowered(path: Path) -> Module:
    """The IR of a file before optimization.  Raises LumaError."""
    folders = (str(CORPUS),)
    text = path.read_text(encoding="utf-8")
    return pipeline.lower(pipeline.check(pipeline.parse(text, str(path), include_dirs=folders)))


@lru_cache(maxsize=256)
def module_of(path: Path, entry: str) -> Module:
    """The IR of one entry point before optimization."""
    return select(lowered(path), (entry,))


def subjects(names: Iterable[str] = ()) -> tuple[Subject, ...]:
    """Every stage to measure, or those of some names.  Raises KeyError for a name of none."""
    every = {subject.name: subject for subject in _every()}
    return tuple(every[name] for name in names) or tuple(every.values())


def _every() -> Iterator[Subject]:
    from benchmarks.corpus import ENTRIES

    for entry in ENTRIES:
        yield _subject(entry.name, entry.luma, entry.entry, dict(entry.twins), entry.job)
    seen = {(entry.luma, entry.entry) for entry in ENTRIES}
    for path in sorted(CORPUS.glob("*/*.luma")):
        if path.parent.name == "common":
            continue
        points = lowered(path).entry_points
        for point in points:
            if point.name == "fullscreen" or (path, point.name) in seen:
                continue
            name = f"{path.stem}_{point.name}" if len(points) > 1 else path.stem
            yield _subject(name, path, point.name, {})


def _subject(
    name: str,
    path: Path,
    entry: str,
    twins: dict[str, Path],
    job: Callable[[], Job] | None = None,
) -> Subject:
    point = next(p for p in lowered(path).entry_points if p.name == entry)
    trips = _TRIPS_OF.get(name, TRIPS)
    return Subject(name, entry, point.stage, path, point.inputs, point.outputs, twins, trips, job)
