"""Parsing of attributes and of ``name: type`` in its three places: structs, parameters, tuples."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from luma.frontend import elsewhere
from luma.frontend.cursor import Cursor
from luma.frontend.expressions import close_list, parse_arguments, parse_array_size, parse_type
from luma.frontend.lexer import EOF, NAME
from luma.frontend.syntax import (
    ArrayType,
    Attribute,
    FieldDecl,
    NamedType,
    Parameter,
    TupleType,
    TypeExpression,
)
from luma.language.types import NAMED_TYPES
from luma.source import Span

_Field = TypeVar("_Field", FieldDecl, Parameter)
_Make = Callable[[str, TypeExpression, tuple[Attribute, ...], Span, Span], _Field]

#: Farthest that the parser looks ahead over attributes, in tokens.
_LOOKAHEAD = 1000

#: C's words for how a parameter is passed.
_PASSING = frozenset(("inout", "out", "in"))


def parse_attributes(c: Cursor) -> tuple[Attribute, ...]:
    """Parse any number of attributes."""
    attributes: list[Attribute] = []
    while c.kind == "@":
        start = c.start
        c.advance()
        name, _ = c.name("an attribute's name after `@`")
        arguments = parse_arguments(c) if c.kind == "(" else ()
        if name:
            attributes.append(Attribute(name, arguments, c.since(start)))
    return tuple(attributes)


def after_attributes(c: Cursor) -> str:
    """The kind of the token after the attributes that start here."""
    distance = 0
    while c.peek(distance) == "@" and distance < _LOOKAHEAD:
        distance += 2
        if c.peek(distance) == "(":
            distance = _after_brackets(c, distance)
    return c.peek(distance)


def _after_brackets(c: Cursor, distance: int) -> int:
    depth = 0
    while distance < _LOOKAHEAD and c.peek(distance) is not EOF:
        kind = c.peek(distance)
        depth += (kind == "(") - (kind == ")")
        distance += 1
        if depth == 0:
            break
    return distance


def parse_parameters(c: Cursor) -> tuple[Parameter, ...]:
    """Parse a function's parameter list, from its ``(`` on."""
    if c.kind != "(":
        c.expected("`(` after the function's name")
        return ()
    opening = c.span
    c.advance()
    parameters: list[Parameter] = []
    while c.kind != ")":
        parameter = _field(c, Parameter, "a parameter")
        if parameter is None:
            break
        parameters.append(parameter)
        if not c.accept(","):
            break
    close_list(c, ")", opening)
    return tuple(parameters)


def parse_result(c: Cursor) -> TypeExpression | None:
    """Parse what may follow a function's parameters: ``-> type`` or ``-> (name: type, ...)``."""
    if c.kind == ":":
        c.remark("E0204", c.span, "a result is written with `->`", help="write `-> T`")
    elif c.kind != "->":
        return None
    c.advance()
    if c.kind == "@":
        c.error(
            "E0209",
            c.span,
            "an attribute stands on a named value",
            help="write `-> (@location(0) color: vec4)`",
        )
        parse_attributes(c)
    if c.kind == "(":
        return _tuple_type(c)
    return parse_type(c)


def _tuple_type(c: Cursor) -> TypeExpression:
    opening = c.span
    c.advance()
    fields: list[FieldDecl] = []
    while c.kind != ")":
        field = _field(c, FieldDecl, "a value")
        if field is None:
            break
        fields.append(field)
        if not c.accept(","):
            break
    close_list(c, ")", opening)
    span = c.since(opening.start)
    if not fields:
        if c.kinds[c.at - 2] == "(":
            help = "a function that returns nothing has no `->`"
            c.error("E0212", span, "a result needs a value", help=help)
        return NamedType("", span)
    return TupleType(tuple(fields), span)


def parse_struct_field(c: Cursor) -> FieldDecl | None:
    """Parse one field of a struct."""
    return _field(c, FieldDecl, "a field")


