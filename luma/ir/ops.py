"""The operations of the IR: those of the language's table, and the structural ones."""

from __future__ import annotations

from dataclasses import dataclass

from luma.language.builtins import OPERATIONS, Effect
from luma.language.types import Pointer, Space, Type, is_float, is_integer


@dataclass(frozen=True, slots=True)
class Structural:
    """An operation that is not a function of the language.

    ``immediates`` tells what ``Instr.imm`` holds, ``operands`` what ``Instr.args`` holds.
    """

    name: str
    operands: str
    immediates: str
    effect: Effect
    doc: str


_P, _R, _W = Effect.PURE, Effect.READ, Effect.WRITE

# fmt: off
STRUCTURAL: dict[str, Structural] = {row.name: row for row in (
    Structural("const", "", "value", _P, "a scalar constant: a bool, int or (binary32 or binary16) float"),
    Structural("spec", "", "name", _P, "the value of a specialization constant"),
    Structural("global", "", "name", _P, "a pointer to a global's memory; of a texture or sampler, itself"),
    Structural("local", "", "", _W, "a pointer to new function-local memory (contents undefined)"),
    Structural("access", "pointer, int...", "path", _P, "a pointer into an aggregate; each None of the path takes the next operand"),
    Structural("load", "pointer", "", _R, "the value in memory"),
    Structural("store", "pointer, value", "", _W, "put a value into memory"),
    Structural("construct", "part...", "", _P, "an aggregate from its parts; a vector's may be vectors too"),
    Structural("splat", "scalar", "", _P, "a vector of equal components"),
    Structural("extract", "aggregate, int...", "path", _P, "a part of a value; each None of the path takes the next operand"),
    Structural("insert", "aggregate, part", "path", _P, "the value with one part replaced; the path is constant"),
    Structural("shuffle", "vector, vector?", "indices", _P, "components picked from one vector, or from two laid end to end"),
    Structural("convert", "value", "", _P, "each component converted to the result's scalar type"),
    Structural("call", "value...", "name", _W, "call a function of the module"),
)}
# fmt: on

#: Address spaces whose memory no invocation can change while a shader runs.
CONSTANT_SPACES = frozenset({Space.UNIFORM, Space.PUSH_CONSTANT, Space.HANDLE})


def _behaving(effect: Effect) -> frozenset[str]:
    own = (row.name for row in STRUCTURAL.values() if row.effect is effect)
    return frozenset(own) | {row.name for row in OPERATIONS.values() if row.effect is effect}


#: Operations that are free in every respect, whatever their operands are.
FREE = _behaving(Effect.PURE) - {"div", "convert"}
#: What may change memory, and calls.
WRITING = _behaving(Effect.WRITE)


def effect_of(op: str, operand: Type | None, result: Type) -> Effect:
    """How an operation behaves, given the type of its first operand and its result.

    Integer division and conversions from float to integer are partial; a load is pure where
    nothing can change the memory.  An access or extract with a run-time index is partial where the
    index may be out of range, which only its caller can know.
    """
    row = OPERATIONS.get(op)
    if row is not None:
        return Effect.PARTIAL if op == "div" and is_integer(result) else row.effect
    if op == "load" and isinstance(operand, Pointer) and operand.space in CONSTANT_SPACES:
        return Effect.PURE
    if op == "convert" and operand is not None and is_float(operand) and is_integer(result):
        return Effect.PARTIAL
    return STRUCTURAL[op].effect
