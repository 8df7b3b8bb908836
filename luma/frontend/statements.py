"""Parsing of statements and of the bodies they stand in."""

from __future__ import annotations

from luma.frontend import foreign
from luma.frontend.blocks import at_block_end, close_body, open_body, skip_body
from luma.frontend.cursor import ASSIGNMENTS, DECLARATION_STARTS, Cursor
from luma.frontend.expressions import (
    EXPRESSION_STARTS,
    compared,
    parse_expression,
    parse_operand,
    parse_type,
)
from luma.frontend.fields import Pair, parse_attributes, parse_pair, written
from luma.frontend.lexer import BAD, NAME
from luma.frontend.operators import PRECEDENCE
from luma.frontend.slips import mend_statement
from luma.frontend.syntax import (
    Arm,
    Assign,
    Attribute,
    Block,
    Call,
    CallStatement,
    Expression,
    For,
    If,
    Index,
    Let,
    Malformed,
    Member,
    Name,
    Number,
    Return,
    Statement,
    TypeExpression,
    While,
)
from luma.source import Span


def parse_body(c: Cursor, in_if: bool = False) -> tuple[Statement, ...]:
    """Parse statements up to what closes their block (``else`` only inside an ``if``)."""
    body: list[Statement] = []
    while True:
        mend_statement(c, in_if)
        if at_block_end(c, in_if):
            return tuple(body)
        at = c.at
        statement = _statement(c)
        if statement is not None:
            body.append(statement)
        if c.at == at:
            c.skip_statement()


def _statement(c: Cursor) -> Statement | None:
    """Parse a statement; None when nothing of it is left after its errors.

    Takes no token at all when none can begin a statement.
    """
    c.over_limit = False
    start = c.start
    attributes = _loop_attributes(c) if c.kind == "@" else ()
    match c.kind:
        case "let":
            return parse_let(c)
        case "if":
            return _if(c)
        case "return":
            return _return(c)
        case "for":
            return _for(c, attributes, start)
        case "while":
            return _while(c, attributes, start)
        case "do" | "{":
            return _do(c)
        case "const":
            return _local_const(c)
        case ";":
            c.semicolon()
            return None
        case "++":
            return _increment(c)
    if c.kind is NAME:
        return _named_statement(c)
    if c.kind in DECLARATION_STARTS:
        _misplaced_declaration(c)
    else:
        _no_statement(c)
    return None


def _misplaced_declaration(c: Cursor) -> None:
    """Report a declaration of the module in a function, and pass over it."""
    kind = c.kind
    c.error("E0208", c.span, f"a `{kind}` stands in the module, not in a function")
    if kind in ("function", "struct"):
        c.advance()
        c.skip_block()
    else:
        c.skip_statement()


def _no_statement(c: Cursor) -> None:
    if c.kind in ("else", "elseif", "then"):
        c.error("E0203", c.span, f"`{c.kind}` belongs to no `if`")
    elif c.kind in (")", "]", "}"):
        c.error("E0203", c.span, f"nothing is open that `{c.kind}` could close")
    elif c.kind is BAD:
        c.advance()
    else:
        help = "a statement starts with a keyword or a name"
        c.error("E0201", c.span, f"expected a statement, found {c.found()}", help=help)


# ---------------------------------------------------------------- let, return


def parse_let(c: Cursor) -> Let | None:
    """Parse ``let name: type = value``, where type or value may be missing."""
    start = c.start
    c.advance()
    if c.kind is NAME and c.peek() is NAME and not c.on_new_line(1):
        if c.word() in foreign.DECLARATORS:
            c.remark("E0204", c.span, "every `let` is mutable", help=f"leave out `{c.word()}`")
            c.advance()
        else:
            return _c_declaration(c, start)
    return parse_declared(c, start)


