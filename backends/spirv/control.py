"""Functions, blocks, phis and the instructions that end blocks."""

from __future__ import annotations

from collections.abc import Sequence

from luma.backends.spirv import debug, instructions, memory
from luma.backends.spirv.analysis import has_effect, is_value
from luma.backends.spirv.body import Body
from luma.backends.spirv.builder import MAX_PARAMETERS, put
from luma.backends.spirv.grammar import LoopControl, Op, StorageClass
from luma.backends.spirv.problems import Unsupported
from luma.backends.spirv.tidy import without_idle_moves

from luma.ir.module import (
    Block,
    Branch,
    CondBranch,
    Discard,
    FunctionParam,
    Instr,
    Param,
    Return,
    Terminator,
    Unreachable,
)
from luma.language.types import BOOL, VOID, Type, is_opaque

#: A phi operand to be filled in when all values are written: where, which value of which edge.
Pending = list[tuple[int, int, tuple[int, int, int]]]


def write_function(
    body: Body, function_id: int, loads: Sequence[tuple[FunctionParam, int]]
) -> None:
    """Write a whole function.

    For an entry point ``loads`` pairs its parameters with the input variables, and
    ``body.outputs`` has been set; any other function has parameters.
    """
    function = body.function
    entry_point = body.outputs is not None
    result: Type = VOID if entry_point or not function.results else function.results[0]
    parameters = () if entry_point else function.params
    if len(parameters) > MAX_PARAMETERS:
        raise Unsupported(f"function {function.name} has too many parameters for SPIR-V")
    types = [parameter_type(body, p.type) for p in parameters]
    for t in (result, *(p.type for p in parameters)):
        body.types.half_composite(t)
    result_id = body.types.value(result)
    signature = body.builder.type(Op.TypeFunction, result_id, *types)
    head: list[int] = []
    put(head, Op.Function, result_id, function_id, 0, signature)
    for parameter, type_id in zip(parameters, types, strict=True):
        body.ids[parameter.id] = body.builder.new_id()
        put(head, Op.FunctionParameter, type_id, body.ids[parameter.id])
    put(head, Op.Label, body.label(function.blocks[0].label))
    _load_inputs(body, loads)
    pending: Pending = []
    for block in function.blocks:
        _block(body, block, pending)
    _fill_phis(body, pending)
    if body.module.debug:
        debug.name_values(body)
    output = body.builder.functions
    output += head
    output += body.variables
    output += body.code if body.module.debug else without_idle_moves(body.code)
    put(output, Op.FunctionEnd)


def parameter_type(body: Body, t: Type) -> int:
    """The type of a parameter: textures and samplers go by the pointer to their variable."""
    type_id = body.types.value(t)
    return body.types.pointer(StorageClass.UniformConstant, type_id) if is_opaque(t) else type_id


def _load_inputs(body: Body, loads: Sequence[tuple[FunctionParam, int]]) -> None:
    for parameter, variable in loads:
        if parameter.id in body.facts.live:
            type_id = body.types.value(parameter.type)
            body.ids[parameter.id] = body.op(Op.Load, type_id, variable)


def _block(body: Body, block: Block, pending: Pending) -> None:
    body.block = block.label
    if block.label != body.entry:
        body.effect(Op.Label, body.label(block.label))
    for at, param in enumerate(block.params):
        if param.id in body.facts.live:
            _phi(body, block, at, param, pending)
    lines = debug.Lines(body) if body.module.debug else None
    for instr in block.instrs:
        _instruction(body, instr, lines)
    _terminator(body, block)


