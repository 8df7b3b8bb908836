"""Finding, reading and decoding the files of a compilation."""

from __future__ import annotations

import os
import posixpath
import re
from dataclasses import dataclass

from luma.source import FileReader

_BOM = b"\xef\xbb\xbf"
_LINE_END = re.compile(r"\r\n?")


@dataclass(frozen=True, slots=True)
class Problem:
    """Why a file cannot be used; ``line``, ``column`` and ``text`` say where in it."""

    code: str
    message: str
    notes: tuple[str, ...] = ()
    help: str | None = None
    line: int = 1
    column: int = 1
    text: str = ""


@dataclass(frozen=True, slots=True)
class Found:
    """A file that was found: the path to show, its content, and what makes it the same file as
    another (its resolved path)."""

    path: str
    content: str | bytes
    identity: str


@dataclass(frozen=True, slots=True)
class Files:
    """Where includes come from: a reader (None: the file system) and the search path."""

    reader: FileReader | None
    include_dirs: tuple[str, ...]

    def identity(self, path: str) -> str:
        """A path's resolved form: symbolic links followed, or only normalised for a reader."""
        if self.reader is not None:
            return posixpath.normpath(path)
        try:
            return os.path.realpath(path)
        except (OSError, ValueError):  # too long, or with a NUL
            return path

    def find(self, path: str, includer: str, angled: bool) -> Found | Problem:
        """Find and read what an include names."""
        join = posixpath.join if self.reader is not None else os.path.join
        normalise = posixpath.normpath if self.reader is not None else os.path.normpath
        bases = self.include_dirs if angled else (_directory(includer, self.reader),)
        candidates = [normalise(join(base, path)) for base in bases]
        for candidate in candidates:
            content = self._read(candidate)
            if isinstance(content, Problem):
                return content
            if content is not None:
                return Found(candidate, content, self.identity(candidate))
        return self._missing(path, angled, candidates)

    def _read(self, path: str) -> str | bytes | Problem | None:
        try:
            if self.reader is not None:
                return _ask(self.reader, path)
            if os.path.isdir(path):
                return Problem("E0106", f"`{path}` is a directory")
            with open(path, "rb") as file:
                return file.read()
        except (FileNotFoundError, NotADirectoryError):
            return None
        except OSError as error:
            return Problem("E0106", f"cannot read `{path}`: {error.strerror or error}")
        except ValueError:  # a path that no file can have
            return None

    def _missing(self, path: str, angled: bool, candidates: list[str]) -> Problem:
        notes = tuple(f"there is no `{candidate}`" for candidate in candidates)
        help = None
        if angled:
            help = "`<path>` is looked up in the include directories (`--include-dir`)"
            if not candidates:
                notes = ("there are no include directories",)
        elif self.include_dirs:
            help = f"`#include <{path}>` looks in the include directories"
        return Problem("E0105", f"cannot find the file `{path}`", notes, help)


def _ask(reader: FileReader, path: str) -> str | bytes | Problem | None:
    """What the caller's reader gives; what it does wrong is no fault of the shader's or Luma's."""
    try:
        content: object = reader(path)
    except OSError:
        raise
    except Exception as error:
        return Problem("E0106", f"the file reader failed on `{path}`: {error!r}")
    if content is None or isinstance(content, str | bytes):
        return content
    kind = type(content).__name__
    advice = "a file reader returns bytes, str, or None where there is no such file"
    return Problem("E0106", f"the file reader returned {kind} for `{path}`", help=advice)


def _directory(includer: str, reader: FileReader | None) -> str:
    return posixpath.dirname(includer) if reader is not None else os.path.dirname(includer)


def decode(content: str | bytes) -> str | Problem:
    """A file's text with LF line ends and no byte order mark, or why it is no text."""
    if isinstance(content, bytes | bytearray):
        if content[:2] in (b"\xff\xfe", b"\xfe\xff"):
            help = "save the file as UTF-8"
            return Problem("E0101", "this file is UTF-16; Luma reads UTF-8", help=help)
        try:
            text = bytes(content.removeprefix(_BOM)).decode("utf-8")
        except UnicodeDecodeError as error:
            return _not_utf8(bytes(content), error.start + content.startswith(_BOM) * len(_BOM))
    else:
        text = content.removeprefix("\ufeff")
    text = _LINE_END.sub("\n", text) if "\r" in text else text
    return _find_bad_character(text) or text


def _not_utf8(content: bytes, offset: int) -> Problem:
    before = _LINE_END.sub("\n", content[:offset].decode("utf-8").removeprefix("\ufeff"))
    line, column = _position(before)
    return Problem(
        "E0101",
        f"this file is not UTF-8: byte {content[offset]:#04x} at offset {offset}",
        help="save the file as UTF-8",
        line=line,
        column=column,
        text=before[before.rfind("\n") + 1 :],
    )


def _position(before: str) -> tuple[int, int]:
    """The line and column right after a text."""
    return before.count("\n") + 1, len(before) - before.rfind("\n")


def _find_bad_character(text: str) -> Problem | None:
    """A NUL or half of a surrogate pair, which only a Python string can hold."""
    nul = text.find("\0")
    if nul >= 0:
        line, column = _position(text[:nul])
        return Problem("E0102", "this file holds a NUL character", line=line, column=column)
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        line, column = _position(text[: error.start])
        message = f"this text is not Unicode: it holds U+{ord(text[error.start]):04X}"
        return Problem("E0101", message, line=line, column=column)
    return None
