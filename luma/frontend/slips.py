"""Keywords with a slip: reported once, and then taken for what was meant."""

from __future__ import annotations

from luma.frontend import foreign
from luma.frontend.cursor import ASSIGNMENTS, BLOCK_ENDS, Cursor
from luma.frontend.expressions import EXPRESSION_STARTS
from luma.frontend.lexer import EOF, NAME
from luma.frontend.wording import is_misspelling

_DECLARATIONS = ("function", "struct", "uniform", "buffer", "shared", "const")
_STATEMENTS = ("end", "return", "let", "if", "for", "while")
_IN_IF = (*_STATEMENTS, "elseif", "else")

#: What follows a name at the start of a statement that may be right.
_AFTER_NAMES = frozenset(("=", ".", "[", ":", ",", "++", *ASSIGNMENTS, *foreign.ASSIGNMENT))

#: Words that a statement begins with and that other messages explain.
_EXPLAINED = foreign.DECLARATORS | foreign.ELSEIF_WORDS | frozenset(foreign.STATEMENT)


def mend_declaration(c: Cursor) -> None:
    """Take a misspelt word at the start of a declaration for its keyword, and report it."""
    if c.kind is not NAME or c.peek() is not NAME or c.on_new_line(1):
        return
    word = c.word()
    if word in foreign.DECLARATION or word in foreign.DECLARATORS:
        return
    _mend(c, next((k for k in _DECLARATIONS if is_misspelling(word, k)), None), "a declaration")


def mend_statement(c: Cursor, in_if: bool) -> None:
    """Likewise at the start of a statement, where a right statement cannot stand."""
    if c.kind is not NAME or c.peek() in _AFTER_NAMES or c.word() in _EXPLAINED:
        return
    for keyword in _IN_IF if in_if else _STATEMENTS:
        if _means(c, keyword) and _may_be(c, keyword):
            _mend(c, keyword, "a statement")
            return


def mend_end(c: Cursor) -> None:
    """Take a misspelt ``end`` of a struct for one, and report it."""
    if c.kind is NAME and c.peek() != ":" and _means(c, "end") and _may_be(c, "end"):
        _mend(c, "end", "a field or `end`")


def mend_opener(c: Cursor, keyword: str) -> None:
    """Take a misspelt ``then`` or ``do`` for one, and report it."""
    if c.kind is NAME and not c.on_new_line() and is_misspelling(c.word(), keyword):
        _mend(c, keyword, f"`{keyword}`")


def _mend(c: Cursor, keyword: str | None, what: str) -> None:
    if keyword is None:
        return
    help = f"did you mean `{keyword}`?"
    c.remark("E0201", c.span, f"expected {what}, found {c.found()}", help=help)
    c.respell(keyword)


def _means(c: Cursor, keyword: str) -> bool:
    word = c.word()
    return is_misspelling(word, keyword) or (keyword == "end" and word in foreign.END_WORDS)


def _may_be(c: Cursor, keyword: str) -> bool:
    """Whether what follows the current token could follow a keyword."""
    following, same_line = c.peek(), not c.on_new_line(1) and c.peek() is not EOF
    match keyword:
        case "end":
            return not same_line or following in BLOCK_ENDS
        case "else":
            return following != "("
        case "let":
            return same_line and following is NAME and c.peek(2) in ("=", ":")
        case "for":
            return same_line and following is NAME and c.peek(2) == "="
        case "return":
            value = same_line and following in EXPRESSION_STARTS and following != "("
            return value or following in BLOCK_ENDS
    opener = "do" if keyword == "while" else "then"
    return same_line and following in EXPRESSION_STARTS and _on_this_line(c, opener)


def _on_this_line(c: Cursor, kind: str) -> bool:
    distance = 1
    while not c.on_new_line(distance) and c.peek(distance) is not EOF:
        if c.peek(distance) == kind:
            return True
        distance += 1
    return False
