"""Parsing of expressions: operators by precedence, operands, literals.

Binary and prefix operators are put together with explicit stacks, so a chain of any length costs
no recursion; only brackets recurse, and :meth:`Cursor.enter` bounds them.  Each level of brackets
takes three frames (an array's two levels take at most five), so that the deepest nesting allowed
fits into Python's own recursion limit.
"""

from __future__ import annotations

from luma.frontend import foreign
from luma.frontend.complaints import (
    check_chain,
    missing_operand,
    plain_name,
    report_callee,
    report_height,
)
from luma.frontend.cursor import MAX_HEIGHT, MAX_NESTING, Cursor
from luma.frontend.lexer import BAD, NAME, NUMBER, number_value
from luma.frontend.operators import ALL_PRECEDENCE, PRECEDENCE, PREFIX, Operator
from luma.frontend.syntax import (
    ArrayLiteral,
    ArrayType,
    Binary,
    Boolean,
    Call,
    Expression,
    FieldValue,
    Index,
    Malformed,
    Member,
    NamedType,
    Number,
    StructLiteral,
    TypeExpression,
    Unary,
)
from luma.language.types import NAMED_TYPES
from luma.source import Span

_PREFIX_OPERATORS = frozenset(("-", "not", "~"))
_FOREIGN_PREFIX: dict[str, tuple[str | None, str]] = {
    "!": ("not", "write `not`"),
    "+": (None, "leave it out"),
    "++": (None, "write `x += 1` as a statement"),
}

#: Tokens an expression may begin with.
EXPRESSION_STARTS = frozenset(
    (NAME, NUMBER, BAD, "(", "[", "{", "-", "not", "~", "true", "false", "!")
)

_ARGUMENT_HELP = "compare with `==`; arguments have no names and stand in their order"

#: Farthest that the parser looks ahead to tell a struct literal from a C block, in tokens.
_LOOKAHEAD = 400

#: An operand waiting for its operator: the node, where it starts and ends with its parentheses,
#: and the height of its tree.
_Operand = tuple[Expression, int, int, int]


def parse_expression(c: Cursor) -> Expression:
    """Parse an expression; what cannot be parsed is reported and gives a ``Malformed``."""
    start = c.start
    operators: list[Operator] = []
    if c.kind not in _PREFIX_OPERATORS and c.kind not in _FOREIGN_PREFIX:
        node = parse_operand(c)
        if c.kind not in ALL_PRECEDENCE:
            return node if c.kind != "?" else _ternary(c, node, start)
    else:
        _prefixes(c, operators)
        start = c.start
        node = parse_operand(c)
    operands: list[_Operand] = [(node, start, c.previous_end, c.height)]
    while (precedence := ALL_PRECEDENCE.get(c.kind)) is not None:
        check_chain(c, operators, precedence)
        _reduce(c, operands, operators, precedence)
        operators.append((precedence, _binary_operator(c), c.span))
        c.advance()
        _prefixes(c, operators)
        start = c.start
        node = parse_operand(c)
        operands.append((node, start, c.previous_end, c.height))
    _reduce(c, operands, operators, 0)
    node, start, _, c.height = operands[0]
    return node if c.kind != "?" else _ternary(c, node, start)


def compared(c: Cursor, node: Expression, help: str = "compare with `==`") -> Expression:
    """The expression just parsed, unless a ``=`` follows: that is reported and passed over."""
    if c.kind != "=":
        return node
    c.error("E0204", c.span, "`=` assigns, and nothing can be assigned here", help=help)
    while c.accept("="):
        parse_expression(c)
    return Malformed(c.since(node.span.start))


def _reduce(
    c: Cursor, operands: list[_Operand], operators: list[Operator], precedence: int
) -> None:
    """Build the nodes of the waiting operators that bind at least as tightly."""
    while operators and operators[-1][0] >= precedence:
        own, operator, at = operators.pop()
        right, _, end, height = operands.pop()
        node: Expression
        if own == PREFIX:
            start = at.start
            node = Unary(operator, right, Span(start, end))
        else:
            left, start, _, left_height = operands.pop()
            height = max(height, left_height)
            node = Binary(operator, left, right, Span(start, end), at)
        height += 1
        if height > MAX_HEIGHT:
            report_height(c, at)
            node, height = Malformed(Span(start, end)), 1
        operands.append((node, start, end, height))


