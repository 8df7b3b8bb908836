"""GLSL to SPIR-V by glslang, its messages told as diagnostics of the files that a person wrote."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from luma.backends.spirv.grammar import Op
from luma.backends.spirv.reader import Instruction, Malformed, instructions, rewritten, text
from luma.diagnostics import Diagnostic, Level
from luma.lume.includes import Unit
from luma.lume.problems import GLSL, GLSL_WARNING, SPIRV, error, failure, warning
from luma.lume.tools import Tool
from luma.source import SourceSpan

#: Versions of Vulkan, each with the SPIR-V that goes with it.
VULKAN = ("1.0", "1.1", "1.2", "1.3")

#: The stages, by the suffix of a shader's file.
SUFFIXES = (".vert", ".frag", ".comp")

#: Extensions of the way from source to binary, which a binary has no use for.
_SOURCE_ONLY = ("GL_GOOGLE_include_directive", "GL_GOOGLE_cpp_style_line_directive")

#: What glslangValidator and glslc say: severity, file, line, and what is wrong.
_MESSAGES = (
    re.compile(r"^(?P<level>ERROR|WARNING): (?P<file>.*?):(?P<line>\d+): (?P<said>.*)$"),
    re.compile(r"^(?P<file>.*?):(?P<line>\d+): (?P<level>error|warning): (?P<said>.*)$"),
    re.compile(r"^(?P<file>)(?P<level>ERROR|WARNING|error|warning): (?P<line>)(?P<said>.*)$"),
    re.compile(r"^(?P<file>.*?): (?P<level>error|warning): (?P<line>)(?P<said>.*)$"),
)

#: What they say besides, after the reasons.
_NOISE = re.compile(
    r"compilation terminated|compilation errors|No code generated|^Linking .*Missing entry point"
)


@dataclass(frozen=True, slots=True)
class Compiled:
    """A binary, None if there are errors."""

    binary: bytes | None
    diagnostics: tuple[Diagnostic, ...]


def compile_glsl(unit: Unit, glslang: Tool, vulkan: str) -> Compiled:
    """Compile a shader with its headers for a version of Vulkan, unoptimized.

    Raises LumaError (E0842) if glslang does not run.
    """
    endless = unit.endless()
    if endless is not None:
        return Compiled(None, (_without_end(*endless, unit),))
    with tempfile.TemporaryDirectory(prefix="luma-") as name:
        folder = Path(name)
        for staged, content in unit.staged.items():
            folder.joinpath(staged).write_bytes(content.encode("latin-1"))
        made = folder / "out.spv"
        done = glslang.run([*_options(glslang, vulkan), next(iter(unit.staged))], folder)
        said = (done.stdout + done.stderr).decode("utf-8", "replace")
        found = tuple(diagnostics(said, unit))
        if done.returncode == 0 and made.exists():
            return Compiled(_cleaned(made.read_bytes()), found)
    if not any(d.level is Level.ERROR for d in found):
        lines = said.strip() or f"status {done.returncode}"
        found = (*found, error(GLSL, f"glslang does not compile the shader: {lines}"))
    return Compiled(None, found)


def _without_end(path: Path, number: int, unit: Unit) -> Diagnostic:
    """The error of a file that comes to include itself, always again."""
    line = unit.texts[path].split("\n")[number - 1].rstrip("\r")
    span = SourceSpan(str(path), number, 1, number, len(line) + 1, line)
    help = "put what a header says between #ifndef NAME, #define NAME and #endif"
    return error(GLSL, "this includes itself without end", help, span)


def _options(glslang: Tool, vulkan: str) -> list[str]:
    if glslang.path.stem == "glslc":
        return [f"--target-env=vulkan{vulkan}", "-O0", "-o", "out.spv"]
    return ["-V", "--target-env", f"vulkan{vulkan}", "-o", "out.spv"]


def _cleaned(binary: bytes) -> bytes:
    """The binary without the extensions that its source was only written with."""
    try:
        return rewritten(binary, (i for i in instructions(binary) if not _is_source_only(i)))
    except Malformed as fault:
        raise failure(SPIRV, f"glslang made a binary that is none: {fault}") from None


def _is_source_only(instruction: Instruction) -> bool:
    return instruction.op == Op.SourceExtension and text(instruction.words) in _SOURCE_ONLY


def diagnostics(said: str, unit: Unit) -> Iterator[Diagnostic]:
    """The messages of glslang, each once, at the places in the files that were staged."""
    seen = set()
    for line in said.splitlines():
        match = next((m for p in _MESSAGES if (m := p.match(line))), None)
        if match is None or _NOISE.search(match["said"]) or match.groups() in seen:
            continue
        seen.add(match.groups())
        yield _diagnostic(match, unit)


def _diagnostic(match: re.Match[str], unit: Unit) -> Diagnostic:
    said = match["said"].strip()
    for name, path in unit.names.items():
        said = said.replace(name, str(path))
    span = _span(match, said, unit)
    missing = "#include" in said and "header" in said
    help = "it is neither beside the file nor in the source root nor in an include directory"
    if "ES shaders for SPIR-V require version" in said:
        missing, help = True, "say #version 450 in the first line"
    make, code = (error, GLSL) if match["level"].lower() == "error" else (warning, GLSL_WARNING)
    return make(code, said, help if missing else None, span)


def _span(match: re.Match[str], said: str, unit: Unit) -> SourceSpan | None:
    """The place of a message: the token that it names on its line, or the whole line."""
    if not match["line"]:
        return None
    number, name = int(match["line"]), match["file"].removeprefix("./")
    path = unit.names.get(name)
    if path is None:  # a name that the shader chose by #line
        return SourceSpan(name, number, 1, number, 1)
    lines = unit.texts[path].split("\n")
    raw = lines[number - 1].rstrip("\r") if 0 < number <= len(lines) else ""
    line = raw.encode("latin-1").decode("utf-8", "replace")
    token = re.match(r"'(.+?)' : ", said)
    at = line.find(token[1]) if token else -1
    start = at if at >= 0 else len(line) - len(line.lstrip())
    end = at + len(token[1]) if token and at >= 0 else len(line.rstrip())
    return SourceSpan(str(path), number, start + 1, number, max(start, end) + 1, line)
