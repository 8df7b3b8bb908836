"""The parser: a source to its syntax tree, by recursive descent.

All syntax errors of a source are reported, in order and once; the parser goes on after each.
Where something is missing, the tree holds a ``Malformed`` expression or a ``NamedType`` with an
empty name, and a declaration or statement without a name is left out.

Statements need no separator and line ends mean nothing: every statement starts with a keyword or
a name, so what starts with a bracket always belongs to the expression before it.
"""

from __future__ import annotations

from collections.abc import Callable

from luma.diagnostics import Reporter
from luma.frontend import foreign
from luma.frontend.blocks import close_body, open_body
from luma.frontend.cursor import DECLARATION_STARTS, Cursor
from luma.frontend.expressions import parse_expression, parse_type
from luma.frontend.fields import (
    after_attributes,
    parse_annotation,
    parse_attributes,
    parse_pair,
    parse_parameters,
    parse_result,
    parse_struct_field,
    report_pair,
    written,
)
from luma.frontend.lexer import BAD, EOF, NAME
from luma.frontend.slips import mend_declaration, mend_end
from luma.frontend.statements import parse_body, parse_declared, parse_let
from luma.frontend.syntax import (
    Attribute,
    BindingDecl,
    Boolean,
    Call,
    ConstDecl,
    Declaration,
    Expression,
    FieldDecl,
    FunctionDecl,
    Let,
    Module,
    Number,
    StructDecl,
    TypeExpression,
    Unary,
)
from luma.language.types import NAMED_TYPES
from luma.source import Source, Span

_Attributes = tuple[Attribute, ...]

_DECLARATIONS = "a module holds functions, structs, uniforms, buffers and consts"

#: Words that may stand between ``buffer`` and the name.
_ACCESS = ("storage", "readonly", "writeonly")


def parse(source: Source, reporter: Reporter) -> Module:
    """Parse a whole source; never raises, errors go to the reporter."""
    c = Cursor(source, reporter)
    declarations: list[Declaration] = []
    while c.kind is not EOF:
        at = c.at
        declaration = _declaration(c)
        if declaration is not None:
            declarations.append(declaration)
        if c.at == at:
            c.advance()
    return Module(tuple(declarations), Span(0, len(source.text)))


def _declaration(c: Cursor) -> Declaration | None:
    start = c.start
    attributes = parse_attributes(c)
    c.depth = 0
    c.over_limit = False
    c.brace_depth = 0
    mend_declaration(c)
    parse = _PARSERS.get(c.kind)
    if parse is not None:
        return parse(c, attributes, start)
    if c.kind is NAME and c.word() in foreign.FUNCTION_WORDS and c.peek() is NAME:
        c.remark("E0204", c.span, f"Luma has no `{c.word()}`", help="write `function`")
        return _function(c, attributes, start)
    if attributes:
        span = Span(start, attributes[-1].span.end)
        c.error("E0209", span, "an attribute stands before a declaration, and none follows")
    return _no_declaration(c)


# ---------------------------------------------------------------- functions and structs


def _function(c: Cursor, attributes: _Attributes, start: int) -> Declaration | None:
    opener = c.span
    c.function_column = c.column(start)
    c.advance()
    c.else_ifs.clear()
    c.misfit = None
    c.repeats = 0
    name, name_span = c.name("the function's name")
    if c.kind in (".", ":"):
        c.error("E0213", c.span, "Luma has no methods", help="give the function a plain name")
        c.advance()
        name, name_span = c.name("the function's name")
    parameters = parse_parameters(c)
    result = parse_result(c)
    c.returns_value = result is not None
    c.result = "" if result is None else c.text[result.span.start : result.span.end]
    close = open_body(c, "", "")
    body = parse_body(c)
    what = f"the function `{name}`" if name else "the function"
    close_body(c, close, what, opener)
    end = Span(c.starts[c.at - 1], c.previous_end)
    span = c.since(start)
    if not name:
        return None
    return FunctionDecl(name, parameters, result, body, attributes, span, name_span, end)


