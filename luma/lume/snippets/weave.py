"""A shader from a template: declarations, snippets and calls put in before the template's tags.

Every piece of the text remembers where it came from, so that what a compiler says of the shader can
be told of the template, snippet or configuration.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from luma.diagnostics import Diagnostic, LumaError
from luma.lume.files import read_file
from luma.lume.problems import TEMPLATE, error
from luma.lume.snippets.config import Argument, Block, Config, Group, missing_group
from luma.lume.snippets.json_text import Node

DECLARATIONS, FUNCTIONS = "//>DECLARATIONS_", "//>FUNCTIONS_"

#: What separates the names of groups after a tag.
_BREAKS = re.compile(r"[ \t\r\n]+")


@dataclass(frozen=True, slots=True)
class Piece:
    """A run of the shader's text.

    It comes from ``origin``: a file, of which it begins in ``line``, or a value of a configuration.
    """

    text: str
    origin: Path | Node
    line: int = 1


@dataclass(frozen=True, slots=True)
class Woven:
    """A shader and where each of its pieces came from."""

    pieces: tuple[Piece, ...]

    @property
    def text(self) -> str:
        """The whole shader."""
        return "".join(piece.text for piece in self.pieces)

    def pieces_of(self, line: int) -> Iterator[tuple[str, Piece, int]]:
        """What a line of the shader is made of: texts that are not blank, each with its piece and
        the line within the piece."""
        at = 1
        for piece in self.pieces:
            parts = piece.text.split("\n")
            index = line - at
            if 0 <= index < len(parts) and parts[index].strip():
                yield parts[index], piece, index
            at += len(parts) - 1


class _Weaver:
    """The text under work."""

    def __init__(self, pieces: list[Piece], template: Path) -> None:
        self.pieces, self.template = pieces, template

    @property
    def text(self) -> str:
        return "".join(piece.text for piece in self.pieces)

    def insert(self, at: int, new: list[Piece]) -> None:
        """Put pieces before the character ``at``."""
        start = 0
        for index, piece in enumerate(self.pieces):
            if at <= start + len(piece.text):
                cut = at - start
                before, after = piece.text[:cut], piece.text[cut:]
                line = piece.line + before.count("\n")
                split = [Piece(before, piece.origin, piece.line), *new]
                self.pieces[index : index + 1] = [*split, Piece(after, piece.origin, line)]
                return
            start += len(piece.text)


def weave(config: Config, set_number: int) -> Woven:
    """The shader of a configuration; its uniforms lie in ``set_number``.

    Raises LumaError (E0807, E0847, E0848) if there is nowhere to put something.
    """
    template = config.template
    text = _read(template.text, template.written, template.node)
    weaver = _Weaver([Piece(text, template.text)], template.text)
    _declare(weaver, config, set_number)
    known = {v.name for v in (*template.variables, *config.uniforms)}
    used: set[str] = set()
    for block in config.blocks:
        group = template.groups.get(block.group)
        if group is None:
            raise LumaError([missing_group(block, template)])
        if group.name not in used:
            used.add(group.name)
            _inject(weaver, group, block)
        _call(weaver, block, known)
    return Woven(tuple(piece for piece in weaver.pieces if piece.text))


def _read(path: Path, written: str, node: Node) -> str:
    try:
        return read_file(path).decode("utf-8", "surrogateescape")
    except OSError as fault:
        place = node.get("template") or node.get("source") or node
        message = f"cannot read '{written}': {fault.strerror}"
        raise LumaError([error("E0807", message, span=place.span)]) from None


# ---------------------------------------------------------------- declarations


def _declare(weaver: _Weaver, config: Config, set_number: int) -> None:
    """Structs and uniforms, before the first tag."""
    new = [*_structs(config), *_uniforms(config, set_number)]
    if not new:
        return
    at = weaver.text.find(DECLARATIONS)
    if at < 0:
        told = f"'{config.template.written}' has no {DECLARATIONS} tag for types and uniforms"
        first = config.types[0].node if config.types else config.uniforms[0].node
        raise LumaError([first.error(told, "is it a template?", TEMPLATE)])
    weaver.insert(at, new)


def _structs(config: Config) -> Iterator[Piece]:
    for struct in config.types:
        members = "".join(f"{m.type} {m.name};" for m in struct.members)
        yield Piece(f"struct {struct.name}{{ {members} }};\n", struct.node)


def _uniforms(config: Config, set_number: int) -> Iterator[Piece]:
    """Uniforms of a struct's type need a block around them."""
    structs = {s.name for s in (*config.types, *config.template.types)}
    for binding, uniform in enumerate(config.uniforms):
        declared = f"{uniform.type} {uniform.name}"
        if uniform.type in structs:
            block = uniform.name.split("[", 1)[0].rstrip()
            declared = f"u_{block}{{ {declared}; }}"
        place = f"layout(set={set_number}, binding={binding})"
        yield Piece(f"{place} uniform {declared};\n", uniform.node)


