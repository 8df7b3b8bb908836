"""Terms as a person reads them: much as they would stand in the source."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from luma.language.numbers import f32
from luma.language.types import BOOL, UINT, Pointer, Struct, Type, Vector, element
from luma.optimizer.provenance.forest import SORTS, Made, Vertex
from luma.optimizer.schema import CONSTRUCTORS, KEPT

_OR, _AND, _COMPARE, _BITS, _SUM, _PRODUCT, _SIGN, _ATOM = range(8)

_INFIX = {
    "Add": ("+", _SUM), "Sub": ("-", _SUM), "Mul": ("*", _PRODUCT), "Div": ("/", _PRODUCT),
    "Rem": ("%", _PRODUCT), "MatVec": ("*", _PRODUCT), "VecMat": ("*", _PRODUCT),
    "MatMat": ("*", _PRODUCT), "MatScale": ("*", _PRODUCT),
    "Eq": ("==", _COMPARE), "Ne": ("~=", _COMPARE), "Lt": ("<", _COMPARE), "Le": ("<=", _COMPARE),
    "Gt": (">", _COMPARE), "Ge": (">=", _COMPARE), "And": ("and", _AND), "Or": ("or", _OR),
    "BitAnd": ("&", _BITS), "BitOr": ("|", _BITS), "BitXor": ("~", _BITS), "Shl": ("<<", _BITS),
    "Shr": (">>", _BITS),
}  # fmt: skip
_PREFIX = {"Neg": "-", "Not": "not ", "BitNot": "~"}


#: Terms nested deeper are not spelled out.
DEEPEST = 6


class Speller:
    """Spells terms.

    Operands go by the name that ``name`` has for them; those it has none for are spelled in the
    form that ``form`` gives of them.
    """

    def __init__(
        self,
        terms: Sequence[Made],
        name: Callable[[Vertex], str | None],
        form: Callable[[Vertex], Vertex] = lambda v: v,
    ) -> None:
        self.terms, self.name, self.form = terms, name, form

    def spell(self, v: Vertex, within: int = _OR, depth: int = 0) -> str:
        """A term's text; ``within`` tells how tightly what stands around it binds."""
        made = self.terms[v]
        base = made.constructor.removesuffix("At")
        kids = made.kids
        if base in _INFIX and len(kids) == 2:
            sign, rank = _INFIX[base]
            left, right = self.operand(kids[0], depth, rank), self.operand(kids[1], depth, rank + 1)
            text = f"{left} {sign} {right}"
            return text if rank >= within else f"({text})"
        if base in _PREFIX and len(kids) == 1:
            text = _PREFIX[base] + self.operand(kids[0], depth, _SIGN)
            return text if within <= _SIGN else f"({text})"
        special = _SPECIAL.get(base)
        if special is not None:
            return special(self, made, depth)
        name = CONSTRUCTORS[made.constructor].op
        if made.constructor in KEPT or base.startswith("Call"):
            name = str(made.args[0])
        elif name in ("construct", "splat", "convert"):
            name = str(made.type)
        return f"{name}({self.list(made, depth)})"

    def operand(self, v: Vertex, depth: int, within: int = _OR) -> str:
        """An operand of a term that is ``depth`` deep itself."""
        known = self.name(v)
        if known is not None:
            return known
        v = self.form(v)
        if depth >= DEEPEST and self.terms[v].kids:
            return "..."
        return self.spell(v, within, depth + 1)

    def list(self, made: Made, depth: int) -> str:
        """The operands, separated by commas."""
        return ", ".join(self.operand(k, depth) for k in made.kids)


def number(value: float) -> str:
    """A float with no more digits than it takes to tell it from other 32-bit ones."""
    for digits in range(1, 18):
        text = f"{value:.{digits}g}"
        if float(text) == value or (f32(value) == value and f32(float(text)) == value):
            break
    return text if any(c in text for c in ".en") else f"{text}.0"


def _integer(made: Made) -> str:
    (value,) = made.args
    if made.type == BOOL:
        return "true" if value else "false"
    return f"{value}u" if made.type == UINT else str(value)


def _immediates(made: Made, sort: str) -> list[Any]:
    sorts = SORTS[made.constructor]
    return [a for s, a in zip(sorts, made.args, strict=True) if s == sort]


def _component(by: Speller, made: Made, depth: int) -> str:
    source, at = made.args[0], made.args[-1]
    return by.operand(made.kids[0], depth, _ATOM) + _part(source, str(at))


def _part(source: Type, at: str) -> str:
    """How one part of a value is written."""
    match source:
        case Struct(fields=fields):
            return f".{fields[int(at)].name}"
        case Vector() if at.isdigit():
            return f".{'xyzw'[int(at)]}"
    return f"[{at}]"


def _access(by: Speller, made: Made, depth: int) -> str:
    base, *indices = made.kids
    (path,) = _immediates(made, "S")
    text = by.operand(base, depth, _ATOM)
    pointer = by.terms[base].type
    assert isinstance(pointer, Pointer)
    part = pointer.pointee
    for word in path.split():
        known = word if word != "_" else by.operand(indices.pop(0), depth)
        text += _part(part, known)
        part = element(part, int(word) if word != "_" else 0)
    return text


def _swizzle(by: Speller, made: Made, depth: int) -> str:
    picked = "".join("xyzw"[i] for i in _immediates(made, "I"))
    return f"{by.operand(made.kids[0], depth, _ATOM)}.{picked}"


def _picked(by: Speller, made: Made, depth: int) -> str:
    value, at = made.kids
    return f"{by.operand(value, depth, _ATOM)}[{by.operand(at, depth)}]"


def _same(by: Speller, made: Made, depth: int) -> str:
    return by.operand(made.kids[0], depth, _ATOM)


def _aggregate(by: Speller, made: Made, depth: int) -> str:
    return f"{made.type}({by.operand(made.kids[0], depth)})"


_SPECIAL: Mapping[str, Callable[[Speller, Made, int], str]] = {
    "Lit": lambda by, m, depth: number(m.args[0]),
    "Rounded": lambda by, m, depth: number(m.args[0]),
    "Int": lambda by, m, depth: _integer(m),
    "Wrapped": lambda by, m, depth: str(m.args[0]),
    "Leaf": lambda by, m, depth: f"%{m.args[0]}",
    "Spec": lambda by, m, depth: str(m.args[0]),
    "Global": lambda by, m, depth: str(m.args[0]),
    "LoadU": _same,
    "Extract": _component,
    "Pick": _picked,
    **dict.fromkeys(("AccessA", "AccessB", "AccessC", "AccessD"), _access),
    **dict.fromkeys(("Swz2", "Swz3", "Swz4"), _swizzle),
    "ShuffleTwo": lambda by, m, depth: f"shuffle({by.list(m, depth)}, [{m.args[-1]}])",
    "Make": _aggregate,
    "Cons": lambda by, m, depth: by.list(m, depth).removesuffix(", "),
    "Nil": lambda by, m, depth: "",
}
