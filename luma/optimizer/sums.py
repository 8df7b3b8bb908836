"""Sums put in an order in which GPUs fuse every product into them.

A product fuses with the sum that takes it in: `a * b + c * d + e` is a product, a fused operation
and a sum, `e + a * b + c * d` two fused ones.  Drivers keep the order that they are given, and
that in which they take `dot` apart.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from luma.ir.effects import value_types
from luma.ir.module import Block, Function, Instr
from luma.ir.shape import next_id, uses_of
from luma.language.types import FLOAT, HALF, Type, Vector
from luma.optimizer.hashes import precise_values

_SUMS = ("add", "sub")
_PAIR = Vector(FLOAT, 2)


def order_sums(function: Function) -> Function:
    """The function with products last in sums of floats, where so more of them fuse."""
    if not any(i.op in _SUMS and _is_float(i.type) for i in function.instructions()):
        return function
    orderer = _Orderer(function)
    blocks = tuple(orderer.block(b) for b in function.blocks)
    return function if not orderer.changed else replace(function, blocks=blocks)


def _is_float(type: Type) -> bool:
    return (type.elem if isinstance(type, Vector) else type) in (FLOAT, HALF)


@dataclass(frozen=True, slots=True)
class _Term:
    """What a sum adds, or takes away; ``product`` if that fuses with the sum."""

    value: int
    taken: bool
    product: bool


class _Orderer:
    def __init__(self, function: Function) -> None:
        self.uses = uses_of(function)
        self.precise = precise_values(function)
        self.fresh = next_id(function)
        self.types = value_types(function)
        #: Vectors whose square is a part of something else, which would have to be shared.
        squarers = (i for i in function.instructions() if i.op in ("normalize", "length"))
        self.squared = {i.args[0] for i in squarers}
        self.made = {i.id: i for i in function.instructions()}
        self.own: dict[int, Instr] = {}
        self.changed = False

    def block(self, block: Block) -> Block:
        """The block with its sums in order; what they no longer need is left to be removed."""
        self.own = {i.id: i for i in block.instrs}
        inner = {a for i in block.instrs if self._is_sum(i) for a in i.args if self._is_inner(a, i)}
        made: list[Instr] = []
        for instr in block.instrs:
            root = self._is_sum(instr) and instr.id not in inner
            made += self._ordered(instr) if root else [instr]
        return replace(block, instrs=tuple(made))

    def _is_sum(self, instr: Instr) -> bool:
        return instr.op in _SUMS and _is_float(instr.type) and instr.id not in self.precise

    def _is_inner(self, value: int, user: Instr) -> bool:
        """Whether a value is a sum that is but a part of another."""
        instr = self._part(value, user)
        return instr is not None and self._is_sum(instr)

    def _is_product(self, value: int, user: Instr) -> bool:
        instr = self._part(value, user)
        return instr is not None and instr.op == "mul"

    def _part(self, value: int, user: Instr) -> Instr | None:
        """What computes an operand for a sum alone."""
        instr = self.own.get(value)
        if instr is None or self.uses[value] != 1 or instr.type != user.type:
            return None
        return None if value in self.precise else instr

    def _ordered(self, root: Instr) -> list[Instr]:
        """What computes a sum."""
        terms: list[_Term] = []
        fused = sums = 0
        pending = [(root, False)]
        while pending:
            instr, taken = pending.pop()
            signs = (taken, taken != (instr.op == "sub"))
            sums += 1
            fused += any(self._is_product(a, instr) for a in instr.args)
            for value, sign in zip(instr.args, signs, strict=True):
                if self._is_inner(value, instr):
                    pending.append((self.own[value], sign))
                else:
                    terms.append(_Term(value, sign, self._is_product(value, instr)))
        products = sum(t.product for t in terms)
        apart = next((t for t in terms if self._comes_apart(t, root)), None)
        if apart is not None and products < sums:  # of its two products one is fused already
            added: list[Instr] = []
            terms = [t for t in terms if t is not apart] + self._apart(apart, added)
            return self._written(root, terms, added)
        if fused >= min(products, sums):
            return [root]
        return self._written(root, terms, [])

    def _written(self, root: Instr, terms: list[_Term], made: list[Instr]) -> list[Instr]:
        """The sum of terms, first one that is added, products last."""
        terms = sorted(terms, key=lambda t: t.product)
        first = next((t for t in terms if not t.taken), None)
        if first is None:
            return [root]
        self.changed = True
        terms.remove(first)
        value = first.value
        for term in terms:
            op = "sub" if term.taken else "add"
            value = self._new(made, op, root.type, (value, term.value))
        made[-1] = replace(made[-1], id=root.id)
        return made

    def _new(self, made: list[Instr], op: str, type: Type, args: tuple[int, ...], *imm: int) -> int:
        made.append(Instr(self.fresh, op, type, args, imm))
        self.fresh += 1
        return self.fresh - 1

    # ------------------------------------------------------------ products of pairs

    def _comes_apart(self, term: _Term, root: Instr) -> bool:
        """Whether a term is a sum of two products that GPUs know no operation for."""
        instr = self._part(term.value, root)
        if instr is None or instr.op not in ("dot", "mat_vec"):
            return False
        return self.types[instr.args[-1]] == _PAIR and not self.squared.issuperset(instr.args)

    def _apart(self, term: _Term, added: list[Instr]) -> list[_Term]:
        """The two products of a term."""
        instr = self.own[term.value]
        left, right = instr.args
        column = instr.type if instr.op == "mat_vec" else FLOAT
        terms = []
        for at in range(2):
            factor = self._component(right, at, FLOAT, added)
            if column != FLOAT:
                factor = self._new(added, "splat", column, (factor,))
            other = self._component(left, at, column, added)
            product = self._new(added, "mul", instr.type, (other, factor))
            terms.append(_Term(product, term.taken, product=True))
        return terms

    def _component(self, value: int, at: int, type: Type, added: list[Instr]) -> int:
        """A part of a vector, or a column of a matrix."""
        instr = self.made.get(value)
        if instr is not None and instr.op == "construct" and len(instr.args) == 2:
            return instr.args[at]
        for known in added:
            if (known.op, known.args, known.imm) == ("extract", (value,), (at,)):
                return known.id
        return self._new(added, "extract", type, (value,), at)
