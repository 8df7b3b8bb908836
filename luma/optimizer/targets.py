"""Instruction selection: which rules run last for a target, and what its forms cost there.

All other rules run once, whatever the targets.  Then a target's own rules add forms that are only
better there, and each target chooses at its own prices.  Targets without a row choose at the prices
of :mod:`luma.optimizer.schema`, those of a GPU, which every target ends on.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from luma.language.builtins import OPERATIONS
from luma.optimizer.schema import CONSTRUCTORS, INSTRUCTION, STRUCTURAL_COST, Constructor


@dataclass(frozen=True, slots=True, eq=False)
class Selection:
    """How a target chooses among equal forms.

    ``schedule``, in egglog's language, is run once when all other rules are done, at levels that
    select.  ``sizes`` has what a term costs more (or less) there than elsewhere, by its
    constructor, in the units of :func:`luma.optimizer.schema.cost`.
    """

    schedule: str = ""
    sizes: Mapping[str, int] = field(default_factory=dict)


#: How targets choose that have no row.
NEUTRAL = Selection()

#: The words of an instruction of SPIR-V with two operands, which costs what an instruction costs.
_COMMON_WORDS = 5


def instruction_words(c: Constructor) -> int | None:
    """How long the instruction of SPIR-V for a term is (SPIR-V 1.3, 3.32); None if that varies.

    Constants are written once for a module, and a splat not at all where it scales a vector.
    """
    operands, numbers = c.sorts.count("E"), c.sorts.count("I")
    match c.op:
        case "shuffle" if numbers:
            return 5 + numbers
        case "extract" | "insert" if numbers and not c.pinned:
            return 3 + operands + numbers
        case "construct" if c.name != "Make":
            return 3 + operands
        case "saturate":
            return 8  # a clamp
    row = OPERATIONS.get(c.op)
    if row is None or row.spirv is None or c.pinned:
        return None
    return (5 if "std." in row.spirv else 3) + operands


def _spirv_sizes() -> dict[str, int]:
    """What terms cost by the length of their instructions, beside what they cost elsewhere."""
    found = {}
    for name, c in CONSTRUCTORS.items():
        words = instruction_words(c)
        if words is not None:
            elsewhere = STRUCTURAL_COST.get(name, INSTRUCTION)
            found[name] = INSTRUCTION * words // _COMMON_WORDS - elsewhere
    return found


#: The targets that choose otherwise than a GPU alone would have it.
SELECTIONS: dict[str, Selection] = {
    "spirv": Selection("(run fast-spirv)", _spirv_sizes()),
}


def selection_of(target: str | None) -> Selection:
    """How a target chooses; None is none in particular."""
    return SELECTIONS.get(target or "", NEUTRAL)
