"""Where statements come from: ``#line`` directives with numbers for files."""

from __future__ import annotations

from luma.ir.module import Function
from luma.source import Source, Span

from .statements import Assign, Define, For, If, Loop, Perform, Return, Statement


class Lines:
    """Gives the ``#line`` directives of a text, and the numbers that it uses for files."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self.files: dict[str, int] = {}

    def directive(self, span: Span) -> str:
        """The directive that gives the next line the place where ``span`` starts."""
        place = self._source.locate(span)
        number = self.files.setdefault(place.file, len(self.files))
        return f"#line {place.line_start} {number}"


def span_of(function: Function, statement: Statement) -> Span | None:
    """Where a statement was written, if that is known."""
    spans = function.spans
    match statement:
        case Define(instr=instr) | Perform(instr=instr):
            return spans.get(instr.id)
        case Assign(variable=variable, declares=True) if variable in spans:
            return spans[variable]  # of a constant that other statements share, it would be theirs
        case Assign(value=value):
            return spans.get(value)
        case If(condition=condition):
            return spans.get(condition.value)
        case Loop(condition=condition) if condition is not None:
            return spans.get(condition.value)
        case For(condition=condition):
            return spans.get(condition.value)
        case Return(values) if values:
            return spans.get(values[0])
    return None
