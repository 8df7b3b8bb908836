"""The syntax tree: what the parser found, before anything is known about names and types.

Nodes compare by identity, so they can key tables.  Every node has a ``span`` in the expanded text.
"""

from __future__ import annotations

from typing import TypeAlias

from luma.frontend.node import node
from luma.source import Span


@node
class Attribute:
    """``@name`` or ``@name(argument, ...)``."""

    name: str
    arguments: tuple[Expression, ...]
    span: Span


# ---------------------------------------------------------------- types


@node
class NamedType:
    """A type by its name."""

    name: str
    span: Span


@node
class ArrayType:
    """``[size]elem``, or ``[]elem`` with a size of None."""

    elem: TypeExpression
    size: Expression | None
    span: Span


@node
class TupleType:
    """``(name: T, ...)``, the return type of an inline entry point."""

    fields: tuple[FieldDecl, ...]
    span: Span


TypeExpression: TypeAlias = NamedType | ArrayType | TupleType

# ---------------------------------------------------------------- expressions


@node
class Number:
    """A number literal: ``value`` is exact (an int, or a float), ``real`` if written with a
    fraction or exponent."""

    text: str
    value: int | float
    real: bool
    span: Span


@node
class Boolean:
    """``true`` or ``false``."""

    value: bool
    span: Span


@node
class Name:
    """An identifier in expression position."""

    name: str
    span: Span


@node
class Unary:
    """``-x``, ``not x``, ``~x``."""

    operator: str
    operand: Expression
    span: Span


@node
class Binary:
    """``a op b`` with the operator as written."""

    operator: str
    left: Expression
    right: Expression
    span: Span
    operator_span: Span


@node
class Member:
    """``base.name``: a field or a swizzle."""

    base: Expression
    name: str
    span: Span
    name_span: Span


@node
class Index:
    """``base[index]``."""

    base: Expression
    index: Expression
    span: Span


@node
class Call:
    """``callee(arguments)``: a function, builtin, or constructor of a scalar, vector or matrix."""

    callee: str
    arguments: tuple[Expression, ...]
    span: Span
    callee_span: Span


@node
class FieldValue:
    """``name = value`` in a struct literal."""

    name: str
    value: Expression
    span: Span
    name_span: Span


@node
class StructLiteral:
    """``Name { field = value, ... }``; a name of None takes its type from context."""

    name: str | None
    fields: tuple[FieldValue, ...]
    span: Span


@node
class ArrayLiteral:
    """``[N]T { value, ... }``."""

    type: ArrayType
    values: tuple[Expression, ...]
    span: Span


@node
class Malformed:
    """Stands where an expression could not be parsed; its error has been reported."""

    span: Span


Expression: TypeAlias = (
    Number
    | Boolean
    | Name
    | Unary
    | Binary
    | Member
    | Index
    | Call
    | StructLiteral
    | ArrayLiteral
    | Malformed
)

# ---------------------------------------------------------------- statements


@node
class Let:
    """``let name: type = value``."""

    name: str
    type: TypeExpression | None
    value: Expression | None  # None: missing, which the checker reports
    span: Span
    name_span: Span


@node
class Assign:
    """``target = value`` or ``target op= value`` (operator ``+`` for ``+=``, None for ``=``)."""

    target: Expression
    operator: str | None
    value: Expression
    span: Span


@node
class CallStatement:
    """A call made for its effect."""

    call: Expression
    span: Span


@node
class Return:
    """``return`` or ``return value``."""

    value: Expression | None
    span: Span


@node
class Arm:
    """One ``if`` or ``elseif`` with its body."""

    condition: Expression
    body: tuple[Statement, ...]
    span: Span


@node
class If:
    """A chain of arms and the ``else`` body (None: no else)."""

    arms: tuple[Arm, ...]
    otherwise: tuple[Statement, ...] | None
    span: Span


@node
class For:
    """``for name = start, stop, step do body end``."""

    name: str
    start: Expression
    stop: Expression
    step: Expression | None
    body: tuple[Statement, ...]
    attributes: tuple[Attribute, ...]
    span: Span
    name_span: Span


@node
class While:
    """``while condition do body end``."""

    condition: Expression
    body: tuple[Statement, ...]
    attributes: tuple[Attribute, ...]
    span: Span


@node
class Block:
    """``do body end``."""

    body: tuple[Statement, ...]
    span: Span


Statement: TypeAlias = Let | Assign | CallStatement | Return | If | For | While | Block

# ---------------------------------------------------------------- declarations


@node
class FieldDecl:
    """``attributes name: type`` in a struct or tuple type."""

    name: str
    type: TypeExpression
    attributes: tuple[Attribute, ...]
    span: Span
    name_span: Span


@node
class Parameter:
    """A parameter of a function."""

    name: str
    type: TypeExpression
    attributes: tuple[Attribute, ...]
    span: Span
    name_span: Span


@node
class StructDecl:
    """``struct Name fields end``."""

    name: str
    fields: tuple[FieldDecl, ...]
    attributes: tuple[Attribute, ...]
    span: Span
    name_span: Span


@node
class FunctionDecl:
    """``function name(parameters) -> result body end``; ``end_span`` is the final ``end``."""

    name: str
    parameters: tuple[Parameter, ...]
    result: TypeExpression | None
    body: tuple[Statement, ...]
    attributes: tuple[Attribute, ...]
    span: Span
    name_span: Span
    end_span: Span


@node
class BindingDecl:
    """``uniform``, ``buffer`` or ``shared`` ``name: type``.

    ``keyword`` is the first word, ``access`` the contextual one after ``buffer`` (``storage``,
    ``readonly``, ``writeonly``) or None.
    """

    keyword: str
    access: str | None
    name: str
    type: TypeExpression
    attributes: tuple[Attribute, ...]
    span: Span
    name_span: Span
    value: Expression | None = None  # an initialiser is an error that the checker explains


@node
class ConstDecl:
    """``const name: type = value``."""

    name: str
    type: TypeExpression | None
    value: Expression | None
    attributes: tuple[Attribute, ...]
    span: Span
    name_span: Span


Declaration: TypeAlias = StructDecl | FunctionDecl | BindingDecl | ConstDecl


@node
class Module:
    """A whole source: its declarations in order."""

    declarations: tuple[Declaration, ...]
    span: Span
