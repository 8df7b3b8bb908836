"""The preprocessor: splices included files into one text that still knows where its lines are from.

Directives are ``#include "path"``, ``#include <path>``, ``#pragma once`` and ``#line N "file"``.
There are no macros and no conditions.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from luma.diagnostics import Diagnostic, Level, Note
from luma.frontend.files import Files, Problem, decode
from luma.frontend.lexer import comment_close
from luma.source import FileReader, Segment, Source, SourceSpan

#: Deepest chain of includes.
MAX_INCLUDE_DEPTH = 64

#: Most files that one compilation may include, each counted as often as it is inserted.
MAX_INCLUDES = 10_000

#: Longest expanded text, in characters.
MAX_TEXT = 4 * 1024 * 1024

#: Largest line number of a ``#line``: what GLSL's own directive can say.
_MAX_LINE = 2**31 - 1

#: A comment's opening, or a ``#`` that is the first of its line.
_MARK = re.compile(r"--\[(?P<level>=*)\[|--|^[ \t]*(?P<hash>\#)", re.MULTILINE)
_WORD = re.compile(r"\#[ \t]*(?P<word>\w*)[ \t]*")
_INCLUDE = re.compile(r'"(?P<quoted>[^"\n]*)"|<(?P<angled>[^>\n]*)>')
_LINE = re.compile(r'(?P<number>[0-9]+)(?:[ \t]+"(?P<file>[^"\n]*)")?(?=[ \t]|--|\Z)')
_BLOCK_COMMENT = re.compile(r"--\[(?P<level>=*)\[")

_NO_MACROS = "a constant is `const NAME: T = value` in the language itself"
_NO_CONDITIONS = (
    "write `if` on a `const`: what it never takes is not emitted; other variants are other files"
)
_FOREIGN: dict[str, str] = {
    "define": _NO_MACROS,
    "undef": _NO_MACROS,
    **dict.fromkeys(("if", "ifdef", "ifndef", "elif", "else", "endif"), _NO_CONDITIONS),
    "version": "leave it out: the target is chosen when compiling",
    "extension": "leave it out: each target enables what it needs",
    "import": 'write `#include "path"`',
    "use": 'write `#include "path"`',
}


@dataclass(frozen=True, slots=True)
class _File:
    """A file being expanded: its path for includes and the reader, and how it got here."""

    path: str
    identity: str
    included_from: tuple[str, ...]


class _Stop(Exception):
    """A limit was reached: expanding ends here."""


def preprocess(
    text: str | bytes,
    name: str = "<string>",
    *,
    include_dirs: Sequence[str] = (),
    file_reader: FileReader | None = None,
) -> tuple[Source, tuple[Diagnostic, ...]]:
    """Expand the includes of a source.

    ``name`` is the source's path: quoted includes are looked up next to it.  ``<path>`` is looked
    up in ``include_dirs``, in order.  ``file_reader`` replaces the file system.  Problems are
    returned, never raised; the source then holds what could be expanded.
    """
    expander = _Expander(Files(file_reader, tuple(include_dirs)))
    with contextlib.suppress(_Stop):
        expander.add_file(text, _File(name, expander.files.identity(name), ()))
    segments = tuple(expander.segments) or (Segment(0, name, 1),)
    source = Source.of(name, "".join(expander.pieces), segments)
    return source, tuple(expander.diagnostics)


@dataclass(slots=True)
class _Expander:
    """What has been expanded so far."""

    files: Files
    pieces: list[str] = field(default_factory=list)
    length: int = 0
    segments: list[Segment] = field(default_factory=list)
    diagnostics: list[Diagnostic] = field(default_factory=list)
    #: The identities of the files marked ``#pragma once``.
    once: set[str] = field(default_factory=set)
    #: The files being expanded, outermost first, each with the place of its current include.
    stack: list[tuple[_File, str]] = field(default_factory=list)
    includes: int = 0

    def add_file(self, content: str | bytes, file: _File) -> None:
        """Append a file's text with its includes expanded."""
        text = decode(content)
        if isinstance(text, Problem):
            self.report_file(file, text)
            return
        _Scan(self, file, text).run()

    def report_file(self, file: _File, problem: Problem) -> None:
        """Report a file whose content cannot be used."""
        place = SourceSpan(
            file.path, problem.line, problem.column, problem.line, problem.column + 1,
            problem.text, file.included_from,
        )  # fmt: skip
        self.report(problem.code, problem.message, place, help=problem.help)

    def report(
        self,
        code: str,
        message: str,
        place: SourceSpan,
        notes: tuple[Note, ...] = (),
        help: str | None = None,
    ) -> None:
        """Add an error."""
        self.diagnostics.append(Diagnostic(Level.ERROR, code, message, place, notes, help))


