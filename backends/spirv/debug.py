"""Names and line numbers, for ``--debug``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from luma.backends.spirv.builder import MAX_WORDS, Builder, put, text_words
from luma.backends.spirv.grammar import Op

from luma.ir.module import Instr
from luma.source import Source

if TYPE_CHECKING:
    from luma.backends.spirv.body import Body

#: OpSource's source language: none that Khronos has a number for.
UNKNOWN_LANGUAGE = 0

#: Longest piece of source text in one instruction, in bytes.
PIECE = (MAX_WORDS - 8) * 4


def name(builder: Builder, target: int, text: str) -> None:
    """Give an id a name, unless it has one."""
    if target not in builder.named:
        builder.named.add(target)
        put(builder.names, Op.Name, target, *text_words(text[:PIECE]))


def name_values(body: Body) -> None:
    """Give the values of a function the author's names."""
    for parameter in body.function.params:
        if parameter.id in body.ids and body.outputs is None:
            name(body.builder, body.ids[parameter.id], parameter.name)
    for value, text in body.function.names.items():
        target = body.ids.get(value)
        if target is None and value in body.places and not body.places[value].indices:
            target = body.places[value].base
        if target is not None and value not in body.constants:
            name(body.builder, target, text)


class Files:
    """The OpString of each source file, made when first spoken of."""

    __slots__ = ("_builder", "_ids", "source")

    def __init__(self, builder: Builder, source: Source) -> None:
        self._builder = builder
        self._ids: dict[str, int] = {}
        self.source = source

    def id(self, file: str) -> int:
        """The id of a file's name."""
        found = self._ids.get(file)
        if found is None:
            found = self._ids[file] = self._builder.new_id()
            put(self._builder.sources, Op.String, found, *text_words(file[:PIECE]))
        return found

    def declare(self) -> None:
        """Say which files the module comes from, with the text where it is one file's."""
        main = self.id(self.source.name)
        files = list(dict.fromkeys(segment.file for segment in self.source.segments))
        sources: list[int] = []
        if files == [self.source.name] and len(self.source.segments) == 1:
            first, *rest = _pieces(self.source.text)
            put(sources, Op.Source, UNKNOWN_LANGUAGE, 0, main, *text_words(first))
            for piece in rest:
                put(sources, Op.SourceContinued, *text_words(piece))
        else:
            for file in files:
                put(sources, Op.Source, UNKNOWN_LANGUAGE, 0, self.id(file))
        self._builder.sources += sources


def _pieces(text: str) -> list[str]:
    """The text cut so that each piece fits one instruction whatever its characters are."""
    size = PIECE // 4
    return [text[at : at + size] for at in range(0, len(text), size)] or [""]


class Lines:
    """Writes an OpLine whenever the line changes within one block."""

    __slots__ = ("_body", "_last")

    def __init__(self, body: Body) -> None:
        self._body = body
        self._last: tuple[str, int] | None = None

    def at(self, instr: Instr) -> None:
        """Tell where the instruction comes from, if that is known and new."""
        files = self._body.module.files
        span = self._body.function.spans.get(instr.id)
        if files is None or span is None:
            return
        place = files.source.locate(span)
        here = (place.file, place.line_start)
        if here != self._last:
            self._last = here
            file = files.id(place.file)
            self._body.effect(Op.Line, file, place.line_start, place.col_start)
