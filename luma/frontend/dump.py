"""The syntax tree as indented text, for ``luma dump-ast``."""

from __future__ import annotations

from luma.frontend.syntax import (
    ArrayLiteral,
    ArrayType,
    Assign,
    Attribute,
    Binary,
    BindingDecl,
    Block,
    Boolean,
    Call,
    CallStatement,
    ConstDecl,
    Declaration,
    Expression,
    FieldDecl,
    For,
    FunctionDecl,
    If,
    Index,
    Let,
    Malformed,
    Member,
    Module,
    Name,
    NamedType,
    Number,
    Parameter,
    Return,
    Statement,
    StructDecl,
    StructLiteral,
    TupleType,
    TypeExpression,
    Unary,
    While,
)

_INDENT = "  "


def dump(module: Module) -> str:
    """The tree of a module as text: a line for each declaration, statement and field.

    Expressions are written fully parenthesised, so that the text shows how they were parsed.
    """
    lines: list[str] = []
    for declaration in module.declarations:
        _declaration(lines, declaration)
    return "".join(f"{line}\n" for line in lines)


def _declaration(lines: list[str], node: Declaration) -> None:
    _attributes(lines, 0, node.attributes)
    match node:
        case StructDecl():
            lines.append(f"struct {node.name}")
            lines.extend(_INDENT + _field(field) for field in node.fields)
        case FunctionDecl():
            lines.append(f"function {node.name}")
            lines.extend(f"{_INDENT}parameter {_field(p)}" for p in node.parameters)
            if node.result is not None:
                lines.append(f"{_INDENT}result {_type(node.result)}")
            _body(lines, 1, node.body)
        case BindingDecl():
            words = node.keyword if node.access is None else f"{node.keyword} {node.access}"
            line = f"{words} {node.name}: {_type(node.type)}"
            lines.append(line if node.value is None else f"{line} = {_expression(node.value)}")
        case ConstDecl():
            lines.append("const " + _named_value(node.name, node.type, node.value))


def _field(node: FieldDecl | Parameter) -> str:
    attributes = "".join(f"{_attribute(a)} " for a in node.attributes)
    return f"{attributes}{node.name}: {_type(node.type)}"


def _attributes(lines: list[str], depth: int, attributes: tuple[Attribute, ...]) -> None:
    lines.extend(_INDENT * depth + _attribute(attribute) for attribute in attributes)


def _attribute(node: Attribute) -> str:
    if not node.arguments:
        return f"@{node.name}"
    return f"@{node.name}({_list(node.arguments)})"


def _type(node: TypeExpression) -> str:
    match node:
        case NamedType():
            return node.name or "?"
        case ArrayType():
            size = "" if node.size is None else _expression(node.size)
            return f"[{size}]{_type(node.elem)}"
        case TupleType():
            return f"({', '.join(_field(field) for field in node.fields)})"


# ---------------------------------------------------------------- statements


def _body(lines: list[str], depth: int, body: tuple[Statement, ...]) -> None:
    for statement in body:
        _statement(lines, depth, statement)


def _statement(lines: list[str], depth: int, node: Statement) -> None:
    indent = _INDENT * depth
    match node:
        case Let():
            lines.append(f"{indent}let " + _named_value(node.name, node.type, node.value))
        case Assign():
            target, value = _expression(node.target), _expression(node.value)
            lines.append(f"{indent}assign {target} {node.operator or ''}= {value}")
        case CallStatement():
            lines.append(f"{indent}call {_expression(node.call)}")
        case Return():
            value = "" if node.value is None else f" {_expression(node.value)}"
            lines.append(f"{indent}return{value}")
        case If():
            for at, arm in enumerate(node.arms):
                word = "elseif" if at else "if"
                lines.append(f"{indent}{word} {_expression(arm.condition)}")
                _body(lines, depth + 1, arm.body)
            if node.otherwise is not None:
                lines.append(f"{indent}else")
                _body(lines, depth + 1, node.otherwise)
        case For():
            _attributes(lines, depth, node.attributes)
            bounds = [node.start, node.stop] + ([] if node.step is None else [node.step])
            lines.append(f"{indent}for {node.name} = {_list(tuple(bounds))}")
            _body(lines, depth + 1, node.body)
        case While():
            _attributes(lines, depth, node.attributes)
            lines.append(f"{indent}while {_expression(node.condition)}")
            _body(lines, depth + 1, node.body)
        case Block():
            lines.append(f"{indent}do")
            _body(lines, depth + 1, node.body)


def _named_value(name: str, type: TypeExpression | None, value: Expression | None) -> str:
    typed = "" if type is None else f": {_type(type)}"
    valued = "" if value is None else f" = {_expression(value)}"
    return f"{name}{typed}{valued}"


# ---------------------------------------------------------------- expressions


def _list(nodes: tuple[Expression, ...]) -> str:
    return ", ".join(map(_expression, nodes))


def _expression(node: Expression) -> str:
    """An expression as text.  Chains are long on the left, so the left is walked in a loop."""
    tails: list[str] = []
    heads = 0
    while True:
        match node:
            case Binary():
                tails.append(f" {node.operator} {_expression(node.right)})")
                heads += 1
                node = node.left
            case Member():
                tails.append(f".{node.name}")
                node = node.base
            case Index():
                tails.append(f"[{_expression(node.index)}]")
                node = node.base
            case _:
                break
    return "(" * heads + _leaf(node) + "".join(reversed(tails))


def _leaf(node: Expression) -> str:
    match node:
        case Number():
            return node.text
        case Boolean():
            return "true" if node.value else "false"
        case Name():
            return node.name
        case Unary():
            space = " " if node.operator.isalpha() else ""
            return f"({node.operator}{space}{_expression(node.operand)})"
        case Call():
            return f"{node.callee}({', '.join(map(_expression, node.arguments))})"
        case StructLiteral():
            fields = ", ".join(f"{f.name} = {_expression(f.value)}" for f in node.fields)
            return f"{node.name or ''}{{{fields}}}"
        case ArrayLiteral():
            return f"{_type(node.type)}{{{_list(node.values)}}}"
        case Malformed():
            return "<malformed>"
    raise AssertionError(node)
