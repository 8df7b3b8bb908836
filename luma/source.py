"""Source text, offsets into it, and the way back from an offset to a file, line and column.

The preprocessor splices included files into one *expanded* text.  Everything after it speaks of
places as :class:`Span`, two offsets into that text; :class:`Source` turns a span into the
:class:`SourceSpan` a person reads.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass, field

#: Lines of more characters are quoted in part only: a thousand errors in a line of a megabyte
#: must not take a gigabyte.
LONG_LINE = 1000

#: Reads a file by path for ``#include``; returns None when there is no such file.
FileReader = Callable[[str], "bytes | str | None"]


@dataclass(frozen=True, slots=True)
class Span:
    """A half-open range ``[start, end)`` of characters in the expanded text."""

    start: int
    end: int

    def to(self, other: Span) -> Span:
        """The span from the start of this one to the end of ``other``."""
        return Span(self.start, max(self.end, other.end))


@dataclass(frozen=True, slots=True)
class SourceSpan:
    """A place as a person reads it: file, 1-based lines and columns (in code points).

    ``col_end`` is the column after the last character.  ``text`` holds the whole first line, for
    carets; of a very long line it is the part around the place, from column ``text_col`` on.
    ``included_from`` is the chain of ``file:line`` places, innermost first.
    """

    file: str
    line_start: int
    col_start: int
    line_end: int
    col_end: int
    text: str = ""
    included_from: tuple[str, ...] = ()
    text_col: int = 1


@dataclass(frozen=True, slots=True)
class Segment:
    """A run of whole lines of the expanded text that come from one place in one file.

    ``start`` is the run's first offset, ``file`` and ``line`` name its first line (a ``#line``
    directive may have chosen them), ``included_from`` the includes that led there.
    """

    start: int
    file: str
    line: int
    included_from: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Source:
    """The expanded text of one compilation and where each of its lines came from."""

    name: str
    text: str
    segments: tuple[Segment, ...]
    _line_starts: tuple[int, ...] = field(default=(), repr=False, compare=False)

    @staticmethod
    def plain(text: str, name: str = "<string>") -> Source:
        """Source that includes nothing."""
        return Source.of(name, text, (Segment(0, name, 1),))

    @staticmethod
    def of(name: str, text: str, segments: tuple[Segment, ...]) -> Source:
        """Build a source, indexing its lines once."""
        starts = [0]
        at = text.find("\n")
        while at >= 0:
            starts.append(at + 1)
            at = text.find("\n", at + 1)
        return Source(name, text, segments, tuple(starts))

    def _line_index(self, offset: int) -> int:
        return bisect_right(self._line_starts, offset) - 1

    def _position(self, offset: int) -> tuple[Segment, int, int]:
        """The segment, presented line and 1-based column of an offset."""
        at = max(0, bisect_right(self.segments, offset, key=lambda s: s.start) - 1)
        segment = self.segments[at]
        index = self._line_index(offset)
        line = segment.line + index - self._line_index(segment.start)
        return segment, line, offset - self._line_starts[index] + 1

    def locate(self, span: Span) -> SourceSpan:
        """Resolve a span to file, lines and columns."""
        start = min(max(span.start, 0), len(self.text))
        end = min(max(span.end, start), len(self.text))
        segment, line, column = self._position(start)
        last_segment, last_line, last_column = self._position(end)
        if last_segment.file != segment.file:  # a span never points into two files
            last_line, last_column = line, column + 1
        index = self._line_index(start)
        begin = self._line_starts[index]
        stop = self.text.find("\n", begin)
        stop = stop if stop >= 0 else len(self.text)
        if stop - begin > LONG_LINE:
            begin, stop = max(begin, start - LONG_LINE // 2), min(stop, start + LONG_LINE // 2)
        return SourceSpan(
            segment.file,
            line,
            column,
            last_line,
            last_column,
            self.text[begin:stop],
            segment.included_from,
            begin - self._line_starts[index] + 1,
        )
