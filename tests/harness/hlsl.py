"""From HLSL text to SPIR-V for the Vulkan device, by Microsoft's compiler; DXIL is made as a check.

The compiler runs in a process of its own, because it may crash.
"""

from __future__ import annotations

import re
import subprocess
import sys
from functools import lru_cache
from pathlib import Path
from typing import Any, cast

from tests.harness.dxc import DISASSEMBLE
from tests.harness.validators import InvalidOutput
from tests.harness.worker import Driver

_ROOT = Path(__file__).parents[2]
#: Newer compilers define the macro by themselves.
_SPIRV = ("-spirv", "-fspv-target-env=vulkan1.1", "-fvk-use-dx-position-w", "-D", "__spirv__")
_DIRECT3D_LAYOUT = "-fvk-use-dx-layout"
_STRICT = "-Oconfig=--eliminate-dead-variables,--eliminate-dead-functions"
_SEMANTIC = re.compile(r"((?:nointerpolation |noperspective )?\w+ \w+ : TEXCOORD(\d+))")
_ENTRY = re.compile(r"^// dxc .*-E (\w+)", re.MULTILINE)

#: Said of any DXIL that is not made on Windows.
_UNSIGNED = "DXIL.dll not found"


class Compiler(Driver):
    """DXC's process; started when first needed, again after a crash."""

    def _running(self) -> subprocess.Popen[bytes]:
        if self._process is None or self._process.poll() is not None:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "tests.harness.dxc"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                cwd=_ROOT,
            )
        return self._process

    def compile(self, text: str, stage: str, entry: str, *flags: str) -> tuple[bytes, str]:
        """The output and the warnings.  Raises InvalidOutput with the compiler's errors."""
        answer: Any = self.run(cast(Any, (text, stage, entry, flags)), ())
        output, said = answer
        if not output:
            raise InvalidOutput(f"DXC:\n{said}\n{_numbered(text)}")
        return output, said


@lru_cache(maxsize=1)
def compiler() -> Compiler:
    """The one compiler of a test session."""
    return Compiler()


@lru_cache(maxsize=512)
def hlsl_to_spirv(
    text: str, stage: str, direct3d_layout: bool = True, strict: bool = False
) -> tuple[bytes, str]:
    """SPIR-V and the entry point's name.  Raises InvalidOutput with DXC's errors or warnings.

    With ``direct3d_layout`` buffers are packed as Direct3D packs them, else as DXC does by itself
    for Vulkan: the text must mean the same both ways.  With ``strict`` DXC's own optimizer, which
    takes floats for real numbers, only drops what is unused.
    """
    found = _ENTRY.search(text)
    assert found is not None
    entry = found[1]
    _quiet(compiler().compile(text, stage, entry)[1], text)
    more = [_STRICT] if strict else []
    if direct3d_layout:
        more.append(_DIRECT3D_LAYOUT)
    binary, said = compiler().compile(_located(text), stage, entry, *_SPIRV, *more)
    _quiet(said, text)
    return binary, entry


def direct3d_offsets(text: str) -> dict[str, list[int]]:
    """Where the members of each buffer's elements lie in DXIL: offsets in order, without padding.

    A struct that stands in an array is told once, at its first place.
    """
    found = _ENTRY.search(text)
    assert found is not None
    _, said = compiler().compile(text, "compute", found[1], DISASSEMBLE)
    offsets: dict[str, list[int]] = {}
    current: list[int] = []
    for line in (
        said.partition("Buffer Definitions")[2].partition("Resource Bindings")[0].splitlines()
    ):
        start = re.match(r"; (?:cbuffer|Resource bind info for) (\w+)", line)
        member = re.match(r";\s+[\w ]+ (\w+)(?:\[\d+\])*;\s+; Offset:\s*(\d+)", line)
        if start:
            current = offsets.setdefault(start[1], [])
        elif member and not member[1].startswith("pad_"):
            current.append(int(member[2]))
    return offsets


def _located(text: str) -> str:
    """The text with Vulkan's locations, which Direct3D has as semantics."""
    return _SEMANTIC.sub(r"[[vk::location(\2)]] \1", text)


def _quiet(said: str, text: str) -> None:
    lines = [line for line in said.replace("\0", "").splitlines() if line.strip()]
    if lines and not (len(lines) == 1 and _UNSIGNED in lines[0]):
        raise InvalidOutput(f"DXC warns:\n{said}\n{_numbered(text)}")


def _numbered(text: str) -> str:
    return "\n".join(f"{n}: {line}" for n, line in enumerate(text.splitlines(), 1))