def _prefixes(c: Cursor, operators: list[Operator]) -> None:
    """Take the prefix operators before an operand."""
    count = 0
    while True:
        operator: str | None = c.kind
        if c.kind in _FOREIGN_PREFIX:
            operator, help = _FOREIGN_PREFIX[c.kind]
            c.remark("E0204", c.span, f"Luma has no prefix operator `{c.kind}`", help=help)
        elif c.kind not in _PREFIX_OPERATORS:
            return
        count += 1
        if count + c.depth > MAX_NESTING:
            if count + c.depth == MAX_NESTING + 1:
                c.too_deep()
        elif operator is not None:
            operators.append((PREFIX, operator, c.span))
        c.advance()


def _binary_operator(c: Cursor) -> str:
    if c.kind not in foreign.BINARY:
        return c.kind
    operator, help = foreign.BINARY[c.kind]
    c.remark("E0204", c.span, f"Luma has no operator `{c.kind}`", help=help)
    return operator


def _ternary(c: Cursor, condition: Expression, start: int) -> Expression:
    """Parse the rest of C's ``condition ? a : b``, reporting it."""
    if not c.enter():
        c.advance()
        return Malformed(c.since(start))
    at = c.span
    c.error("E0204", at, "Luma has no `?:`", help="write `select(condition, a, b)`")
    height = c.height
    c.advance()
    first = parse_expression(c)
    height = max(height, c.height)
    second: Expression = Malformed(c.since(start))
    if c.expect(":", "between the two values"):
        second = parse_expression(c)
    c.height = max(height, c.height) + 1
    c.leave()
    if c.height > MAX_HEIGHT:
        report_height(c, at)
        c.height = 1
        return Malformed(c.since(start))
    return Call("select", (condition, first, second), c.since(start), at)


# ---------------------------------------------------------------- operands


def parse_operand(c: Cursor, starts_statement: bool = False) -> Expression:
    """Parse a name, literal, call or bracketed expression with what is appended to it."""
    start = c.start
    kind = c.kind
    node: Expression
    c.height = 1
    if kind is NAME and (starts_statement or not c.at_assignment()):
        name, name_span = c.name("a name")
        if c.kind == "(":
            arguments = parse_arguments(c)
            c.height += 1
            node = Call(name, arguments, c.since(start), name_span)
        elif c.kind == "{" and (c.condition_depth != c.depth or _literal_ahead(c)):
            node = _struct_literal(c, name, start)
        else:
            node = plain_name(c, name, name_span)
    elif kind is NUMBER:
        text = c.word()
        c.advance()
        value, real = number_value(text)
        node = Number(text, value, real, c.since(start))
    elif kind == "(":
        node = _parenthesised(c)
    elif kind == "true" or kind == "false":
        c.advance()
        node = Boolean(kind == "true", c.since(start))
    elif kind == "[":
        node = _array_literal(c)
    elif kind == "{":
        node = _struct_literal(c, None, start)
    else:
        return missing_operand(c)
    while True:
        kind = c.kind
        if kind == "." or kind == "->":
            node = _member(c, node, start)
        elif kind == "[":
            node = _index(c, node, start)
        elif kind == "(":
            height, opening = c.height, c.start
            parse_arguments(c)
            report_callee(c, node, start, c.since(opening))
            c.height = max(height, c.height) + 1
            node = Malformed(c.since(start))
        elif kind == "++":
            c.remark("E0204", c.span, "Luma has no `++`", help="write `x += 1` as a statement")
            c.advance()
        else:
            return node
        if c.height > MAX_HEIGHT:
            report_height(c, c.since(start))
            node, c.height = Malformed(c.since(start)), 1


