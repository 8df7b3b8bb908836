"""Errors and warnings: collected by the stages, shown with carets or as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from luma.source import Source, SourceSpan, Span


class Level(Enum):
    """How bad a diagnostic is."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


@dataclass(frozen=True, slots=True)
class Note:
    """A remark on a diagnostic, with the place it speaks of if there is one."""

    message: str
    span: SourceSpan | None = None


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One thing said about the input.

    ``code`` is stable (``E0203``, ``W0901``) and documented in ``docs/errors.md``; ``help`` tells
    the fix.
    """

    level: Level
    code: str
    message: str
    span: SourceSpan | None = None
    notes: tuple[Note, ...] = ()
    help: str | None = None

    def render(self) -> str:
        """The diagnostic as text for a terminal, with carets under the place."""
        lines = [f"{self.level.value}[{self.code}]: {self.message}"]
        if self.span is not None:
            lines += _excerpt(self.span)
        for note in self.notes:
            lines.append(f"note: {note.message}")
            if note.span is not None:
                lines += _excerpt(note.span)
        if self.help is not None:
            lines.append(f"help: {self.help}")
        return "\n".join(lines)

    def to_json(self) -> dict[str, Any]:
        """The diagnostic as plain data; the keys are part of the interface."""
        return {
            "level": self.level.value,
            "code": self.code,
            "message": self.message,
            "span": _span_json(self.span),
            "notes": [{"message": n.message, "span": _span_json(n.span)} for n in self.notes],
            "help": self.help,
        }


class LumaError(Exception):
    """What the library raises when an error cannot be returned: it carries the diagnostics."""

    def __init__(self, diagnostics: Sequence[Diagnostic]) -> None:
        self.diagnostics = tuple(diagnostics)
        super().__init__("\n\n".join(d.render() for d in self.diagnostics))

    def __reduce__(self) -> tuple[type[LumaError], tuple[Sequence[Diagnostic]]]:
        """Made anew of its diagnostics, so that it comes whole from another process."""
        return type(self), (self.diagnostics,)


@dataclass(slots=True)
class Reporter:
    """Collects the diagnostics of one source while the stages run over it."""

    source: Source
    _found: dict[tuple[int, str, str], tuple[int, Diagnostic]] = field(default_factory=dict)
    error_count: int = 0

    def error(
        self,
        code: str,
        span: Span,
        message: str,
        *,
        notes: Sequence[tuple[str, Span | None]] = (),
        help: str | None = None,
    ) -> None:
        """Record an error; the same code and message at the same place is recorded once."""
        self._add(Level.ERROR, code, span, message, notes, help)

    def warning(
        self,
        code: str,
        span: Span,
        message: str,
        *,
        notes: Sequence[tuple[str, Span | None]] = (),
        help: str | None = None,
    ) -> None:
        """Record a warning."""
        self._add(Level.WARNING, code, span, message, notes, help)

    def _add(
        self,
        level: Level,
        code: str,
        span: Span,
        message: str,
        notes: Sequence[tuple[str, Span | None]],
        help: str | None,
    ) -> None:
        key = (span.start, code, message)
        if key in self._found:
            return
        resolved = tuple(Note(m, None if s is None else self.source.locate(s)) for m, s in notes)
        place = self.source.locate(span)
        diagnostic = Diagnostic(level, code, message, place, resolved, help)
        self._found[key] = (span.start, diagnostic)
        if level is Level.ERROR:
            self.error_count += 1

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """Everything found, in the order of the text (ties in the order found)."""
        return tuple(d for _, d in sorted(self._found.values(), key=lambda item: item[0]))


def _excerpt(span: SourceSpan) -> list[str]:
    gutter = " " * len(str(span.line_start))
    lines = [f"{gutter}--> {span.file}:{span.line_start}:{span.col_start}"]
    text, start, width = _window(span)
    shown = text.replace("\t", " ")
    lines += [f"{gutter} |", f"{span.line_start} | {shown}".rstrip()]
    lines.append(f"{gutter} | {' ' * start}{'^' * width}")
    lines += [f"{gutter} = included from {place}" for place in span.included_from]
    return lines


#: Longest piece of a source line that is shown, in characters.
EXCERPT_WIDTH = 120


def _window(span: SourceSpan) -> tuple[str, int, int]:
    """The piece of the line to show, the caret's 0-based column in it, and its width."""
    start = span.col_start - span.text_col
    one_line = span.line_end == span.line_start
    end = span.col_end - span.text_col if one_line else len(span.text)
    first = 0 if len(span.text) <= EXCERPT_WIDTH else max(0, start - EXCERPT_WIDTH // 3)
    text = span.text[first : first + EXCERPT_WIDTH]
    width = max(1, min(end, first + len(text)) - start)
    return text, start - first, width


def _span_json(span: SourceSpan | None) -> dict[str, Any] | None:
    if span is None:
        return None
    return {
        "file": span.file,
        "line_start": span.line_start,
        "col_start": span.col_start,
        "line_end": span.line_end,
        "col_end": span.col_end,
        "included_from": list(span.included_from),
    }