def parse_declared(c: Cursor, start: int, pair: Pair | None = None) -> Let | None:
    """Parse a variable's ``name: type = value``, its name and type perhaps already known."""
    type: TypeExpression | None = None
    if pair is not None:
        name, name_span, type = pair.name, pair.name_span, pair.type
    else:
        name, name_span = c.name("the variable's name")
    if type is None and c.accept(":"):
        type = parse_type(c)
    elif c.kind == "[" and not c.on_new_line():
        c.error("E0204", c.span, "an array's size is in its type", help=f"`let {name}: [N]T`")
        _skip_sizes(c)
    value: Expression | None = None
    if c.kind == "==" or c.kind == ":":
        c.error("E0201", c.span, f"expected `=`, found `{c.kind}`")
        c.advance()
        c.accept("=")
        value = _value(c, written(c, type))
    elif c.accept("="):
        value = _value(c, written(c, type))
    elif c.kind is BAD:
        c.advance()
    _further_names(c)
    return Let(name, type, value, c.since(start), name_span) if name else None


def _value(c: Cursor, wanted: str) -> Expression:
    """Parse a value for which a type is wanted, as it is written (empty: unknown)."""
    c.wanted = wanted if c.kind == "{" else ""
    return compared(c, parse_expression(c))


def _skip_sizes(c: Cursor) -> None:
    """Skip the ``[size]`` that C puts after a name."""
    while c.kind == "[":
        c.advance()
        c.skip_to_close("]")


def _further_names(c: Cursor) -> None:
    if c.kind == ",":
        help = "write one `let` or assignment for each"
        c.error("E0204", c.span, "one statement gives one variable its value", help=help)
        c.skip_statement()


def _c_declaration(c: Cursor, start: int) -> Let | None:
    """Parse ``type name = value`` or ``name type = value``, reporting it."""
    span = c.span
    pair = parse_pair(c)
    c.remark(
        "E0204",
        c.since(span.start),
        "a `:` stands between a name and its type"
        if pair.in_order and c.text.startswith("let", start)
        else "a variable is declared with `let`",
        help=f"write `let {pair.name}: {written(c, pair.type)} = ...`",
    )
    return parse_declared(c, start, pair)


def _local_const(c: Cursor) -> Let | None:
    start = c.start
    c.remark("E0208", c.span, "a `const` stands in the module, not in a function", help="use `let`")
    c.advance()
    if c.kind is NAME and c.peek() is NAME:
        return parse_declared(c, start, parse_pair(c))
    return parse_declared(c, start)


def _return(c: Cursor) -> Return:
    start = c.start
    c.advance()
    value: Expression | None = None
    if c.returns_value:
        if c.kind != ";" and not at_block_end(c, True):
            value = _value(c, c.result)
            _one_value(c)
    elif c.kind in EXPRESSION_STARTS and not c.on_new_line():
        c.remark(
            "E0210",
            c.span,
            "this function returns nothing: it has no `->`",
            help="declare the result: `function name(...) -> T`",
        )
        compared(c, parse_expression(c))
    return Return(value, c.since(start))


def _one_value(c: Cursor) -> None:
    if c.kind == ",":
        c.error("E0204", c.span, "a function returns one value", help="return a struct")
        c.skip_statement()


# ---------------------------------------------------------------- statements that start with a name


def _named_statement(c: Cursor) -> Statement | None:
    word = c.word()
    alone = c.peek() not in ("=", ".", "[", "(", ":", ",") and c.peek() not in ASSIGNMENTS
    if alone and word in foreign.STATEMENT:
        return _foreign_statement(c, word)
    if c.peek() is NAME and not c.on_new_line(1):
        start = c.start
        if word in foreign.DECLARATORS:
            typed = c.peek(2) is NAME and not c.on_new_line(2)
            name = f"{c.word(2)}: {c.word(1)}" if typed else c.word(1)
            c.remark("E0204", c.span, f"Luma has no `{word}`", help=f"write `let {name} = ...`")
            c.advance()
            if c.kind is NAME and c.peek() is NAME and not c.on_new_line(1):
                return parse_declared(c, start, parse_pair(c))
            return parse_declared(c, start)
        return _c_declaration(c, start)
    if word in ("switch", "until", "case") and c.peek() == "(":
        return _foreign_statement(c, word)
    if c.peek() == ":" and not c.on_new_line(1):
        return _colon(c)
    return _assign_or_call(c)


