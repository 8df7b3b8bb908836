"""What a GLSL shader includes, found by the engine's rules and laid out for glslang.

A header in quotes is looked for beside the file that names it, then in the source root, then in
each include directory; one in angle brackets not beside the file.  glslang itself decides which
``#include`` is active: all are found here, and those that do not exist are left for it to complain
of.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from luma.lume.files import read_file
from luma.lume.problems import failure

_INCLUDE = re.compile(r"""^([ \t]*\#[ \t]*include[ \t]*)(?:"([^"\n]+)"|<([^>\n]+)>)""", re.M | re.X)
_CONDITION = re.compile(r"^[ \t]*#[ \t]*(if|endif)", re.M)
_VERSION = re.compile(r"^[ \t]*#[ \t]*version\b.*$", re.M)

#: Comments, and what is in quotes so that no comment is seen in there.
_COMMENT = re.compile(r'"[^"\n]*"|//(?:\\\r?\n|[^\n])*|/\*.*?(?:\*/|\Z)', re.S)

#: Without it glslang refuses ``#include``; the engine's shaders do not ask for it themselves.
_EXTENSION = "#extension GL_GOOGLE_include_directive : enable\n"


#: What changes with a file: the time of its last change in nanoseconds, and its size.
Stamp = tuple[int, int]


def stamp(path: Path) -> Stamp | None:
    """The stamp of a file, or None if there is none."""
    try:
        found = path.stat()
    except (OSError, ValueError):  # ValueError: a NUL in its name
        return None
    return (found.st_mtime_ns, found.st_size)


@dataclass(frozen=True, slots=True)
class Search:
    """Where headers are looked for: the source root, then the include directories."""

    root: Path
    directories: tuple[Path, ...] = ()

    def places(self, header: str, quoted: bool, includer: Path) -> Iterator[Path]:
        """The paths that an ``#include`` may mean, the best first."""
        if quoted:
            yield _tidy(includer.parent / header)
        for directory in (self.root, *self.directories):
            yield _tidy(directory / header)


def _tidy(path: Path) -> Path:
    """A path without ``..`` and ``.``, as a person would write it."""
    return Path(os.path.normpath(path))


@dataclass(frozen=True, slots=True)
class Unit:
    """A shader and all that it may include.

    ``texts`` are the files as they are, the shader first; ``staged`` the texts to compile, by the
    names that they must have; ``names`` these names' files; ``depends`` the stamps of the files
    before they were read, None of those that would be included if they existed; ``certain`` is
    what a file includes under no condition, with the line.
    """

    texts: dict[Path, str]
    staged: dict[str, str]
    names: dict[str, Path]
    depends: dict[Path, Stamp | None]
    certain: dict[Path, dict[Path, int]]

    def endless(self) -> tuple[Path, int] | None:
        """A file and the line of it that includes without end, if that is certain.

        glslang would follow it until it has no memory.
        """
        ended: set[Path] = set()
        trail: list[Path] = [next(iter(self.texts))]
        while trail:
            path = trail[-1]
            open_ones = [p for p in self.certain.get(path, ()) if p not in ended]
            if not open_ones:
                ended.add(trail.pop())
            elif open_ones[0] in trail:
                return path, self.certain[path][open_ones[0]]
            else:
                trail.append(open_ones[0])
        return None


def collect(shader: Path, search: Search, suffix: str, content: bytes | None = None) -> Unit:
    """A shader with its headers; ``suffix`` is what the staged shader's name ends in.

    ``content`` is the shader's if it is not to be read from its file.  Raises LumaError (E0807) if
    the shader itself cannot be read.
    """
    return _Collector(search).follow(shader, suffix, content)


class _Collector:
    """Follows the includes of one shader."""

    def __init__(self, search: Search) -> None:
        self.search = search
        self.texts: dict[Path, str] = {}
        self.names: dict[Path, str] = {}
        self.depends: dict[Path, Stamp | None] = {}
        self.certain: dict[Path, dict[Path, int]] = {}

    def follow(self, shader: Path, suffix: str, content: bytes | None) -> Unit:
        """The shader with whatever it includes."""
        fault = self._read(shader, f"luma-0{suffix}", content)
        if fault is not None:
            raise failure("E0807", f"cannot read '{shader}': {fault}")
        staged: dict[str, str] = {}
        while len(staged) < len(self.texts):
            path = list(self.texts)[len(staged)]
            text = _rewritten(self.texts[path], partial(self._find, includer=path))
            staged[self.names[path]] = text if staged else _with_extension(text)
        names = {name: path for path, name in self.names.items()}
        return Unit(self.texts, staged, names, self.depends, self.certain)

    def _read(self, path: Path, name: str, content: bytes | None = None) -> str | None:
        """Take up a file; why not, if it cannot be read."""
        self.depends[path] = stamp(path)
        try:
            data = read_file(path) if content is None else content
        except OSError as fault:
            return fault.strerror
        # Byte for byte: comments may be in any encoding.
        self.texts[path] = data.removeprefix(b"\xef\xbb\xbf").decode("latin-1")
        self.names[path] = name
        return None

    def _find(self, match: re.Match[str], includer: Path) -> str:
        """The directive with the name of the staged file; as it was if there is no file."""
        lead, quoted, bracketed = match.groups()
        for path in self.search.places(quoted or bracketed, quoted is not None, includer):
            if path in self.texts or self._read(path, f"luma-{len(self.texts)}.h") is None:
                if not _is_conditional(match):
                    line = match.string.count("\n", 0, match.start()) + 1
                    self.certain.setdefault(includer, {}).setdefault(path, line)
                return f'{lead}"{self.names[path]}"'
        return match.group()


def _is_conditional(match: re.Match[str]) -> bool:
    """Whether a directive stands between ``#if`` and ``#endif``."""
    before = _CONDITION.findall(match.string, 0, match.start())
    return before.count("if") > before.count("endif")


def _rewritten(text: str, replace: Callable[[re.Match[str]], str]) -> str:
    """The text with its ``#include`` directives replaced, those in comments left alone."""
    parts, end = [], 0
    for match in _INCLUDE.finditer(_blanked(text)):
        parts += [text[end : match.start()], replace(match)]
        end = match.end()
    return "".join([*parts, text[end:]])


def _with_extension(text: str) -> str:
    """The text with the directive that allows includes after its version; lines keep numbers."""
    version = _VERSION.search(_blanked(text))
    if version is None:
        return f"{_EXTENSION}#line 1\n{text}"
    end = version.end()
    rest = text[end:].removeprefix("\n")
    return f"{text[:end]}\n{_EXTENSION}#line {text.count(chr(10), 0, end) + 2}\n{rest}"


def _blanked(text: str) -> str:
    """The text with comments blanked: of the same length and the same lines."""
    return _COMMENT.sub(_blank, text)


def _blank(match: re.Match[str]) -> str:
    found = match.group()
    return found if found.startswith('"') else re.sub(r"[^\n]", " ", found)
