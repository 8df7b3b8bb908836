"""Parenthesised expressions with their places in the text, as egglog reads them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TypeAlias

from luma.source import Span


@dataclass(frozen=True, slots=True)
class Atom:
    """A name or a number, as written."""

    text: str
    span: Span


@dataclass(frozen=True, slots=True)
class String:
    """A string, without its quotes."""

    text: str
    span: Span


@dataclass(frozen=True, slots=True)
class Form:
    """What stands in parentheses."""

    items: tuple[Expr, ...]
    span: Span

    @property
    def head(self) -> str | None:
        """The name that it begins with, if it does."""
        first = self.items[0] if self.items else None
        return first.text if isinstance(first, Atom) else None


Expr: TypeAlias = "Atom | String | Form"


@dataclass(frozen=True, slots=True)
class Comment:
    """The rest of a line after its semicolons."""

    text: str
    span: Span


@dataclass(frozen=True, slots=True)
class Text:
    """The forms at the top of a file and all its comments, each in the order of the text."""

    forms: tuple[Form, ...]
    comments: tuple[Comment, ...]


class SyntaxProblem(Exception):
    """The text is not made of parenthesised expressions."""

    def __init__(self, message: str, span: Span) -> None:
        super().__init__(message)
        self.message, self.span = message, span


_TOKEN = re.compile(
    r"""(?P<space>\s+) | (?P<comment>;[^\n]*) | (?P<open>\() | (?P<close>\))
      | (?P<string>"(?:[^"\\]|\\.)*") | (?P<atom>[^\s();"]+) | (?P<bad>.)""",
    re.VERBOSE | re.DOTALL,
)

#: Forms nested more deeply are refused: those who walk them do so recursively.
MAX_DEPTH = 100

_ESCAPES = {"n": "\n", "t": "\t"}


def read_text(text: str) -> Text:
    """The forms and comments of a text.  Raises SyntaxProblem."""
    forms: list[Form] = []
    comments: list[Comment] = []
    open_at: list[int] = []
    inside: list[list[Expr]] = []
    for token in _TOKEN.finditer(text):
        kind, span = token.lastgroup, Span(token.start(), token.end())
        match kind:
            case "comment":
                comments.append(Comment(token.group().lstrip(";").strip(), span))
            case "open":
                open_at.append(token.start())
                inside.append([])
                if len(inside) > MAX_DEPTH:
                    raise SyntaxProblem("parentheses are nested too deeply", span)
            case "close":
                if not inside:
                    raise SyntaxProblem("there is nothing to close here", span)
                form = Form(tuple(inside.pop()), Span(open_at.pop(), token.end()))
                if inside:
                    inside[-1].append(form)
                else:
                    forms.append(form)
            case "string" | "atom":
                if not inside:
                    raise SyntaxProblem("a command is expected, in parentheses", span)
                inside[-1].append(_leaf(str(kind), token.group(), span))
            case "bad":
                raise SyntaxProblem("this string does not end", span)
    if inside:
        at = open_at[-1]
        raise SyntaxProblem("this parenthesis is not closed", Span(at, at + 1))
    return Text(tuple(forms), tuple(comments))


def _leaf(kind: str, text: str, span: Span) -> Expr:
    if kind == "atom":
        return Atom(text, span)
    return String(
        re.sub(r"\\(.)", lambda m: _ESCAPES.get(m[1], m[1]), text[1:-1], flags=re.DOTALL), span
    )