def _literal_ahead(c: Cursor) -> bool:
    """Whether the ``{`` here, in a condition, is a struct literal and not a C block."""
    depth = 0
    for distance in range(_LOOKAHEAD):
        kind = c.peek(distance)
        depth += (kind == "{") - (kind == "}")
        if depth == 0:
            follower = c.peek(distance + 1)
            return follower in PRECEDENCE or follower in ("then", "do", ".", ",")
    return False


def _parenthesised(c: Cursor) -> Expression:
    opening = c.span
    deep = not c.enter()
    c.advance()
    if deep:
        c.skip_to_close(")")
        return Malformed(c.since(opening.start))
    node = compared(c, parse_expression(c))
    if not c.accept(")"):
        c.expected("`)`", notes=[("the `(` is here", opening)])
        c.skip_to_close(")")
    c.leave()
    return node


def parse_arguments(c: Cursor, close: str = ")", levels: int = 1) -> tuple[Expression, ...]:
    """Parse a bracketed list of expressions; ``c.height`` becomes that of the highest."""
    opening = c.span
    deep = not c.enter(levels)
    c.advance()
    if deep:
        c.skip_to_close(close)
        return ()
    items: list[Expression] = []
    height = 0
    while c.kind != close:
        items.append(compared(c, parse_expression(c), _ARGUMENT_HELP))
        height = max(height, c.height)
        if not c.accept(","):
            break
    close_list(c, close, opening)
    c.height = height
    c.leave(levels)
    return tuple(items)


def close_list(c: Cursor, close: str, opening: Span) -> None:
    """Take the bracket that closes a list, or report what stands there and skip to it."""
    if not c.accept(close):
        c.expected(f"`,` or `{close}`", notes=[(f"the `{c.text[opening.start]}` is here", opening)])
        c.skip_to_close(close)


def _member(c: Cursor, base: Expression, start: int) -> Expression:
    if c.kind == "->":
        c.remark("E0204", c.span, "Luma has no `->` in expressions", help="write `.`")
    height = c.height
    c.advance()
    if c.at_assignment():
        c.expected("a field or a swizzle after `.`")
        return Malformed(c.since(start))
    name, span = c.name("a field or a swizzle after `.`")
    c.height = height + 1
    if not name:
        return Malformed(c.since(start))
    return Member(base, name, c.since(start), span)


def _index(c: Cursor, base: Expression, start: int) -> Expression:
    opening = c.span
    height = c.height
    deep = not c.enter()
    c.advance()
    if deep:
        c.skip_to_close("]")
        return Malformed(c.since(start))
    index = compared(c, parse_expression(c))
    c.height = max(height, c.height) + 1
    if not c.accept("]"):
        c.expected("`]`", notes=[("the `[` is here", opening)])
        c.skip_to_close("]")
    c.leave()
    return Index(base, index, c.since(start))


# ---------------------------------------------------------------- literals and types


def _struct_literal(c: Cursor, name: str | None, start: int) -> Expression:
    opening = c.span
    wanted, c.wanted = c.wanted, ""
    deep = not c.enter()
    c.advance()
    if deep:
        c.skip_to_close("}")
        return Malformed(c.since(start))
    if c.kind in EXPRESSION_STARTS and not (c.kind is NAME and c.peek() in ("=", ":")):
        c.leave()
        return _unnamed_values(c, name or wanted, opening)
    fields: list[FieldValue] = []
    height = 0
    while c.kind != "}":
        field_start = c.start
        named = _field_name(c)
        if named is None:
            break
        value = compared(c, parse_expression(c))
        fields.append(FieldValue(named[0], value, c.since(field_start), named[1]))
        height = max(height, c.height)
        if not c.accept(","):
            break
    close_list(c, "}", opening)
    c.height = height + 1
    c.leave()
    return StructLiteral(name, tuple(fields), c.since(start))


def _unnamed_values(c: Cursor, wanted: str, opening: Span) -> Expression:
    """Report ``{ 1.0, 2.0 }``, values without the names of fields, and pass over them."""
    at = c.span
    c.rewind(c.at - 1)
    count = len(parse_arguments(c, "}"))
    span = c.since(opening.start)
    c.height = 1
    given = c.text[span.start + 1 : span.end].removesuffix("}").strip().removesuffix(",")
    if len(given) > 40 or "\n" in given:
        given = "..."
    c.remark("E0201", at, "expected `field = value`", help=_values_help(wanted, given, count))
    return Malformed(span)