class _Scan:
    """One pass over one file: finds its directives, appends the rest in pieces."""

    __slots__ = ("at", "expander", "file", "line", "shift", "shown", "text")

    def __init__(self, expander: _Expander, file: _File, text: str) -> None:
        self.expander = expander
        self.file = file
        self.text = text
        #: Where the text not yet appended starts, and its line in the file (from 1).
        self.at = 0
        self.line = 1
        #: What a ``#line`` directive changed: the file's shown name, and lines to add.
        self.shown = file.path
        self.shift = 0

    def run(self) -> None:
        """Append the file."""
        at = 0
        while (mark := _MARK.search(self.text, at)) is not None:
            if mark["hash"] is not None:
                at = self.directive(mark.start(), mark.start("hash"))
            elif mark["level"] is None:
                at = self.line_end(mark.end())
            else:
                at = self.block_comment(mark.start(), mark.end(), mark["level"])
        self.append(len(self.text))

    def line_end(self, at: int) -> int:
        """The end of the line that holds an offset (where its line feed is)."""
        end = self.text.find("\n", at)
        return len(self.text) if end < 0 else end

    def block_comment(self, start: int, opened: int, level: str) -> int:
        """The offset after a block comment; an unclosed one is reported and cut off."""
        close = self.text.find(f"]{level}]", opened)
        if close >= 0:
            return close + len(level) + 2
        self.expander.report(
            "E0108",
            "this block comment is never closed",
            self.place(start, opened),
            help=f"close it with `{comment_close(opened - start)}`",
        )
        self.text = self.text[:start]
        return start

    def append(self, end: int) -> None:
        """Append the text up to an offset, whole lines that end with a line feed."""
        if end <= self.at:
            return
        expander = self.expander
        piece = self.text[self.at : end]
        if self.file.included_from and piece[-1] != "\n":
            piece += "\n"  # the including file's next token must not be glued on
        if expander.length + len(piece) > MAX_TEXT:
            message = f"the source with its includes is longer than {MAX_TEXT} characters"
            expander.report("E0604", message, self.place(self.at, self.at + 1))
            raise _Stop
        expander.segments.append(
            Segment(expander.length, self.shown, self.line + self.shift, self.file.included_from)
        )
        expander.pieces.append(piece)
        expander.length += len(piece)
        self.line += piece.count("\n")
        self.at = end

    def place(self, start: int, end: int) -> SourceSpan:
        """A place in this file, for a diagnostic; ``start`` and ``end`` are on one line."""
        begin = self.text.rfind("\n", 0, start) + 1
        line = self.line + self.shift + self.text.count("\n", self.at, begin)
        return SourceSpan(
            self.shown,
            line,
            start - begin + 1,
            line,
            end - begin + 1,
            self.text[begin : self.line_end(start)],
            self.file.included_from,
        )

    # ------------------------------------------------------------ directives

    def directive(self, line_start: int, start: int) -> int:
        """Obey the directive on a line and leave the line out; the offset after it."""
        self.append(line_start)
        end = self.line_end(start)
        word = _WORD.match(self.text, start)
        assert word is not None  # the `#` is there
        place = self.place(start, max(word.end("word"), start + 1))
        match word["word"]:
            case "include":
                self.include(start, word.end(), end)
            case "pragma":
                self.pragma(start, word.end(), end)
            case "line":
                self.line_directive(start, word.end(), end)
            case other:
                self.unknown(other, place)
        # `append` of an included file does not move this one's place; the line is left out here.
        self.at = min(end + 1, len(self.text))
        self.line += 1
        return self.at

    def unknown(self, word: str, place: SourceSpan) -> None:
        """Report a directive that Luma does not have."""
        message = f"Luma has no directive `#{word}`" if word else "`#` without a directive"
        help = _FOREIGN.get(word, "the directives are `#include`, `#pragma once` and `#line`")
        self.expander.report("E0104", message, place, help=help)

    def malformed(self, start: int, end: int, message: str, help: str) -> None:
        """Report a directive that is not written right."""
        last = start + len(self.text[start:end].rstrip())
        self.expander.report("E0103", message, self.place(start, last), help=help)

    def nothing_follows(self, after: int, end: int, what: str) -> bool:
        """Whether only a comment follows on the line; else that is reported."""
        start = _skip_comments(self.text, after, end)
        if start == end:
            return True
        message = f"nothing but a comment that ends on its line may follow {what}"
        self.expander.report("E0103", message, self.place(start, end))
        return False

    def pragma(self, start: int, at: int, end: int) -> None:
        """Obey ``#pragma once``."""
        if not self.text.startswith("once", at):
            help = "`#pragma once` is the only one: a file inserted at most once"
            self.malformed(start, end, "unknown `#pragma`", help)
        elif self.nothing_follows(at + 4, end, "`#pragma once`"):
            self.expander.once.add(self.file.identity)

    def line_directive(self, start: int, at: int, end: int) -> None:
        """Obey ``#line N`` and ``#line N "file"``: they say where the next line is from."""
        found = _LINE.match(self.text[at:end])
        number = 0 if found is None or len(found["number"]) > 10 else int(found["number"])
        if found is None or not 1 <= number <= _MAX_LINE:
            help = f'write `#line 10` or `#line 10 "file"`, with a line from 1 to {_MAX_LINE}'
            self.malformed(start, end, "`#line` takes a line number and perhaps a file", help)
        elif self.nothing_follows(at + found.end(), end, "`#line`"):
            self.shift = number - (self.line + 1)
            self.shown = self.shown if found["file"] is None else found["file"]

    def include(self, start: int, at: int, end: int) -> None:
        """Obey ``#include``."""
        found = _INCLUDE.match(self.text, at, end)
        if found is None:
            help = 'write `#include "path"` or `#include <path>`'
            self.malformed(start, end, "`#include` takes a path in quotes", help)
            return
        path = found["quoted"] if found["quoted"] is not None else found["angled"]
        place = self.place(start, found.end())
        if not path.strip():
            self.expander.report("E0103", "the path of this `#include` is empty", place)
        elif self.nothing_follows(found.end(), end, "`#include`"):
            self.insert(path, found["angled"] is not None, place)

    def insert(self, path: str, angled: bool, place: SourceSpan) -> None:
        """Insert the file that an include names."""
        expander = self.expander
        found = expander.files.find(path, self.file.path, angled)
        if isinstance(found, Problem):
            notes = tuple(Note(note) for note in found.notes)
            expander.report(found.code, found.message, place, notes, found.help)
            return
        if found.identity in expander.once:
            return
        here = f"{place.file}:{place.line_start}"
        expander.stack.append((self.file, here))
        file = _File(found.path, found.identity, (here, *self.file.included_from))
        if not self.is_cycle(file, place):
            self.check_limits(place)
            expander.add_file(found.content, file)
        expander.stack.pop()

    def is_cycle(self, file: _File, place: SourceSpan) -> bool:
        """Whether a file is being expanded already; then that is reported with its chain."""
        stack = self.expander.stack
        identities = [entry.identity for entry, _ in stack]
        if file.identity not in identities:
            return False
        chain = stack[identities.index(file.identity) :]
        targets = [entry.path for entry, _ in chain[1:]] + [file.path]
        notes = tuple(
            Note(f"{where} includes {target}")
            for (_, where), target in zip(chain, targets, strict=True)
        )
        help = f"put `#pragma once` at the top of {file.path}, or break the cycle"
        message = f"`{file.path}` includes itself"
        self.expander.report("E0107", message, place, notes, help)
        return True

    def check_limits(self, place: SourceSpan) -> None:
        """Stop expanding when includes nest too deeply or are too many."""
        expander = self.expander
        expander.includes += 1
        if len(expander.stack) > MAX_INCLUDE_DEPTH:
            message = f"includes nest too deeply: the limit is {MAX_INCLUDE_DEPTH}"
            expander.report("E0603", message, place)
            raise _Stop
        if expander.includes > MAX_INCLUDES:
            message = f"too many includes: the limit is {MAX_INCLUDES} insertions"
            expander.report("E0605", message, place)
            raise _Stop


def _skip_comments(text: str, at: int, end: int) -> int:
    """The offset, up to the end of the line, of what is neither blank nor a comment."""
    while True:
        while at < end and text[at] in " \t":
            at += 1
        if not text.startswith("--", at, end):
            return at
        block = _BLOCK_COMMENT.match(text, at, end)
        if block is None:
            return end
        close = f"]{block['level']}]"
        found = text.find(close, block.end(), end)
        if found < 0:
            return at
        at = found + len(close)
