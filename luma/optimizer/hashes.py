"""Hash functions made of floats, whose rounding is their meaning.

`fract(sin(dot(p, k)) * 43758.5453)` and its like turn the last bits of a number into the first.
Reassociating anything in them gives other noise, and breaks what must match from cell to cell; so
fast rules keep off.
"""

from __future__ import annotations

from luma.ir.module import Function, Instr

#: A fraction of something times this much depends on the last bits of it.
_LARGE = 1000.0

#: Through these rounding goes on; what stands behind anything else is not part of the hash.
_CHAIN = frozenset({"add", "sub", "mul", "div", "neg", "dot", "sin", "cos", "mod", "fract", "abs"})
_CARRIERS = frozenset({"splat", "construct", "extract", "shuffle"})


def precise_values(function: Function) -> frozenset[int]:
    """The values that have to be computed just as they are written."""
    made = {i.id: i for i in function.instructions()}
    pending = [i.args[0] for i in made.values() if i.op in ("fract", "mod") and _hashes(i, made)]
    found: set[int] = set()
    seen: set[int] = set()
    while pending:
        value = pending.pop()
        instr = made.get(value)
        if instr is None or value in seen:
            continue
        seen.add(value)
        if instr.op in _CHAIN:
            found.add(value)
        if instr.op in _CHAIN or instr.op in _CARRIERS:
            pending += instr.args
    return frozenset(found)


def _hashes(instr: Instr, made: dict[int, Instr]) -> bool:
    """Whether the operand is a product with a large constant."""
    product = made.get(instr.args[0])
    if product is None or product.op != "mul":
        return False
    return any(_is_large(a, made) for a in product.args)


def _is_large(value: int, made: dict[int, Instr]) -> bool:
    instr = made.get(value)
    if instr is None:
        return False
    if instr.op in ("splat", "construct"):
        return any(_is_large(a, made) for a in instr.args)
    known = instr.imm[0] if instr.op == "const" else None
    return isinstance(known, float) and abs(known) >= _LARGE