def _foreign_statement(c: Cursor, word: str) -> Statement | None:
    """Report a statement that only other languages have, and pass over it."""
    span = c.span
    c.advance()
    if word == "until" and c.repeats:
        c.repeats -= 1
    else:
        help = foreign.STATEMENT[word]
        if word == "discard":
            c.remark("E0204", span, "`discard` is a function", help="write `discard()`")
            return CallStatement(Call("discard", (), span, span), span)
        c.remark("E0204", span, f"Luma has no `{word}`", help=help)
    if word == "repeat":
        c.repeats += 1
    elif word == "until":
        parse_expression(c)
    elif not c.on_new_line():
        c.skip_line()
    return None


def _colon(c: Cursor) -> Statement | None:
    """Report ``name: type = value`` without its ``let``, or Lua's method call."""
    start = c.start
    if c.peek(2) is NAME and c.peek(3) == "(":
        help = f"write `{c.word(2)}({c.word()}, ...)`"
        c.error("E0213", c.span, "Luma has no methods", help=help)
        c.skip_statement()
        return None
    help = f"write `let {c.word()}: ...`"
    c.remark("E0204", c.span, "a variable is declared with `let`", help=help)
    return parse_declared(c, start)


def _assign_or_call(c: Cursor) -> Statement | None:
    start, at = c.start, c.at
    target = parse_operand(c, True)
    kind = c.kind
    if kind in ASSIGNMENTS or kind in foreign.ASSIGNMENT:
        return _assign(c, target, start)
    if kind == ",":
        _further_names(c)
        return None
    if isinstance(target, Malformed) or c.text.startswith("++", c.previous_end - 2):
        return None
    if kind in PRECEDENCE or kind in foreign.BINARY or kind == "?":
        return _no_effect(c, at, start)
    if isinstance(target, Call):
        return CallStatement(target, c.since(start))
    help = "assign it with `=`, or call a function"
    if c.text.startswith("--", c.previous_end):
        help = f"`--` starts a comment; write `{c.text[start : c.previous_end]} -= 1`"
    c.error("E0206", c.since(start), "this does nothing with the value", help=help)
    return None


def _no_effect(c: Cursor, at: int, start: int) -> Statement | None:
    """Report a whole expression where a statement was expected."""
    help = "an assignment has one `=`" if c.kind == "==" else "assign it to a variable"
    before = c.reporter.error_count
    c.rewind(at)
    parse_expression(c)
    if c.reporter.error_count == before:
        c.error("E0206", c.since(start), "this does nothing with the value", help=help)
    return None


def _assign(c: Cursor, target: Expression, start: int) -> Statement:
    kind = c.kind
    operator = ASSIGNMENTS.get(kind)
    if kind in foreign.ASSIGNMENT:
        operator, help = foreign.ASSIGNMENT[kind]
        c.remark("E0204", c.span, f"Luma has no `{kind}`", help=help)
    if not isinstance(target, (Name, Member, Index, Malformed)):
        c.error("E0207", c.since(start), "this is not a place that can be assigned")
    c.advance()
    value = parse_expression(c)
    if c.kind == "=":
        help = "compare with `==`"
        c.error("E0201", c.span, "an assignment is a statement and has no value", help=help)
        c.skip_statement()
    _further_names(c)
    return Assign(target, operator, value, c.since(start))


def _increment(c: Cursor) -> Statement | None:
    """Report ``++x`` and take it for ``x += 1``."""
    start = c.start
    c.remark("E0204", c.span, "Luma has no `++`", help="write `x += 1`")
    c.advance()
    if c.kind is not NAME:
        return None
    target = parse_operand(c, True)
    span = c.since(start)
    return Assign(target, "+", Number("1", 1, False, span), span)


# ---------------------------------------------------------------- blocks


def _do(c: Cursor) -> Statement | None:
    start, opener = c.start, c.span
    if not c.enter():
        return skip_body(c)
    close = open_body(c, "do", "")
    body = parse_body(c)
    close_body(c, close, "the block", opener)
    c.leave()
    return Block(body, c.since(start))