def _phi(body: Body, block: Block, at: int, param: Param, pending: Pending) -> None:
    edges = body.facts.edges.get(block.label, [])
    type_id = body.types.value(param.type)
    body.types.half_composite(param.type)
    parents = list(dict.fromkeys(label for label, _ in edges))
    if not parents:
        body.ids[param.id] = body.op(Op.Undef, type_id)
        return
    operands: list[int] = []
    for label in parents:
        operands += (0, body.label(label))
    start = len(body.code) + 3
    body.ids[param.id] = body.op(Op.Phi, type_id, *operands)
    for number, label in enumerate(parents):
        branch = next(branch for parent, branch in edges if parent == label)
        pending.append((start + 2 * number, branch.args[at], (label, block.label, at)))


def _fill_phis(body: Body, pending: Pending) -> None:
    for position, value, edge in pending:
        chosen = body.chosen.get(edge)
        body.code[position] = body.value(value) if chosen is None else chosen


def _instruction(body: Body, instr: Instr, lines: debug.Lines | None) -> None:
    effect = has_effect(instr)
    if not effect and instr.id not in body.facts.live:
        return
    match instr.op:
        case "const":
            body.constants.add(instr.id)
        case "spec" | "global" | "local":
            pass  # come into being where they are used
        case "access":
            memory.access(body, instr)
        case "construct" | "splat" if all(arg in body.constants for arg in instr.args):
            body.constants.add(instr.id)
        case _:
            if lines is not None:
                lines.at(instr)
            result = instructions.write(body, instr)
            if result is not None and is_value(instr):
                body.ids[instr.id] = result


# ---------------------------------------------------------------- terminators


def _terminator(body: Body, block: Block) -> None:
    if block.loop is not None:
        wish = LoopControl.Unroll if block.loop.wants_unrolling else 0
        merge, continue_ = body.label(block.loop.merge), body.label(block.loop.continue_)
        _ends(body, block.terminator, block.label, (Op.LoopMerge, merge, continue_, wish))
        return
    match block.terminator:
        case CondBranch(merge=int() as merge):
            header = (Op.SelectionMerge, body.label(merge), 0)
            _ends(body, block.terminator, block.label, header)
        case _:
            _ends(body, block.terminator, block.label, ())


def _ends(body: Body, terminator: Terminator, label: int, merge: tuple[int, ...]) -> None:
    """Write a terminator; ``merge`` is the merge instruction that must stand right before it."""
    match terminator:
        case Branch(target):
            _declare(body, merge)
            body.effect(Op.Branch, body.label(target))
        case CondBranch(cond, then, otherwise) if then.target == otherwise.target:
            _choose_arguments(body, label, cond, then, otherwise)
            if merge and merge[0] == Op.LoopMerge:
                _declare(body, merge)
            body.effect(Op.Branch, body.label(then.target))
        case CondBranch(cond, then, otherwise):
            condition = body.value(cond)
            _declare(body, merge)
            ways = (body.label(then.target), body.label(otherwise.target))
            body.effect(Op.BranchConditional, condition, *ways)
        case Return(values):
            _return(body, values)
        case Discard():
            body.effect(Op.Kill)
        case Unreachable():
            body.effect(Op.Unreachable)


def _declare(body: Body, merge: tuple[int, ...]) -> None:
    if merge:
        body.effect(*merge)


def _choose_arguments(body: Body, label: int, cond: int, then: Branch, otherwise: Branch) -> None:
    """Both ways lead to one block: what they pass becomes a choice of values."""
    target = next(b for b in body.function.blocks if b.label == then.target)
    for at, (a, b) in enumerate(zip(then.args, otherwise.args, strict=True)):
        param = target.params[at]
        if a != b and param.id in body.facts.live:
            decider = (body.value(cond), BOOL)
            chosen = instructions.choose(body, param.type, decider, body.value(a), body.value(b))
            body.chosen[label, then.target, at] = chosen


def _return(body: Body, values: tuple[int, ...]) -> None:
    if body.outputs is not None:
        for variable, value in zip(body.outputs, values, strict=True):
            body.effect(Op.Store, variable, body.value(value))
        body.effect(Op.Return)
    elif values:
        body.effect(Op.ReturnValue, body.value(values[0]))
    else:
        body.effect(Op.Return)
