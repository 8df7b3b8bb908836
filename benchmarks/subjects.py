"""What is measured: each entry point of each shader, with its twins in other languages."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from luma import pipeline
from luma.ir.module import IOVariable, Module
from luma.ir.reach import select
from luma.language.stages import Stage

ROOT = Path(__file__).parents[1]
CORPUS = ROOT / "benchmarks" / "corpus"
_GLSL_SUFFIX = {Stage.VERTEX: ".vert", Stage.FRAGMENT: ".frag", Stage.COMPUTE: ".comp"}

#: The trips of a loop of which nothing else is known, outermost loop first.
TRIPS = (8, 4, 2)
_TRIPS_OF = {"pbr_fragment": (4,), "noise": (5,)}


@dataclass(frozen=True, slots=True)
class Subject:
    """One stage of one shader.

    ``twins`` holds the same stage written by hand, files by language (``glsl``, ``hlsl``,
    ``wgsl``).  ``trips`` are the trips of its loops as one runs it, outermost loop first.
    """

    shader: str
    entry: str
    stage: Stage
    path: Path
    inputs: tuple[IOVariable, ...]
    outputs: tuple[IOVariable, ...]
    twins: dict[str, Path] = field(default_factory=dict)
    trips: tuple[int, ...] = TRIPS

    @property
    def name(self) -> str:
        """``shader`` or, where a shader has several entry points, ``shader.entry``."""
        several = len(lowered(self.path).entry_points) > 1
        return f"{self.shader}.{self.entry}" if several else self.shader


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
    """Every stage to measure, or those of the named shaders.  Raises KeyError for other names."""
    wanted = tuple(names)
    every = tuple(_every())
    for name in wanted:
        if not any(name in (s.shader, s.name) for s in every):
            raise KeyError(name)
    return tuple(s for s in every if not wanted or s.shader in wanted or s.name in wanted)


def _every() -> Iterable[Subject]:
    for path in sorted(CORPUS.glob("*/*.luma")):
        if path.parent.name == "common":
            continue
        for point in lowered(path).entry_points:
            if point.name == "fullscreen":  # the same three corners everywhere
                continue
            twin = path.with_suffix(_GLSL_SUFFIX[point.stage])
            yield Subject(
                path.stem,
                point.name,
                point.stage,
                path,
                point.inputs,
                point.outputs,
                {"glsl": twin} if twin.exists() else {},
                _TRIPS_OF.get(path.stem, TRIPS),
            )
