"""What is said about expressions that are not right."""

from __future__ import annotations

from luma.frontend import elsewhere, foreign
from luma.frontend.cursor import MAX_HEIGHT, Cursor
from luma.frontend.lexer import BAD, EOF
from luma.frontend.operators import COMPARISON, Operator
from luma.frontend.syntax import Expression, Malformed, Member, Name
from luma.frontend.wording import nearest
from luma.language.builtins import FUNCTIONS
from luma.language.types import NAMED_TYPES
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


def report_callee(c: Cursor, callee: Expression, start: int, arguments: Span) -> None:
    """Report a call of something that is no name; ``arguments`` spans its brackets."""
    span = Span(start, arguments.start)
    if not isinstance(callee, Member):
        c.remark("E0213", span, "only a function's name can be called")
        return
    given = c.text[arguments.start + 1 : arguments.end].removesuffix(")").strip()
    module = isinstance(callee.base, Name) and callee.base.name in elsewhere.MODULES
    if not module:
        value = c.text[callee.base.span.start : callee.base.span.end]
        given = f"{value}, {given}" if given else value
    c.remark(
        "E0213",
        span,
        "Luma has no modules" if module else "Luma has no methods",
        help=_call_help(callee.name, given),
    )


def _call_help(name: str, given: str) -> str:
    ours = name if name in FUNCTIONS or name in NAMED_TYPES else nearest(name, FUNCTIONS)
    other = elsewhere.FUNCTIONS.get(name)
    if other is not None and name not in FUNCTIONS:
        return other
    shown = given if len(given) <= 40 and "\n" not in given else "..."
    return f"write `{ours or name}({shown})`"


def plain_name(c: Cursor, word: str, span: Span) -> Expression:
    if word in foreign.NOTHING:
        c.remark(
            "E0204", span, f"Luma has no `{word}`", help="every variable holds a value of its type"
        )
        return Malformed(span)
    return Name(word, span)