def _struct(c: Cursor, attributes: _Attributes, start: int) -> Declaration | None:
    opener = c.span
    c.advance()
    c.else_ifs.clear()
    c.misfit = None
    name, name_span = c.name("the struct's name")
    close = open_body(c, "", "")
    fields: list[FieldDecl] = []
    while True:
        mend_end(c)
        if _struct_ends(c, close):
            break
        at = c.at
        field = parse_struct_field(c)
        if field is not None:
            fields.append(field)
        if c.at == at:
            c.skip_field()
        _separator(c)
    close_body(c, close, f"the struct `{name}`" if name else "the struct", opener)
    span = c.since(start)
    return StructDecl(name, tuple(fields), attributes, span, name_span) if name else None


def _struct_ends(c: Cursor, close: str) -> bool:
    if c.kind == "@":
        return after_attributes(c) in DECLARATION_STARTS
    if c.peek() == ":":  # a field with a keyword for its name
        return False
    return c.kind in DECLARATION_STARTS or c.kind in (close, "end", "const", EOF)


def _separator(c: Cursor) -> None:
    if c.kind == ";":
        c.semicolon()
    elif c.kind == ",":
        c.error("E0204", c.span, "fields have nothing between them", help="leave out the `,`")
        c.advance()
    elif c.kind == "=":
        c.error("E0204", c.span, "a field has no default value")
        c.advance()
        parse_expression(c)


# ---------------------------------------------------------------- bindings and consts


def _binding(c: Cursor, attributes: _Attributes, start: int) -> Declaration | None:
    keyword = c.kind
    c.advance()
    access = _access(c) if keyword == "buffer" else None
    if c.kind is NAME and c.peek() is NAME:
        at = c.start
        pair = parse_pair(c)
        report_pair(c, pair, at, f"{keyword} ")
        name, name_span, type = pair.name, pair.name_span, pair.type
    else:
        name, name_span = c.name(f"the {keyword}'s name")
        if not name:
            return None
        if c.kind == "{":
            return _block_binding(c, keyword, name)
        type = parse_annotation(c, f"the {keyword}", name)
    value = parse_expression(c) if c.accept("=") else None
    _end_of_declaration(c)
    span = c.since(start)
    return BindingDecl(keyword, access, name, type, attributes, span, name_span, value)


def _access(c: Cursor) -> str | None:
    if c.kind is not NAME or c.peek() is not NAME:
        return None
    word = c.word()
    if word in _ACCESS:
        c.advance()
        return word
    if c.peek(2) == ":":
        help = "after `buffer` may stand `storage` (read and write), `readonly` or `writeonly`"
        c.remark("E0201", c.span, f"`{word}` is no way to access a buffer", help=help)
        c.advance()
    return None


def _block_binding(c: Cursor, keyword: str, name: str) -> Declaration | None:
    """Report GLSL's ``uniform Name { ... }`` and pass over it."""
    help = f"declare `struct {name} ... end` and then `{keyword} name: {name}`"
    c.error("E0204", c.span, f"a {keyword} has a name and a type", help=help)
    c.advance()
    c.skip_to_close("}")
    c.skip_line()
    return None


def _const(c: Cursor, attributes: _Attributes, start: int) -> Declaration | None:
    c.advance()
    type: TypeExpression | None = None
    if c.kind is NAME and c.peek() is NAME:
        at = c.start
        pair = parse_pair(c)
        report_pair(c, pair, at, "const ", " = ...")
        name, name_span, type = pair.name, pair.name_span, pair.type
    else:
        name, name_span = c.name("the const's name")
    if type is None and c.accept(":"):
        type = parse_type(c)
    value = parse_expression(c) if c.accept("=") else None
    _end_of_declaration(c)
    span = c.since(start)
    return ConstDecl(name, type, value, attributes, span, name_span) if name else None


