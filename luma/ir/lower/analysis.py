"""What lowering must know of a function beforehand: which locals live in memory, and which
variables each loop assigns."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from luma.frontend import typed
from luma.ir.lower.chains import Chain, chain_of
from luma.language.types import Array, walk_path


@dataclass(slots=True)
class Analysis:
    """The locals of a function that need memory, and the locals assigned in each loop."""

    in_memory: dict[typed.Local, None] = field(default_factory=dict)
    assigned: dict[typed.For | typed.While, tuple[typed.Local, ...]] = field(default_factory=dict)


def analyse(function: typed.Function) -> Analysis:
    """Look through a function's body.

    A local lives in memory if it is written through a run-time index, or if it is or holds an
    array that is read through one.
    """
    analysis = Analysis()
    _statements(function.body, analysis)
    return analysis


def _statements(body: tuple[typed.Statement, ...], analysis: Analysis) -> dict[typed.Local, None]:
    """Analyse statements and give the locals they assign (as an ordered set)."""
    assigned: dict[typed.Local, None] = {}
    for statement in body:
        assigned |= _statement(statement, analysis)
    return assigned


def _statement(statement: typed.Statement, analysis: Analysis) -> dict[typed.Local, None]:
    for expression in _direct_expressions(statement):
        _reads(expression, analysis)
    match statement:
        case typed.Assign(place):
            root = chain_of(place)
            if not isinstance(root.root, typed.LocalRef):
                return {}
            if root.indices:
                analysis.in_memory[root.root.local] = None
            return {root.root.local: None}
        case typed.If():
            return _if_chain(statement, analysis)
        case typed.For(body=body) | typed.While(body=body):
            assigned = _statements(body, analysis)
            analysis.assigned[statement] = tuple(assigned)
            return assigned
        case typed.Block(body):
            return _statements(body, analysis)
    return {}


def _if_chain(statement: typed.If, analysis: Analysis) -> dict[typed.Local, None]:
    """An if with its elseifs, which may be thousands: without recursion."""
    assigned = _statements(statement.then, analysis)
    otherwise = statement.otherwise
    while len(otherwise) == 1 and isinstance(otherwise[0], typed.If):
        _reads(otherwise[0].condition, analysis)
        assigned |= _statements(otherwise[0].then, analysis)
        otherwise = otherwise[0].otherwise
    return assigned | _statements(otherwise, analysis)


def _direct_expressions(statement: typed.Statement) -> Iterator[typed.Expression]:
    match statement:
        case typed.Let(_, value) | typed.Evaluate(value):
            yield value
        case typed.Assign(place, value):
            yield place
            yield value
        case typed.Return(value):
            if value is not None:
                yield value
        case typed.If(condition) | typed.While(condition):
            yield condition
        case typed.For(_, start, stop):
            yield start
            yield stop


def _reads(expression: typed.Expression, analysis: Analysis) -> None:
    """Note the arrays that are read through run-time indices, anywhere in an expression."""
    work = [expression]
    while work:
        node = work.pop()
        chain = chain_of(node)
        if isinstance(chain.root, typed.LocalRef) and _indexes_array(chain):
            analysis.in_memory[chain.root.local] = None
        work.extend(chain.indices)
        work.extend(children(chain.root))


def _indexes_array(chain: Chain) -> bool:
    if not chain.indices:
        return False
    return any(
        index is None and isinstance(walk_path(chain.root.type, chain.path[:at]), Array)
        for at, index in enumerate(chain.path)
    )


def children(node: typed.Expression) -> Iterator[typed.Expression]:
    """The direct subexpressions of an expression, in order of evaluation."""
    match node:
        case (
            typed.Operation(_, arguments) | typed.Construct(arguments) | typed.CallOf(_, arguments)
        ):
            yield from arguments
        case typed.Equality(left, right) | typed.ShortCircuit(left, right):
            yield left
            yield right
        case typed.Splat(value) | typed.Convert(value) | typed.Diagonal(value):
            yield value
        case typed.Resize(value):
            yield value
        case typed.FieldOf(base) | typed.SwizzleOf(base):
            yield base
        case typed.ElementOf(base, index):
            yield base
            yield index
