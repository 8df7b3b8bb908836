"""Strict JSON with places: each value knows its file, the way to it, and where it stands.

The engine's reader takes strings as they are written; here escapes are decoded, but the raw text
is kept for what is copied to an output.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from luma.diagnostics import Diagnostic, LumaError
from luma.lume.files import read_file
from luma.lume.problems import JSON, MEMBER, error, failure, warning
from luma.source import SourceSpan

_SPACE = re.compile(r"[ \t\r\n]*")
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?P<fraction>(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)")
_STRING = re.compile(r'"((?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*)"')
_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|(.))")
_WORDS = {"true": True, "false": False, "null": None}
_ESCAPED = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}

#: Deepest nesting: no configuration comes near it, and Python's stack holds it.
_MAX_DEPTH = 100

#: Digits of a number: no configuration has as many.
_MAX_DIGITS = 400

#: What a value is called when something else was expected.
KINDS = {str: "string", list: "array", dict: "object", int: "number", float: "number"}


@dataclass(frozen=True, slots=True)
class Text:
    """A file's text."""

    path: Path
    content: str

    def span(self, start: int, end: int) -> SourceSpan:
        """A range of characters as a person reads it: what stands in the range's first line."""
        first = self.content.rfind("\n", 0, start) + 1
        last = self.content.find("\n", start)
        line = self.content[first : last if last >= 0 else len(self.content)].rstrip("\r")
        number = self.content.count("\n", 0, start) + 1
        stop = max(min(end, first + len(line)), start + 1)
        return SourceSpan(str(self.path), number, start - first + 1, number, stop - first + 1, line)


@dataclass(frozen=True, slots=True)
class Node:
    """A value: None, a bool, a number, a string (decoded), or a list or dict of nodes.

    ``way`` leads to it from the root, as ``blocks[0].name``; ``start`` and ``end`` are where it
    stands in the file.
    """

    file: Text
    way: str
    value: str | int | float | bool | list[Node] | dict[str, Node] | None
    start: int
    end: int

    @property
    def raw(self) -> str:
        """The value as it is written."""
        return self.file.content[self.start : self.end]

    @property
    def span(self) -> SourceSpan:
        """Where it stands."""
        return self.file.span(self.start, self.end)

    def get(self, key: str) -> Node | None:
        """A member of an object; None if there is none, or this is no object."""
        return self.value.get(key) if isinstance(self.value, dict) else None

    @property
    def items(self) -> list[Node]:
        """The elements of an array; none of any other value."""
        return self.value if isinstance(self.value, list) else []

    @property
    def text(self) -> str | None:
        """The value if it is a string."""
        return self.value if isinstance(self.value, str) else None

    def string(self, key: str) -> str:
        """A member that must be a string.  Raises LumaError (E0847)."""
        return str(self._member(key, str).value)

    def array(self, key: str) -> list[Node]:
        """A member that must be an array.  Raises LumaError (E0847)."""
        return self._member(key, list).items

    def _member(self, key: str, kind: type) -> Node:
        found = self.get(key)
        if found is None:
            raise LumaError([self.error(f"{self.name} lacks '{key}'")])
        if not isinstance(found.value, kind):
            raise LumaError([found.error(f"'{found.way}' is not {_a(KINDS[kind])}")])
        return found

    @property
    def name(self) -> str:
        """What messages call it."""
        return f"'{self.way}'" if self.way else "the configuration"

    def error(self, message: str, help: str | None = None, code: str = MEMBER) -> Diagnostic:
        """An error at this value."""
        return error(code, message, help, self.span)

    def warning(self, code: str, message: str, help: str | None = None) -> Diagnostic:
        """A warning at this value."""
        return warning(code, message, help, self.span)


def _a(noun: str) -> str:
    return f"an {noun}" if noun[0] in "aeiou" else f"a {noun}"


def read(path: Path, shown: str | None = None) -> Node:
    """The value in a file.  Raises LumaError (E0807, E0846)."""
    try:
        content = read_file(path).decode("utf-8")
    except OSError as fault:
        raise failure("E0807", f"cannot read '{shown or path}': {fault.strerror}") from None
    except UnicodeDecodeError as fault:
        raise failure(JSON, f"'{shown or path}' is not UTF-8: {fault}") from None
    return _Parser(Text(path, content)).whole()


class _Parser:
    """A recursive-descent parser over one text."""

    __slots__ = ("at", "content", "file")

    def __init__(self, file: Text) -> None:
        self.file, self.content, self.at = file, file.content, 0

    def whole(self) -> Node:
        found = self.value("", 0)
        self.space()
        if self.at < len(self.content):
            raise self.problem("something follows the value")
        return found

    def problem(self, message: str) -> LumaError:
        span = self.file.span(self.at, self.at + 1)
        return LumaError([error(JSON, f"not valid JSON: {message}", None, span)])

    def space(self) -> None:
        match = _SPACE.match(self.content, self.at)
        self.at = match.end() if match else self.at

    def next_is(self, character: str) -> bool:
        """Whether a character comes next, which is then taken."""
        self.space()
        if not self.content.startswith(character, self.at):
            return False
        self.at += 1
        return True

    def value(self, way: str, depth: int) -> Node:
        if depth > _MAX_DEPTH:
            raise self.problem("it is nested too deeply")
        self.space()
        start = self.at
        value: str | int | float | bool | list[Node] | dict[str, Node] | None
        if self.next_is("{"):
            value = dict(self.members(way, depth))
        elif self.next_is("["):
            value = list(self.elements(way, depth))
        else:
            value = self.scalar()
        return Node(self.file, way, value, start, self.at)

    def scalar(self) -> str | int | float | bool | None:
        for word, meaning in _WORDS.items():
            if self.content.startswith(word, self.at):
                self.at += len(word)
                return meaning
        number = _NUMBER.match(self.content, self.at)
        if number is not None:
            return self.number(number)
        return self.string()

    def number(self, match: re.Match[str]) -> int | float:
        if len(match[0]) > _MAX_DIGITS:
            raise self.problem("a number of too many digits")
        value = float(match[0]) if match["fraction"] else int(match[0])
        if isinstance(value, float) and not math.isfinite(value):
            raise self.problem("a number beyond all bounds")
        self.at = match.end()
        return value

    def string(self) -> str:
        match = _STRING.match(self.content, self.at)
        if match is None:
            raise self.problem("a value is expected")
        self.at = match.end()
        return _decoded(match[1])

    def members(self, way: str, depth: int) -> Iterator[tuple[str, Node]]:
        if self.next_is("}"):
            return
        while True:
            self.space()
            key = self.string()
            if not self.next_is(":"):
                raise self.problem("':' is expected")
            yield key, self.value(f"{way}.{key}" if way else key, depth + 1)
            if self.next_is("}"):
                return
            self.comma()

    def elements(self, way: str, depth: int) -> Iterator[Node]:
        if self.next_is("]"):
            return
        index = 0
        while True:
            yield self.value(f"{way}[{index}]", depth + 1)
            index += 1
            if self.next_is("]"):
                return
            self.comma()

    def comma(self) -> None:
        if not self.next_is(","):
            raise self.problem("',' is expected")


def _decoded(raw: str) -> str:
    if "\\" not in raw:
        return raw
    text = _ESCAPE.sub(lambda m: chr(int(m[1], 16)) if m[1] else _ESCAPED.get(m[2], m[2]), raw)
    # Two escapes may be halves of one character.
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
