"""Compiling a shader of snippets: errors are told of the files that a person wrote."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from luma.diagnostics import Diagnostic, LumaError, Note
from luma.lume.glsl import SUFFIXES, compile_glsl
from luma.lume.includes import Search, collect
from luma.lume.lsb import Descriptor, DescriptorSet
from luma.lume.problems import SOURCE, UNBOUND, error, warning
from luma.lume.reflect import reflect
from luma.lume.snippets.json_text import Node
from luma.lume.snippets.layout import SETS
from luma.lume.snippets.weave import Piece, Woven
from luma.lume.tools import Tool
from luma.source import SourceSpan

#: The dimension of texel buffers, for which reflection and layouts have different words.
_BUFFER = 5


def check(
    shader: Woven, layout: bytes, place: Path, search: Search, glslang: Tool, vulkan: str
) -> tuple[Diagnostic, ...]:
    """What glslang says of a shader that will lie at ``place``, and where its pipeline layout is
    another one; nothing if all is well."""
    if place.suffix not in SUFFIXES:
        message = f"'{place}' cannot be checked: shaders end in {', '.join(SUFFIXES)}"
        return (error(SOURCE, message),)
    content = shader.text.encode("utf-8", "surrogateescape")
    try:
        unit = collect(place, search, place.suffix, content)
        compiled = compile_glsl(unit, glslang, vulkan)
        found = tuple(_told(d, shader, place) for d in compiled.diagnostics)
        if compiled.binary is None:
            return found
        missing = unbound(reflect(compiled.binary).reflection.sets, layout)
    except LumaError as fault:
        return fault.diagnostics
    return (*found, *(warning(UNBOUND, f"'{place}': {m}") for m in missing))


def unbound(sets: tuple[DescriptorSet, ...], layout: bytes) -> Iterator[str]:
    """The resources of a shader that its pipeline layout does not have.

    A layout without any set says nothing: the engine goes by the shader then.
    """
    told = json.loads(layout.decode("utf-8", "replace")).get(SETS)
    listed = {
        (group.get("set"), item.get("binding")): str(item.get("descriptorType"))
        for group in (told if isinstance(told, list) else ())
        if isinstance(group, dict) and isinstance(group.get("bindings"), list)
        for item in group["bindings"]
        if isinstance(item, dict)
    }
    for group in sets if listed else ():
        for item in group.bindings:
            kind = listed.get((group.set, item.binding))
            wanted = Descriptor(item.descriptor).name.lower()
            where = f"the pipeline layout has no {wanted} at binding {item.binding} of set"
            if kind is None:
                yield f"{where} {group.set}"
            elif kind.removesuffix("_dynamic") != wanted and item.dim != _BUFFER:
                yield f"{where} {group.set}, but a {kind}"


def _told(found: Diagnostic, shader: Woven, place: Path) -> Diagnostic:
    """A message about the shader as one about what its line came from."""
    span = found.span
    if span is None or span.file != str(place):
        return found
    pieces = list(shader.pieces_of(span.line_start))
    token = span.text[span.col_start - 1 : span.col_end - 1]
    best = next((p for p in pieces if token in p[0]), pieces[0] if pieces else None)
    if best is None:
        return found
    text, piece, offset = best
    note = Note(f"it is line {span.line_start} of the shader", replace(span, file=str(place)))
    return replace(found, span=_origin(text, piece, offset, token), notes=(*found.notes, note))


def _origin(text: str, piece: Piece, offset: int, token: str) -> SourceSpan:
    """The place that a part of a line came from, as close to the token as can be told."""
    if isinstance(piece.origin, Node):
        return _within(piece.origin, token).span
    at = max(text.find(token), 0)
    line = piece.line + offset
    shown = text.rstrip("\r")
    return SourceSpan(str(piece.origin), line, at + 1, line, at + 1 + len(token), shown)


def _within(node: Node, token: str) -> Node:
    """The string in a configuration that has the token; the whole value if none has."""
    inside = node.value.values() if isinstance(node.value, dict) else node.items
    for child in inside:
        if child.text is not None and token and token in child.text:
            return child
        if child.text is None and (found := _within(child, token)) is not child:
            return found
    return node
