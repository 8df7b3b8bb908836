"""The form of an execution case: a Luma source, a job for it, and what must come out."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import TypeAlias

import numpy as np

from tests.harness.jobs import Dispatch, Draw, Job, Outputs, Slot, Values

#: Where a case runs; ``slang`` is HLSL once more, by another front end.
EXECUTORS = ("spirv", "glsl", "hlsl", "slang", "msl", "wgsl", "interpreter")

_ROOT = Path(__file__).parents[2]
#: Samples of the language's sugar, and the real shaders.
SAMPLES, CORPUS = _ROOT / "tests" / "shaders", _ROOT / "benchmarks" / "corpus"


@dataclass(frozen=True, slots=True)
class Expected:
    """An output to compare with: ``atol + rtol * abs(value)`` is what it may differ by, or
    ``room`` where each value has its own.

    A buffer's bytes are read as the type of ``values``, from byte ``offset`` on.  Where ``mask`` is
    given, only its True places count; at most ``outliers`` (a share) of the places may be off,
    which is for algorithms with sharp decisions.  NaN equals NaN; with ``signed_zeros`` 0.0 and
    -0.0 differ.
    """

    values: Values
    atol: float = 0.0
    rtol: float = 0.0
    offset: int = 0
    mask: Values | None = None
    outliers: float = 0.0
    room: Values | None = None
    signed_zeros: bool = False


Key: TypeAlias = "Slot | int | str"


@dataclass(frozen=True, slots=True)
class Case:
    """One execution case.

    ``source`` is Luma text, the name of a file of :func:`shader_files`, or the path of an include;
    the fragment stage of a draw may come from a second one.  ``job`` and ``expected`` are called
    when the case runs.  ``fp`` is the floating-point mode (None: the level's own), ``executors``
    where the case runs.
    ``refused`` has the code of the error by which a target refuses the case, by target.
    """

    name: str
    source: str
    job: Callable[[], Job]
    expected: Callable[[], Mapping[Key, Expected]]
    fragment_source: str | None = None
    fp: str | None = None
    executors: tuple[str, ...] = EXECUTORS
    refused: Mapping[str, str] = field(default_factory=dict)

    def refusal(self, executor: str) -> str | None:
        """The code of the error that an executor's target refuses the case with."""
        return self.refused.get("hlsl" if executor == "slang" else executor)

    def stages(self) -> tuple[tuple[str, str, str], ...]:
        """(source, entry, stage) of every module of the case."""
        job = self.job()
        if isinstance(job, Dispatch):
            return ((self.source, job.entry, "compute"),)
        fragment = self.fragment_source or self.source
        return ((self.source, job.vertex, "vertex"), (fragment, job.fragment, "fragment"))


@lru_cache(maxsize=1)
def shader_files() -> Mapping[str, Path]:
    """Every shader file that has entry points, by its name, in order."""
    found = {path.name: path for path in (*SAMPLES.glob("*.luma"), *CORPUS.glob("*/*.luma"))}
    return {n: path for n, path in sorted(found.items()) if path.parent.name != "common"}


def includes() -> tuple[Path, ...]:
    """The files that shader files include."""
    return tuple(sorted(CORPUS.glob("common/*.luma")))


def read_source(source: str) -> tuple[str, str]:
    """(text, name) of a case's source."""
    if source.endswith(".luma"):
        path = shader_files().get(source, CORPUS / source)
        return path.read_text(encoding="utf-8"), str(path)
    return source, "<case>"


@lru_cache(maxsize=1)
def discover() -> tuple[Case, ...]:
    """Every case of every module in ``tests/run/cases``, by module name."""
    package = importlib.import_module("tests.run.cases")
    found: list[Case] = []
    for info in sorted(pkgutil.iter_modules(package.__path__), key=lambda i: i.name):
        module = importlib.import_module(f"tests.run.cases.{info.name}")
        found += getattr(module, "CASES", ())
    names = [case.name for case in found]
    if len(set(names)) != len(names):
        raise ValueError("two cases have the same name")
    return tuple(found)


def compare(outputs: Outputs, expected: Mapping[Key, Expected]) -> None:
    """Raise AssertionError unless every expected output is there and near enough."""
    for key, want in expected.items():
        if key not in outputs:
            raise AssertionError(
                f"the run gave no output {key}; it gave {sorted(map(str, outputs))}"
            )
        _compare_one(key, _decoded(outputs[key], want), want)


def _decoded(found: bytes | Values, want: Expected) -> Values:
    if isinstance(found, bytes):
        count = want.values.size
        flat = np.frombuffer(found, want.values.dtype, count, want.offset)
        return flat.reshape(want.values.shape)
    if found.shape[-1] != want.values.shape[-1] and found.ndim == 3:
        found = found[..., : want.values.shape[-1]]  # a target of fewer than four components
    return found


def _compare_one(key: Key, found: Values, want: Expected) -> None:
    a, b = found.astype(np.float64), want.values.astype(np.float64)
    if a.shape != b.shape:
        raise AssertionError(f"output {key} has shape {a.shape}, not {b.shape}")
    with np.errstate(invalid="ignore"):
        room = want.atol + want.rtol * np.abs(b) if want.room is None else want.room
        near = np.abs(a - b) <= room
    good = near | (a == b) | (np.isnan(a) & np.isnan(b))
    if want.signed_zeros:
        good &= (np.signbit(a) == np.signbit(b)) | np.isnan(b)
    if want.mask is not None:
        mask = want.mask if want.mask.ndim == good.ndim else want.mask[..., None]
        good = good | ~mask
    wrong = np.argwhere(~good)
    if len(wrong) <= want.outliers * good.size:
        return
    lines = [
        f"  at {tuple(int(i) for i in place)}: {found[tuple(place)]!r}, "
        f"expected {want.values[tuple(place)]!r}"
        for place in wrong[:12]
    ]
    raise AssertionError(
        f"output {key}: {len(wrong)} of {good.size} values differ by more than they may\n"
        + "\n".join(lines)
    )


__all__ = ["Case", "Dispatch", "Draw", "Expected", "compare", "discover", "read_source"]
