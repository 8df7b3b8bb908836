"""Chains of fields, elements and swizzles: ``a.b[i].zx`` as a root and a path."""

from __future__ import annotations

from dataclasses import dataclass

from luma.frontend import typed
from luma.language.evaluate import evaluate
from luma.language.numbers import narrow
from luma.language.types import Scalar, is_integer

Path = tuple[int | None, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Chain:
    """A part of ``root``: the one at ``path``, where each None takes the next of ``indices``.

    ``components`` are those of a swizzle of two or more that ends the chain.  If ``picked``, one
    of these is meant: the one at the last of ``indices``.
    """

    root: typed.Expression
    path: Path
    indices: tuple[typed.Expression, ...]
    components: tuple[int, ...] | None = None
    picked: bool = False


def constant_index(index: typed.Expression) -> int | None:
    """The value of an int or uint expression if it is known now, else None."""
    match index:
        case typed.Literal(value=int() as value):
            return value
        case typed.ConstantRef(typed.Constant(value=int() as value)):
            return value
        case typed.Operation(operation, arguments, Scalar() as type) if is_integer(type):
            return _fold(operation, arguments, type)
        case typed.Convert(value=source, type=Scalar() as type) if is_integer(source.type):
            known = constant_index(source)
            return None if known is None else int(narrow(known, type))
    return None


def _fold(operation: str, arguments: tuple[typed.Expression, ...], type: Scalar) -> int | None:
    """The value of an operation on known ints, if it is one that can be evaluated."""
    values = [constant_index(argument) for argument in arguments]
    if None in values or any(not isinstance(argument.type, Scalar) for argument in arguments):
        return None
    try:
        return int(evaluate(operation, type, [a.type for a in arguments], values))
    except (KeyError, ValueError):  # not to be evaluated, or unspecified for these values
        return None


def chain_of(expression: typed.Expression) -> Chain:
    """Take an expression apart down to what is not a field, element or swizzle."""
    steps: list[typed.FieldOf | typed.ElementOf | typed.SwizzleOf] = []
    while isinstance(expression, typed.FieldOf | typed.ElementOf | typed.SwizzleOf):
        steps.append(expression)
        expression = expression.base
    path: list[int | None] = []
    indices: list[typed.Expression] = []
    components: tuple[int, ...] | None = None
    picked = False
    for step in reversed(steps):
        match step:
            case typed.FieldOf(index=index):
                path.append(index)
            case typed.SwizzleOf(components=chosen):
                chosen = tuple(components[c] for c in chosen) if components else chosen
                components = chosen if len(chosen) > 1 else None
                path.extend(chosen if len(chosen) == 1 else ())
            case typed.ElementOf(index=index):
                known = constant_index(index)
                if known is None:
                    indices.append(index)
                    picked = components is not None
                if components is None:
                    path.append(known)
                elif known is not None:
                    path.append(components[known])
                    components = None
    return Chain(expression, tuple(path), tuple(indices), components, picked)
