"""Table operations that a target lacks, said in those that it has."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from luma.ir.effects import value_types
from luma.ir.module import Block, Function, Instr, Module
from luma.ir.shape import next_id
from luma.language.types import Matrix, Scalar, Type, Vector, scalar_of

from . import bits, matrices, reals
from .builder import Builder

#: Writes an operation's replacement; the last instruction it adds is the result.
Expansion = Callable[[Builder, Instr], object]

#: What can be expanded, by operation.
EXPANSIONS: dict[str, Expansion] = {**reals.EXPANSIONS, **matrices.EXPANSIONS, **bits.EXPANSIONS}


def expand(module: Module, ops: frozenset[str]) -> Module:
    """The module without the operations that ``ops`` names.

    A name is an operation's, alone (``mod``) or with what its first operand must be for it to be
    meant: ``rem.int``, ``neg.matrix``, ``select.vector`` (one of scalar, vector, matrix, bool,
    int, uint, float, half).  Raises KeyError for one that has no expansion.
    """
    wanted = {name: EXPANSIONS[name.partition(".")[0]] for name in ops}
    helpers = matrices.Helpers(module)
    functions = tuple(_function(f, wanted, helpers) for f in module.functions)
    return replace(module, functions=(*helpers.functions(), *functions))


def _function(
    function: Function, wanted: Mapping[str, Expansion], helpers: matrices.Helpers
) -> Function:
    builder = Builder(value_types(function), next_id(function))
    blocks = tuple(_block(block, builder, wanted, helpers) for block in function.blocks)
    return function if blocks == function.blocks else replace(function, blocks=blocks)


def _block(
    block: Block, builder: Builder, wanted: Mapping[str, Expansion], helpers: matrices.Helpers
) -> Block:
    builder.instrs = []
    for instr in block.instrs:
        expansion = _found(instr, builder.types, wanted)
        if expansion is None:
            builder.append(instr)
        elif instr.op == "inverse":
            call = helpers.inverse(instr.type)
            builder.append(replace(instr, op="call", imm=(call,)))
        else:
            _insert(builder, instr, expansion)
    return replace(block, instrs=tuple(builder.instrs))


def _insert(builder: Builder, instr: Instr, expansion: Expansion) -> None:
    """Add the replacement; its last instruction takes the number of what it replaces.

    What an expansion makes may itself be wanted expanded; tables are written so that it is not.
    """
    expansion(builder, instr)
    last = builder.instrs.pop()
    builder.append(replace(last, id=instr.id))


def _found(
    instr: Instr, types: Mapping[int, Type], wanted: Mapping[str, Expansion]
) -> Expansion | None:
    if instr.op in wanted:
        return wanted[instr.op]
    if not instr.args:
        return None
    for kind in _kinds(types[instr.args[0]]):
        if f"{instr.op}.{kind}" in wanted:
            return wanted[f"{instr.op}.{kind}"]
    return None


def _kinds(t: Type) -> tuple[str, ...]:
    match t:
        case Matrix():
            return ("matrix",)
        case Vector():
            return ("vector", str(scalar_of(t)))
        case Scalar():
            return ("scalar", str(t))
    return ()
