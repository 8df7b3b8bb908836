"""SPIRV-Tools' passes over a binary: the performance passes, and stripping what debugs it."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from pathlib import Path

from luma.lume.problems import SPIRV, failure
from luma.lume.settings import Settings
from luma.lume.tools import Tool, Toolchain


@dataclass(frozen=True, slots=True)
class Optimized:
    """A binary as it is written, and the same with its names kept."""

    binary: bytes
    named: bytes


def optimize(binary: bytes, settings: Settings, tools: Toolchain) -> Optimized:
    """Run the passes that are asked for.  Raises LumaError (E0842, E0843) if they fail."""
    named = _passed(binary, ["-O"], settings, tools.optimizer) if settings.optimize else binary
    final = (
        _passed(named, ["--strip-debug"], settings, tools.optimizer) if settings.strip else named
    )
    return Optimized(final, named)


def _passed(binary: bytes, passes: list[str], settings: Settings, tool: Tool | None) -> bytes:
    assert tool is not None, "a toolchain without the optimizer that the settings ask for"
    with tempfile.TemporaryDirectory(prefix="luma-") as name:
        folder = Path(name)
        (folder / "in.spv").write_bytes(binary)
        target = f"--target-env=vulkan{settings.vulkan}"
        done = tool.run([*passes, target, "in.spv", "-o", "out.spv"], folder)
        made = folder / "out.spv"
        if done.returncode == 0 and made.exists():
            return made.read_bytes()
    said = (done.stdout + done.stderr).decode("utf-8", "replace").strip()
    raise failure(SPIRV, f"{tool.path.name} refuses the SPIR-V: {said}")