def _inject(weaver: _Weaver, group: Group, block: Block) -> None:
    """A group's snippets, before the declarations' tag."""
    if group.path is None:
        return
    text = _read(group.path, group.source, group.node)
    at = _declarations_tag(weaver.text, group.name)
    if at is None:
        raise LumaError([_no_tag(block, DECLARATIONS, weaver.template)])
    ended = text if not text or text.endswith("\n") else text + "\n"
    weaver.insert(at, [Piece(ended, group.path)])


def _declarations_tag(text: str, group: str) -> int | None:
    """Where a group's snippets go: the first tag, if the group is named anywhere after it, which
    is how the engine's tool looks; else the first tag that lists the group on its own line."""
    first = text.find(DECLARATIONS)
    if first < 0:
        return None
    if group in _BREAKS.split(text[first + len(DECLARATIONS) :]):
        return first
    return _listing(text, DECLARATIONS, group)


def _listing(text: str, tag: str, group: str) -> int | None:
    """The first tag on whose line a group is listed."""
    at = text.find(tag)
    while at >= 0:
        end = text.find("\n", at)
        names = text[at + len(tag) : end if end >= 0 else len(text)]
        if group in _BREAKS.split(names):
            return at
        at = text.find(tag, at + len(tag))
    return None


def _no_tag(block: Block, tag: str, template: Path) -> Diagnostic:
    message = f"'{template}' has no {tag} tag that lists '{block.group}'"
    help = "the names of groups follow the tag on its line, separated by spaces"
    return error(TEMPLATE, message, help, block.node.span)


# ---------------------------------------------------------------- calls


def _call(weaver: _Weaver, block: Block, known: set[str]) -> None:
    """The call of a block's function with the variables that it needs, before the tag."""
    text = weaver.text
    at = _listing(text, FUNCTIONS, block.group)
    if at is None:
        raise LumaError([_no_tag(block, FUNCTIONS, weaver.template)])
    column = at - (text.rfind("\n", 0, at) + 1)
    arguments = (*block.inputs, *block.outputs)
    declared = [Piece(d, a.node) for a in arguments for d in _declaration(a, known)]
    call = f"{block.function}({', '.join(map(_passed, arguments))});"
    lines = [*declared, Piece(call, block.node)]
    weaver.insert(at, [Piece(f"{p.text}\n{' ' * column}", p.origin) for p in lines])


def _declaration(argument: Argument, known: set[str]) -> Iterator[str]:
    """The declaration of a variable that nothing declares yet."""
    if not argument.name:
        return
    base = argument.name.split(".", 1)[0]
    if base in known:
        return
    known.add(base)
    value = "" if argument.value is None else f" = {argument.value}"
    yield f"{argument.type} {base}{value};"


def _passed(argument: Argument) -> str:
    return argument.name or f"{argument.type}({argument.value or ''})"
