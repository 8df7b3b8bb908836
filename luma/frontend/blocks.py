"""Where blocks open and close, and what is said when they do not."""

from __future__ import annotations

from luma.frontend import foreign
from luma.frontend.cursor import BLOCK_ENDS, DECLARATION_STARTS, STATEMENT_STARTS, Cursor
from luma.frontend.fields import after_attributes
from luma.frontend.lexer import NAME
from luma.frontend.slips import mend_opener
from luma.frontend.syntax import Block
from luma.source import Span


def at_block_end(c: Cursor, in_if: bool) -> bool:
    """Whether the current token ends a list of statements.

    A declaration of the module ends it, too, unless it stands farther right than the function:
    then an ``end`` is missing.
    """
    kind = c.kind
    if kind in DECLARATION_STARTS or kind == "const":
        return not c.nested()
    if kind in BLOCK_ENDS:
        return in_if or kind not in ("else", "elseif")
    if kind == "@":
        following = after_attributes(c)
        return (following in DECLARATION_STARTS or following == "const") and not c.nested()
    if kind == "}":
        return c.brace_depth > 0
    return in_if and kind is NAME and c.word() in foreign.ELSEIF_WORDS and c.peek() != "="


def open_body(c: Cursor, keyword: str, after: str) -> str:
    """Take the word that opens a body; gives the token that will close it."""
    if c.kind == "{":
        shown = f"`{keyword} ... end`" if keyword else "`... end`"
        c.remark("E0204", c.span, "blocks have no braces", help=f"write {shown}")
        c.advance()
        c.brace_depth += 1
        return "}"
    if keyword:
        mend_opener(c, keyword)
    if keyword and not c.accept(keyword):
        c.expected(f"`{keyword}` after {after}")
        _skip_to_body(c, keyword)
    return "end"


def _skip_to_body(c: Cursor, keyword: str) -> None:
    """Skip what stands before the word that opens a body, if that is on the same line."""
    if c.kind in ("do", "then", ":"):
        c.advance()
        return
    distance = 0
    while not c.on_new_line(distance) and c.peek(distance) not in STATEMENT_STARTS - {"do"}:
        if c.peek(distance) == keyword:
            c.rewind(c.at + distance)
            c.advance()
            return
        distance += 1


def close_body(c: Cursor, close: str, what: str, opener: Span) -> bool:
    """Take what closes a body, or report that it is missing."""
    if close == "}":
        c.brace_depth -= 1
    if c.kind == close:
        _compare_indentation(c, opener)
        c.advance()
        return True
    notes: list[tuple[str, Span | None]] = [(f"{what} starts here", opener)]
    help = None
    if c.misfit is not None:
        notes.append(("this is closed by an `end` with another indentation", c.misfit))
    if c.else_ifs:
        notes.append(("this `if` after an `else` needs an `end` of its own", c.else_ifs[-1]))
        help = "write `elseif`"
    c.expected(f"`{close}` to close {what}", code="E0202", notes=notes, help=help)
    if close == "}" and c.kind == "end":
        c.advance()
    return False


def _compare_indentation(c: Cursor, opener: Span) -> None:
    """Remember the first block whose end is indented unlike its start."""
    if c.misfit is not None or not c.on_new_line():
        return
    line = c.text.rfind("\n", 0, opener.start) + 1
    end_line = c.text.rfind("\n", 0, c.start) + 1
    if end_line == line:
        return
    head = c.text[line : opener.start]
    if c.text[end_line : c.start] != head[: len(head) - len(head.lstrip())]:
        c.misfit = opener


def skip_body(c: Cursor) -> Block:
    """Pass over a statement that nests too deeply, with all that it contains."""
    start = c.start
    loop = c.kind in ("for", "while")
    c.advance()
    if loop:
        c.skip_loop_header()
        c.accept("do")
    c.skip_block()
    return Block((), c.since(start))
