"""How instructions behave towards the rest of the program, calls judged by what they call."""

from __future__ import annotations

from collections.abc import Mapping

from luma.ir.module import Discard, Function, Instr, Module
from luma.ir.ops import FREE, effect_of
from luma.language.builtins import Effect
from luma.language.types import Type, Void

#: From the most free to the most bound: a function is as bound as its most bound instruction.
_ORDER = (Effect.PURE, Effect.PARTIAL, Effect.QUAD, Effect.READ, Effect.WRITE)


def value_types(function: Function) -> dict[int, Type]:
    """The type of every value that a function defines."""
    types: dict[int, Type] = {p.id: p.type for p in function.params}
    for block in function.blocks:
        for p in block.params:
            types[p.id] = p.type
        for i in block.instrs:
            if not isinstance(i.type, Void):
                types[i.id] = i.type
    return types


def effect(
    instr: Instr, types: Mapping[int, Type], functions: Mapping[str, Effect] | None = None
) -> Effect:
    """How an instruction behaves.

    ``types`` has the types of the function's values.  ``functions`` has the effects of the module's
    functions (:func:`function_effects`); without it a call is taken for a WRITE.
    """
    if instr.op == "call":
        return Effect.WRITE if functions is None else functions[str(instr.imm[0])]
    operand = types[instr.args[0]] if instr.args else None
    return effect_of(instr.op, operand, instr.type)


def function_effects(module: Module) -> dict[str, Effect]:
    """The effect of calling each function, by name: that of its most bound instruction.

    A function's own local memory does not count.  A loop does: it may not end, so a function with
    one is PARTIAL at least; a function that discards is a WRITE.
    """
    found: dict[str, Effect] = {}
    for function in module.functions:  # callees come first
        found[function.name] = _function_effect(function, found)
    return found


def _function_effect(function: Function, known: Mapping[str, Effect]) -> Effect:
    if any(isinstance(block.terminator, Discard) for block in function.blocks):
        return Effect.WRITE
    seen = {Effect.PURE}
    if any(block.loop is not None for block in function.blocks):
        seen.add(Effect.PARTIAL)
    bound = [i for i in function.instructions() if i.op not in FREE]
    if bound:
        types = value_types(function)
        own = _own_memory(function)
        for instr in bound:
            touches_own = bool(instr.args) and instr.args[0] in own
            if not (instr.id in own or (instr.op in ("load", "store") and touches_own)):
                seen.add(effect(instr, types, known))
    return max(seen, key=_ORDER.index)


def _own_memory(function: Function) -> set[int]:
    """The function's locals and the pointers into them."""
    own: set[int] = set()
    for instr in function.instructions():
        if instr.op == "local" or (instr.op == "access" and instr.args[0] in own):
            own.add(instr.id)
    return own