def parse_condition(c: Cursor) -> Expression:
    """Parse an expression that a block follows."""
    outer, c.condition_depth = c.condition_depth, c.depth
    condition = compared(c, parse_expression(c))
    c.condition_depth = outer
    return condition


def _if(c: Cursor) -> Statement | None:
    start, opener = c.start, c.span
    if not c.enter():
        return skip_body(c)
    arms: list[Arm] = []
    otherwise: tuple[Statement, ...] | None = None
    close = "end"
    while True:
        arm_start = c.start
        c.advance()
        condition = parse_condition(c)
        close = open_body(c, "then", "the condition")
        body = parse_body(c, True)
        arms.append(Arm(condition, body, c.since(arm_start)))
        closed = close == "}" and close_body(c, close, "the arm", opener)
        if not _next_arm(c, closed):
            break
    if c.kind == "else":
        c.advance()
        closed = c.kind == "{"
        close = open_body(c, "", "") if closed else "end"
        otherwise = parse_body(c)
        if closed:
            close_body(c, close, "the arm", opener)
    if not closed:
        close_body(c, close, "the `if`", opener)
    c.leave()
    return If(tuple(arms), otherwise, c.since(start))


def _next_arm(c: Cursor, closed: bool) -> bool:
    """Whether another condition follows; then its word is the current token."""
    if c.kind == "elseif":
        return True
    if c.kind is NAME and c.word() in foreign.ELSEIF_WORDS:
        c.remark("E0204", c.span, f"Luma has no `{c.word()}`", help="write `elseif`")
        return True
    if c.kind == "else" and c.peek() == "if" and not c.on_new_line(1):
        if closed:
            c.advance()
            return True
        c.else_ifs.append(Span(c.start, c.ends[c.at + 1]))
    return False


def _while(c: Cursor, attributes: tuple[Attribute, ...], start: int) -> Statement | None:
    opener = c.span
    if not c.enter():
        return skip_body(c)
    c.advance()
    condition = parse_condition(c)
    close = open_body(c, "do", "the condition")
    body = parse_body(c)
    close_body(c, close, "the `while`", opener)
    c.leave()
    return While(condition, body, attributes, c.since(start))


def _for(c: Cursor, attributes: tuple[Attribute, ...], start: int) -> Statement | None:
    opener = c.span
    if not c.enter():
        return skip_body(c)
    c.advance()
    header = _for_header(c, opener)
    close = open_body(c, "do", "the loop's bounds")
    body = parse_body(c)
    close_body(c, close, "the `for`", opener)
    c.leave()
    if header is None:
        return Block(body, c.since(start))
    name, name_span, (first, stop, step) = header
    return For(name, first, stop, step, body, attributes, c.since(start), name_span)


_Bounds = tuple[Expression, Expression, Expression | None]


def _for_header(c: Cursor, opener: Span) -> tuple[str, Span, _Bounds] | None:
    """Parse ``name = start, stop, step``; None for another language's loop, which is reported."""
    if c.kind is not NAME or c.peek() != "=":
        c.error(
            "E0204",
            opener,
            "a `for` counts: it has a name, `=`, a start and a stop",
            help="write `for i = 0, count do`; the stop is not included",
        )
        c.skip_loop_header()
        return None
    name, name_span = c.name("the loop's variable")
    c.advance()
    first = parse_condition(c)
    stop: Expression = Malformed(Span(c.previous_end, c.previous_end))
    if c.accept(","):
        stop = parse_condition(c)
    else:
        c.expected("`,` and the stop of the loop", help="write `for i = 0, count do`")
        if c.kind != "do":
            c.skip_loop_header()
    step = parse_condition(c) if c.accept(",") else None
    return name, name_span, (first, stop, step)


def _loop_attributes(c: Cursor) -> tuple[Attribute, ...]:
    """Parse attributes in a function, where only loops have any."""
    start = c.start
    attributes = parse_attributes(c)
    if attributes and c.kind not in ("for", "while") and c.kind not in DECLARATION_STARTS:
        span = Span(start, attributes[-1].span.end)
        c.remark("E0209", span, "in a function, attributes stand before a `for` or `while` only")
    return attributes
