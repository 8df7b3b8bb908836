"""The texts that other tools make of a stage, by target; a text that its language refuses is none.

What a tool made is kept, as that of the compilers to SPIR-V (:mod:`benchmarks.compilers`).
"""

from __future__ import annotations

import contextlib
import io
import subprocess
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any, cast

from benchmarks import cache
from benchmarks.compilers import (
    PEERS,
    NotCompiled,
    Twin,
    dxc,
    located,
    slang_version,
    tool,
    twin_of,
)
from benchmarks.subjects import Subject
from tests.harness import slang
from tests.harness.validators import InvalidOutput, glsl_to_spirv
from tests.harness.wgsl import validate as validate_wgsl
from tests.harness.worker import DriverError

TARGETS = ("glsl", "hlsl", "msl", "wgsl")

_SLANG_TARGETS = {
    "glsl": slang.GLSL,
    "hlsl": slang.HLSL,
    "msl": slang.METAL,
    "wgsl": slang.WGSL,
}
_SPIRV_CROSS_WORDS = {
    "glsl": ("-V", "--version", "450"),
    "hlsl": ("--hlsl", "--shader-model", "60"),
    "msl": ("--msl", "--msl-version", "20400"),
}
_CROSSTL_BACKENDS = {"glsl": "opengl", "hlsl": "directx", "msl": "metal", "wgsl": "wgsl"}
_GLSL_SUFFIXES = {"vertex": ".vert", "fragment": ".frag", "compute": ".comp"}


@dataclass(frozen=True, slots=True)
class Translator:
    """A tool that makes text; ``translate`` gives the text for a target, or raises NotCompiled."""

    name: str
    targets: tuple[str, ...]
    translate: Callable[[Subject, str], tuple[str, bool]]

    def run(self, subject: Subject, target: str) -> tuple[str, bool]:
        """The text, and whether the tool started from what Luma makes without optimization.

        Raises NotCompiled.
        """
        if target not in self.targets:
            raise NotCompiled(f"{self.name} does not make {target}")
        return self.translate(subject, target)


def _checked(text: str, target: str, stage: str, entry: str) -> bytes:
    """The text.  Raises NotCompiled if a compiler refuses it; for MSL there is none."""
    try:
        if target == "glsl":
            glsl_to_spirv(text, stage)
        elif target == "hlsl":
            dxc(Twin("hlsl", text, stage, entry))
        elif target == "wgsl":
            validate_wgsl(text.encode())
    except (InvalidOutput, DriverError) as refused:
        raise NotCompiled(f"its output is no {target}: {refused}") from refused
    return text.encode()


#: Begins what is kept of a refusal; no text does.
_REFUSED = b"\0"


def _kept(depends_on: tuple[str, ...], make: Callable[[], bytes]) -> str:
    """The text from the cache, or as made now.  Raises NotCompiled, also as it was kept."""

    def text_or_refusal() -> bytes:
        try:
            return make()
        except NotCompiled as refused:
            return _REFUSED + str(refused).encode()

    found = cache.kept(depends_on, text_or_refusal)
    if found.startswith(_REFUSED):
        raise NotCompiled(found[1:].decode())
    return found.decode()


def _spirv_cross(subject: Subject, target: str) -> tuple[str, bool]:
    """From the SPIR-V of ``spirv-opt -O``, names kept."""
    module = PEERS["spirv-opt-O"].run(subject)

    def make() -> bytes:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "in.spv")
            path.write_bytes(module.binary)
            command = [tool("spirv-cross"), str(path), *_SPIRV_CROSS_WORDS[target]]
            done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
        if done.returncode:
            raise NotCompiled(f"spirv-cross: {done.stderr[:2000]}")
        return _checked(done.stdout, target, subject.stage.value, "main")

    depends_on = ("spirv-cross", target, module.binary.hex())
    return _kept(depends_on, make), module.language == "luma"


def _slang(subject: Subject, target: str) -> tuple[str, bool]:
    """From HLSL."""
    twin = twin_of(subject, ("hlsl", "luma-hlsl"))

    def make() -> bytes:
        words = ("-O2", "-D__spirv__")
        number = _SLANG_TARGETS[target]
        request = (located(twin.text), twin.stage, twin.entry, words, False, number)
        try:
            answer: Any = slang.driver().run(cast(Any, request), ())
        except DriverError as refused:
            raise NotCompiled(str(refused)) from refused
        if not answer[0]:
            raise NotCompiled(f"Slang: {answer[1][:2000]}")
        return _checked(answer[0].decode(), target, twin.stage, twin.entry)

    depends_on = ("slang", slang_version(), target, twin.stage, twin.entry, twin.text)
    return _kept(depends_on, make), twin.language != "hlsl"


def _crosstl(subject: Subject, target: str) -> tuple[str, bool]:
    """From GLSL; what the tool itself prints is dropped."""
    twin = twin_of(subject, ("glsl",))
    try:
        import crosstl
    except ImportError as missing:
        raise NotCompiled("the crosstl package is not installed") from missing

    def make() -> bytes:

        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "in" + _GLSL_SUFFIXES[twin.stage])
            path.write_text(twin.text, encoding="utf-8")
            try:
                with contextlib.redirect_stdout(io.StringIO()):
                    text = crosstl.translate(
                        str(path), backend=_CROSSTL_BACKENDS[target], format_output=False
                    )
            except Exception as refused:  # its errors have no common class
                raise NotCompiled(f"crosstl: {refused}") from refused
        return _checked(text, target, twin.stage, _entry_of(text, target))

    depends_on = ("crosstl", version("crosstl"), target, twin.stage, twin.text)
    return _kept(depends_on, make), False


def _entry_of(text: str, target: str) -> str:
    """The name that crosstl gives an entry point in HLSL."""
    names = ("PSMain", "VSMain", "CSMain")
    return next((name for name in names if target == "hlsl" and name in text), "main")


TRANSLATORS = {
    each.name: each
    for each in (
        Translator("spirv-cross", ("glsl", "hlsl", "msl"), _spirv_cross),
        Translator("slang", TARGETS, _slang),
        Translator("crosstl", TARGETS, _crosstl),
    )
}