def _field(c: Cursor, make: _Make[_Field], what: str) -> _Field | None:
    """Parse ``attributes name: type``; None when there is nothing of the kind."""
    start = c.start
    attributes = parse_attributes(c)
    _passing(c)
    if c.kind is NAME and c.peek() is NAME:
        at = c.start
        pair = parse_pair(c)
        report_pair(c, pair, at)
        name, name_span, type = pair.name, pair.name_span, pair.type
    else:
        name, name_span = c.name(f"{what}'s name")
        if not name:
            return None
        type = parse_annotation(c, what, name)
    return make(name, type, attributes, c.since(start), name_span)


def _passing(c: Cursor) -> None:
    if (c.kind == "in" and c.peek() is NAME) or (
        c.kind is NAME and c.peek() is NAME and c.word() in _PASSING
    ):
        help = "parameters are passed by value; results are returned"
        c.remark("E0204", c.span, f"Luma has no `{c.word()}` parameters", help=help)
        c.advance()


@dataclass(frozen=True, slots=True)
class Pair:
    """A name and a type without the ``:`` between; ``in_order`` if the name stood first."""

    name: str
    name_span: Span
    type: TypeExpression
    in_order: bool


def parse_pair(c: Cursor) -> Pair:
    """Parse ``type name`` or ``name type``; which of the two it is, the words must tell."""
    in_order = not _is_type(c, c.word()) and _is_type(c, c.word(1))
    if in_order:
        name, name_span = c.name("a name")
        return Pair(name, name_span, parse_type(c), True)
    type = parse_type(c)
    name, name_span = c.name("a name")
    start = type.span.start
    while c.kind == "[" and not c.on_new_line():
        type = ArrayType(type, parse_array_size(c), Span(start, type.span.end))
    return Pair(name, name_span, type, False)


def report_pair(c: Cursor, pair: Pair, start: int, before: str = "", after: str = "") -> None:
    """Report a pair that starts at an offset; the help has words before and after it."""
    message = "a `:` stands between a name and its type"
    if not pair.in_order:
        message = "the name stands before its type, and a `:` between them"
    help = f"write `{before}{pair.name}: {written(c, pair.type)}{after}`"
    c.remark("E0204", c.since(start), message, help=help)


def written(c: Cursor, type: TypeExpression | None) -> str:
    """A type as its author wrote it, sizes first; empty if there is none."""
    match type:
        case None:
            return ""
        case ArrayType(elem, size):
            count = "" if size is None else c.text[size.span.start : size.span.end]
            return f"[{count}]{written(c, elem)}"
    return c.text[type.span.start : type.span.end]


def _is_type(c: Cursor, word: str) -> bool:
    """Whether a word is a type of Luma or another language, or a struct of this source."""
    if word in NAMED_TYPES or word in elsewhere.TYPES:
        return True
    return any(
        kind == "struct" and c.text[c.starts[at + 1] : c.ends[at + 1]] == word
        for at, kind in enumerate(c.kinds)
    )


def parse_annotation(c: Cursor, what: str, name: str) -> TypeExpression:
    """Parse the ``: type`` that must follow the name of a field, parameter or binding."""
    if c.accept(":"):
        return parse_type(c)
    if c.kind == "[" and not c.on_new_line() and _array_type_ahead(c):
        start = c.starts[c.at - 1]
        type = parse_type(c)
        report_pair(c, Pair(name, Span(start, start), type, True), start)
        return type
    article, _, noun = what.partition(" ")
    c.expected(
        f"`:` and the type of {'the' if article == 'a' else article} {noun} `{name}`",
        code="E0211",
        help=f"write `{name}: float`, say",
    )
    return NamedType("", Span(c.previous_end, c.previous_end))


def _array_type_ahead(c: Cursor) -> bool:
    """Whether the ``[`` here begins a type like ``[4]float``."""
    distance = 0
    while not c.on_new_line(distance + 1) and c.peek(distance) is not EOF:
        if c.peek(distance) == "]":
            return c.peek(distance + 1) is NAME and not c.on_new_line(distance + 1)
        distance += 1
    return False