def _end_of_declaration(c: Cursor) -> None:
    while c.kind == ";":
        c.semicolon()


_PARSERS: dict[str, Callable[[Cursor, _Attributes, int], Declaration | None]] = {
    "function": _function,
    "struct": _struct,
    "uniform": _binding,
    "buffer": _binding,
    "shared": _binding,
    "const": _const,
}

# ---------------------------------------------------------------- what is no declaration


def _no_declaration(c: Cursor) -> Declaration | None:
    """Report what cannot begin a declaration, and pass over it."""
    if c.kind == "let":
        at, message = c.span, "`let` stands in a function"
        return _module_value(c, "E0208", at, message, _module_let(c))
    if c.kind == ";":
        c.semicolon()
        return None
    if c.kind == "end":
        c.error("E0203", c.span, "nothing is open that this `end` could close")
    elif c.kind is NAME or c.kind == "in":
        value = _foreign_declaration(c)
        if value is not None:
            return value
    elif c.kind is not BAD:
        message = f"expected a declaration, found {c.found()}"
        c.error("E0201", c.span, message, help=_DECLARATIONS)
    c.advance()
    while c.kind is not EOF and not at_declaration(c):
        c.advance()
    return None


def at_declaration(c: Cursor) -> bool:
    """Whether the current token begins a declaration of the module."""
    if c.kind == "@":
        following = after_attributes(c)
        return following in DECLARATION_STARTS or following == "const"
    return c.kind in DECLARATION_STARTS or c.kind == "const"


def _module_let(c: Cursor) -> Let | None:
    """Parse ``let name: type = value``, ``let type name = value`` or the like."""
    start = c.start
    if c.peek() is NAME and c.peek(2) is NAME and not c.on_new_line(2):
        c.advance()
        return parse_declared(c, start, parse_pair(c))
    return parse_let(c)


def _module_value(
    c: Cursor, code: str, at: Span, message: str, let: Let | None
) -> Declaration | None:
    """Report a variable of the module, parsed as a ``let``, and take it for a const."""
    if let is None:
        c.remark(code, at, message, help="a value of the module is `const name: T = ...`")
        return None
    type = written(c, let.type) or _type_of(let.value)
    value = "..." if let.value is None else c.text[let.value.span.start : let.value.span.end]
    if len(value) > 40 or "\n" in value or not value:
        value = "..."
    help = f"write `const {let.name}: {type} = {value}`"
    if let.value is None:
        help += f", or `uniform {let.name}: {type}`"
    c.remark(code, at, message, help=help)
    return ConstDecl(let.name, let.type, let.value, (), let.span, let.name_span)


def _type_of(value: Expression | None) -> str:
    """The type that a value most probably has, as far as its form tells."""
    match value:
        case Number(real=real):
            return "float" if real else "int"
        case Boolean():
            return "bool"
        case Unary(operand=operand):
            return _type_of(operand)
        case Call(callee=callee) if callee in NAMED_TYPES:
            return callee
    return "T"


def _foreign_declaration(c: Cursor) -> Declaration | None:
    word = c.word()
    if word in foreign.DECLARATORS and c.peek() is NAME:
        return _module_value(c, "E0204", c.span, f"Luma has no `{word}`", _module_let(c))
    if word in foreign.DECLARATION:
        c.error("E0204", c.span, f"Luma has no `{word}` here", help=foreign.DECLARATION[word])
    elif c.peek() is NAME and c.peek(2) == "(":
        help = f"write `function {c.word(1)}(...) -> {word} ... end`"
        c.error("E0204", c.span, "a function is declared with `function`", help=help)
    elif c.peek() is NAME:
        at = c.span
        let = parse_declared(c, at.start, parse_pair(c))
        message = "a value of the module is a `const` or a `uniform`"
        return _module_value(c, "E0204", at, message, let)
    else:
        message = f"expected a declaration, found {c.found()}"
        c.error("E0201", c.span, message, help=_DECLARATIONS)
    return None
