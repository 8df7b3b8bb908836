"""Parsing of attributes and of ``name: type`` in its three places: structs, parameters, tuples."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from luma.frontend.cursor import Cursor
from luma.frontend.expressions import close_list, parse_arguments, parse_type
from luma.frontend.lexer import EOF, NAME
from luma.frontend.syntax import (
    Attribute,
    FieldDecl,
    NamedType,
    Parameter,
    TupleType,
    TypeExpression,
)
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
        name, type, name_span = _c_style(c)
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


def _c_style(c: Cursor) -> tuple[str, TypeExpression, Span]:
    """Parse ``type name``, reporting the order."""
    start = c.start
    type = parse_type(c)
    name, name_span = c.name("a name")
    written = c.text[type.span.start : type.span.end]
    c.remark(
        "E0204",
        c.since(start),
        "the name stands before its type",
        help=f"write `{name}: {written}`",
    )
    return name, type, name_span


def parse_annotation(c: Cursor, what: str, name: str) -> TypeExpression:
    """Parse the ``: type`` that must follow the name of a field, parameter or binding."""
    if c.accept(":"):
        return parse_type(c)
    article, _, noun = what.partition(" ")
    c.expected(
        f"`:` and the type of {'the' if article == 'a' else article} {noun} `{name}`",
        code="E0211",
        help=f"write `{name}: float`, say",
    )
    return NamedType("", Span(c.previous_end, c.previous_end))
