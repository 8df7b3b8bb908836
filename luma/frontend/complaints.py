"""What is said about expressions that are not right."""

from __future__ import annotations

from luma.frontend import foreign
from luma.frontend.cursor import MAX_HEIGHT, Cursor
from luma.frontend.lexer import BAD, EOF
from luma.frontend.operators import COMPARISON, Operator
from luma.frontend.syntax import Expression, Malformed, Member, Name
from luma.source import Span


def report_height(c: Cursor, at: Span) -> None:
    """Report a tree that is too high, once a statement."""
    if c.over_limit:
        return
    c.over_limit = True
    c.error(
        "E0601",
        at,
        f"this expression is too long: at most {MAX_HEIGHT} operations may build on each other",
        help="split it with `let`s",
    )


def check_chain(c: Cursor, operators: list[Operator], precedence: int) -> None:
    """Report a comparison of a comparison."""
    if precedence != COMPARISON:
        return
    for own, operator, at in reversed(operators):
        if own < COMPARISON:
            return
        if own == COMPARISON:
            c.error(
                "E0205",
                c.span,
                f"comparisons do not chain: `{operator}` gives a bool",
                notes=[("the first comparison is here", at)],
                help="write `a < b and b < c`",
            )


def missing_operand(c: Cursor) -> Expression:
    if c.kind is BAD:
        span = c.span
        c.advance()
        return Malformed(span)
    help = None
    start, kind, same_line = c.previous_end, c.kind, not c.on_new_line()
    if kind == "if":
        help = "a choice between values is `select(condition, a, b)`"
    elif kind == "function":
        help = "functions are declared in the module and called by name"
    c.expected("an expression", help=help)
    if kind == "if" and same_line:
        c.advance()
        while c.kind is not EOF and not c.on_new_line():
            c.advance()
    elif kind == "function" and same_line:
        c.advance()
        c.skip_block()
    return Malformed(Span(start, start))


def report_callee(c: Cursor, callee: Expression, start: int) -> None:
    """Report a call of something that is no name."""
    message, help = "only a function's name can be called", None
    if isinstance(callee, Member):
        message = "Luma has no methods"
        help = f"write `{callee.name}(...)` with the value as an argument"
    c.error("E0213", c.since(start), message, help=help)


def plain_name(c: Cursor, word: str, span: Span) -> Expression:
    if word in foreign.NOTHING:
        c.remark(
            "E0204", span, f"Luma has no `{word}`", help="every variable holds a value of its type"
        )
        return Malformed(span)
    return Name(word, span)
