"""How a tree of shaders is built."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from luma.lume import lsb
from luma.lume.includes import Search


@dataclass(frozen=True, slots=True)
class Settings:
    """How shaders are built.

    ``root`` is where the tree of sources begins, ``destination`` that of the outputs; ``optimize``
    runs SPIRV-Tools' performance passes, ``strip`` drops names and lines, ``gl`` makes GLSL for
    OpenGL and OpenGL ES besides, ``changed_only`` leaves alone what is up to date.
    """

    root: Path
    destination: Path
    include_dirs: tuple[Path, ...] = ()
    vulkan: str = "1.0"
    optimize: bool = False
    strip: bool = False
    gl: bool = False
    lsb_version: int = lsb.NEWEST
    changed_only: bool = False

    @property
    def search(self) -> Search:
        """Where headers are."""
        return Search(self.root, self.include_dirs)
