"""Names for what the author left unnamed, from what it is: ``x_minus_reach``, ``inverse_total``.

A name is made of the operation and the names of its operands; where that gets long, the operation
alone makes it.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable

from luma.ir.module import Instr
from luma.language.types import Pointer, Struct, Type, Vector, element

from .expressions import Forms

#: Longest name made of operands' names, and the most words in it.
LONGEST, MOST_WORDS = 20, 4
_DEEPEST = 4

_BETWEEN = {
    "add": "plus",
    "sub": "minus",
    "mul": "times",
    "div": "over",
    "eq": "is",
    "ne": "is_not",
    "lt": "below",
    "le": "at_most",
    "gt": "above",
    "ge": "at_least",
}
_BEFORE = {
    "neg": "minus",
    "abs": "abs",
    "floor": "floor",
    "ceil": "ceil",
    "fract": "fract",
    "round": "rounded",
    "trunc": "truncated",
    "saturate": "saturated",
    "sqrt": "root",
    "sin": "sin",
    "cos": "cos",
    "exp": "exp",
    "exp2": "exp2",
    "log": "log",
    "log2": "log2",
    "normalize": "unit",
    "length": "length",
    "transpose": "transposed",
    "inverse": "inverse",
    "not": "not",
    "dot": "dot",
    "cross": "cross",
    "distance": "distance",
    "dfdx": "dx",
    "dfdy": "dy",
}
_ALONE = {
    "add": "sum",
    "sub": "difference",
    "mul": "product",
    "mat_scale": "scaled",
    "mat_vec": "transformed",
    "vec_mat": "transformed",
    "mat_mat": "product",
    "div": "quotient",
    "rem": "remainder",
    "mod": "remainder",
    "neg": "negated",
    "eq": "is_same",
    "ne": "is_other",
    "lt": "is_below",
    "le": "is_at_most",
    "gt": "is_above",
    "ge": "is_at_least",
    "and": "both",
    "or": "either",
    "bit_and": "masked",
    "bit_or": "bits",
    "bit_xor": "mixed",
    "shl": "shifted",
    "shr": "shifted",
    "min": "least",
    "max": "greatest",
    "clamp": "clamped",
    "mix": "blend",
    "select": "chosen",
    "pow": "power",
    "fract": "fraction",
    "floor": "whole",
    "sqrt": "root",
    "dot": "dot_product",
    "normalize": "direction",
    "reflect": "reflected",
    "texture_size": "size",
    "array_length": "count",
}
#: What tells too little to be a part of a name.
_VAGUE = {"", "value", *_ALONE.values()}
_NUMBERED = re.compile(r"_\d*$")


class Hints:
    """Gives names; ``named`` tells what a variable is called, if that is settled."""

    def __init__(self, forms: Forms, named: Callable[[int], str | None]) -> None:
        self._forms = forms
        self._named = named

    def of(self, variable: int) -> str | None:
        """A name for a variable that holds an unnamed value; None if nothing tells."""
        instr = self._forms.instrs.get(variable)
        if instr is None:
            return None
        if instr.op == "construct" and all(self._is_number(a) for a in instr.args):
            return "factors"
        made = self._made(instr, 0)
        return made if made is not None and _is_short(made) else _ALONE.get(instr.op)

    def _is_number(self, value: int) -> bool:
        instr = self._forms.instrs.get(value)
        return instr is not None and instr.op == "const"

    def _word(self, value: int, depth: int) -> str | None:
        """What an operand is called."""
        instr = self._forms.instrs.get(value)
        if instr is None or self._forms.is_variable(value):
            name = _NUMBERED.sub("", self._named(value) or "")
            return None if name in _VAGUE else name
        return None if depth > _DEEPEST else self._made(instr, depth + 1)

    def _made(self, instr: Instr, depth: int) -> str | None:
        op, args = instr.op, instr.args
        if op == "const":
            return _number(instr.imm[0])
        if op in ("global", "spec"):
            return str(instr.imm[0])
        if op in ("access", "extract"):
            return self._part(instr, depth)
        if op.startswith("sample") or op == "texel_fetch":
            return self._texel(instr, depth)
        words = [self._word(a, depth) for a in args]
        if op in ("load", "splat") or (op == "shuffle" and len(args) == 1):
            return words[0]
        if op == "convert" and words[0] is not None:
            return f"{words[0]}_{instr.type}" if depth == 0 else words[0]
        if op == "call":
            return f"{instr.imm[0]}_result"
        if not words or any(w is None for w in words):
            return None
        return self._joined(op, [str(w) for w in words])

    def _joined(self, op: str, words: list[str]) -> str | None:
        if op == "mul" and words[0] == words[1]:
            return f"{words[0]}_squared" if words[0][-1].isdigit() else f"{words[0]}2"
        if op == "mul" and "half" in words:
            return f"half_{words[words[0] == 'half']}"
        if op == "div" and words[0] == "one":
            return f"inverse_{words[1]}"
        if op in ("add", "mul") and words[0][0].isdigit():
            words.reverse()
        if op in _BETWEEN and len(words) == 2:
            return f"{words[0]}_{_BETWEEN[op]}_{words[1]}"
        if op in _BEFORE:
            return "_".join((_BEFORE[op], *words))
        return None

    def _part(self, instr: Instr, depth: int) -> str | None:
        """The last field's name, or the whole's with the component."""
        t = self._forms.types[instr.args[0]]
        t = t.pointee if isinstance(t, Pointer) else t
        name = self._word(instr.args[0], depth)
        for index in instr.imm:
            name = _step(name, t, index)
            t = element(t, int(index or 0))
        return name

    def _texel(self, instr: Instr, depth: int) -> str | None:
        if instr.op == "sample_compare":
            return "lit"
        name = self._word(instr.args[0], depth) or ""
        while name.endswith("_tex"):
            name = name.removesuffix("_tex")
        return f"{name}_texel" if name else "texel"


def _step(name: str | None, t: Type, index: object) -> str | None:
    """The name of a part of what has a name."""
    if isinstance(t, Struct):
        return t.fields[int(index)].name  # type: ignore[call-overload]
    if name is None:
        return None
    if isinstance(t, Vector):
        return name if index is None else f"{name}_{'xyzw'[int(index)]}"  # type: ignore[call-overload]
    if index is None:  # one of many
        return name[:-1] if name.endswith("s") and not name.endswith("ss") else f"{name}_element"
    return f"{name}_{index}"


def _number(value: object) -> str | None:
    """A number as a word, if it is a small one."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        if value == 1:
            return "one"
        if value == 0.5:
            return "half"
        if math.isfinite(value) and value == int(value) and 0 <= value < 100:
            return str(int(value))
    return None


def _is_short(name: str) -> bool:
    words = name.count("_") + 1
    return len(name) <= LONGEST and words <= MOST_WORDS and name.isidentifier()
