"""An entry of the corpus: one entry point of a shader, where its texts are, and a job to run it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from tests.harness.cases import Expected, Key
from tests.harness.jobs import Job, Slot

ROOT = Path(__file__).parent
LANGUAGES = ("glsl", "hlsl", "wgsl")
STAGES = ("vertex", "fragment", "compute")

_GLSL_SUFFIXES = {"vertex": ".vert", "fragment": ".frag", "compute": ".comp"}
_LOOP = re.compile(r"\b(?:for|while) \(")


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry point of one stage.

    ``shader`` is the folder and the Luma file in it; where that has ``several`` entry points worth
    measuring, the entry point's name is part of the entry's.  A twin is the same stage written by
    hand in another language, with the same bindings; in GLSL its entry point is ``main``, elsewhere
    ``entry`` as in Luma.

    ``job`` runs the stage on data of its own; ``reference`` is what must come out by NumPy, where
    that is known.  Results of two compilers may differ by ``atol + rtol * abs(value)``, and by
    anything at a share of ``outliers`` of the places, where the algorithm decides sharply.  A
    vertex stage has ``varyings``: the components of each output but the position.  ``reads`` tells
    the type of a storage buffer's values if they are not floats.
    """

    shader: str
    entry: str
    stage: str
    job: Callable[[], Job]
    reference: Callable[[], Mapping[Key, Expected]] | None = None
    atol: float = 1e-5
    rtol: float = 1e-4
    outliers: float = 0.0
    several: bool = False
    varyings: tuple[int, ...] = ()
    reads: Mapping[Slot, str] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """Of the entry, and of its twins' files."""
        return f"{self.shader}_{self.entry}" if self.several else self.shader

    @property
    def luma(self) -> Path:
        """The Luma file."""
        return ROOT / self.shader / f"{self.shader}.luma"

    @property
    def twins(self) -> dict[str, Path]:
        """The files of the twins by language, those that there are."""
        suffixes = {"glsl": _GLSL_SUFFIXES[self.stage], "hlsl": ".hlsl", "wgsl": ".wgsl"}
        files = {
            language: ROOT / self.shader / (self.name + suffixes[language])
            for language in LANGUAGES
        }
        return {language: path for language, path in files.items() if path.exists()}

    @property
    def has_loops(self) -> bool:
        """Whether the stage has a loop, as it is written."""
        return bool(_LOOP.search(self.twins["glsl"].read_text(encoding="utf-8")))