def _values_help(wanted: str, given: str, count: int) -> str:
    """How values are put together to a type, as it is written (empty: unknown)."""
    if wanted in NAMED_TYPES:
        return f"write `{wanted}({given})`"
    if wanted.startswith("["):
        return f"write `{wanted} {{ {given} }}`"
    if wanted and not wanted.startswith("("):
        return f"write `{wanted} {{ field = value, ... }}`, with the name of each field"
    if wanted:
        return "write `{ name = value, ... }`, with the name of each output"
    array = f"an array literal states its type: `[{count}]float {{ {given} }}`"
    return f"a vector is `vec{count}({given})`; {array}" if 2 <= count <= 4 else array


def _field_name(c: Cursor) -> tuple[str, Span] | None:
    """Take a field's name and the ``=`` after it."""
    if c.kind is not NAME or c.peek() not in ("=", ":"):
        c.expected(
            "`field = value`", help="an array literal states its type: `[2]float { 1.0, 2.0 }`"
        )
        return None
    name, span = c.name("a field")
    if c.kind == ":":
        c.remark("E0204", c.span, "a field is given with `=`", help=f"write `{name} = ...`")
    c.advance()
    return name, span


def _array_literal(c: Cursor) -> Expression:
    start = c.start
    type = parse_type(c)
    height = c.height
    if c.kind != "{" or not isinstance(type, ArrayType):
        c.expected("`{` after the array's type", help="an array literal is `[2]float { 1.0, 2.0 }`")
        return Malformed(c.since(start))
    if type.size is None:
        c.error("E0212", type.span, "an array literal states its size", help="write `[N]T { ... }`")
    values = parse_arguments(c, "}", 2)
    c.height = max(height, c.height) + 1
    return ArrayLiteral(type, values, c.since(start))


def parse_type(c: Cursor) -> TypeExpression:
    """Parse a named or array type.

    A type that cannot be parsed is reported and gives a ``NamedType`` with an empty name.
    """
    sizes: list[tuple[int, Expression | None]] = []
    height = 0
    while c.kind == "[":
        start = c.start
        if len(sizes) + c.depth >= MAX_NESTING:
            c.too_deep()
            while c.kind == "[":
                c.advance()
                c.skip_to_close("]")
            break
        sizes.append((start, parse_array_size(c)))
        height = max(height, c.height)
    type = _named_type(c)
    for start, size in reversed(sizes):
        type = ArrayType(type, size, c.since(start))
    c.height = height + len(sizes)
    return type


def parse_array_size(c: Cursor) -> Expression | None:
    """Parse ``[size]`` or ``[]``, which gives None."""
    opening = c.span
    c.advance()
    c.height = 0
    if c.accept("]"):
        return None
    if not c.enter(2):
        c.skip_to_close("]")
        return None
    size = parse_expression(c)
    if not c.accept("]"):
        help = "an array literal is `[2]float { 1.0, 2.0 }`" if c.kind == "," else None
        c.expected("`]`", notes=[("the `[` is here", opening)], help=help)
        c.skip_to_close("]")
        c.silence()
    c.leave(2)
    return size


def _named_type(c: Cursor) -> TypeExpression:
    start = c.start
    if c.kind == "(":
        c.error(
            "E0212",
            c.span,
            "a list of values is a type only after `->`",
            help="declare a struct and name it here",
        )
        c.advance()
        c.skip_to_close(")")
        return NamedType("", c.since(start))
    if c.at_assignment():
        c.expected("a type")
        return NamedType("", Span(c.previous_end, c.previous_end))
    name, span = c.name("a type")
    type: TypeExpression = NamedType(name, span)
    if name and c.kind == "[":
        size = c.word(1) if c.peek(2) == "]" else "N"
        c.remark("E0204", c.span, "an array's size stands first", help=f"write `[{size}]{name}`")
        while c.kind == "[" and c.enter():
            type = ArrayType(type, parse_array_size(c), c.since(start))
            c.leave()
    return type
