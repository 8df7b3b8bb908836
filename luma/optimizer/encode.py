"""From SSA to terms: what a function computes purely, and the skeleton that has to stay as it is.

Everything that is a function of its operands becomes a term.  What reads or writes memory that may
change, calls, and whatever a term cannot say stay in their blocks in order, and are leaves to the
terms.  Operations that may not move (derivatives, sampling, division by what may be zero) are terms
that name their block.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from luma.ir.module import Block, Function, Instr
from luma.ir.ops import CONSTANT_SPACES, STRUCTURAL
from luma.language.builtins import OPERATIONS, Effect
from luma.language.types import (
    BOOL,
    VOID,
    Array,
    Matrix,
    Pointer,
    Struct,
    Type,
    Vector,
    element,
    is_float,
    is_integer,
    scalar_of,
    width,
)
from luma.optimizer.schema import (
    ACCESS,
    CONSTRUCTORS,
    KEPT,
    MAX_ARGUMENTS,
    MAX_INDICES,
    operand_typed,
)
from luma.optimizer.term import Definition, Ref, Term, TermArg

#: Arrays and structs of more parts stay out of the e-graph: a list of them would nest too deeply.
MAX_PARTS = 64


@dataclass(frozen=True, slots=True)
class Encoded:
    """A function in two parts.

    ``leaves`` tells in which block each leaf is defined and where in it (0 for parameters);
    ``skeleton`` holds for each block's label the instructions that stay in it, in order.
    """

    definitions: list[Definition]
    leaves: dict[int, tuple[int, int]]
    skeleton: dict[int, list[Instr]]


def encode(
    function: Function,
    reachable: frozenset[int],
    precise: frozenset[int] = frozenset(),
    base: int = 0,
    calls: frozenset[str] = frozenset(),
) -> Encoded:
    """The function's terms and skeleton.  Blocks that nothing reaches stay whole.

    Calls of the functions named in ``calls`` are terms, bound to their block.

    No rule looks into the computation of ``precise`` values.  In terms, the numbers of values and
    blocks are raised by ``base``, so that several functions fit into one graph.
    """
    return _Encoder(function, reachable, precise, base, calls).run()


class _Encoder:
    def __init__(
        self,
        function: Function,
        reachable: frozenset[int],
        precise: frozenset[int],
        base: int,
        calls: frozenset[str],
    ) -> None:
        self.function = function
        self.reachable = reachable
        self.precise = precise
        self.base = base
        self.calls = calls
        self.types: dict[int, Type] = {p.id: p.type for p in function.params}
        self.literals: dict[int, float | int] = {}
        self.definitions: list[Definition] = []
        self.leaves: dict[int, tuple[int, int]] = {}
        self.skeleton: dict[int, list[Instr]] = {}
        self.pointers = {i.id: i for i in function.instructions() if i.op in ("access", "global")}

    def run(self) -> Encoded:
        entry = self.function.blocks[0].label
        for p in self.function.params:
            self._leaf(p.id, p.type, entry)
        for block in self.function.blocks:
            for parameter in block.params:
                self._leaf(parameter.id, parameter.type, block.label)
        for block in self.function.blocks:
            self._block(block)
        return Encoded(self.definitions, self.leaves, self.skeleton)

    def _ref(self, value: int) -> Ref:
        return Ref(value + self.base)

    def _leaf(self, id: int, type: Type, block: int, at: int = 0) -> None:
        self.types[id] = type
        self.leaves[id] = (block, at)
        self.definitions.append(Definition(id + self.base, Term("Leaf", type, (id + self.base,))))

    def _block(self, block: Block) -> None:
        kept = self.skeleton[block.label] = []
        for at, instr in enumerate(block.instrs, 1):
            if instr.type != VOID:
                self.types[instr.id] = instr.type
            terms = (
                self._terms(instr, block.label + self.base) if block.label in self.reachable else ()
            )
            if terms:
                self.definitions.append(Definition(instr.id + self.base, terms[0], terms[1:]))
                continue
            kept.append(instr)
            if instr.type != VOID:
                self._leaf(instr.id, instr.type, block.label, at)

    def _terms(self, instr: Instr, block: int) -> tuple[Term, ...]:
        """Equal terms for an instruction, none if it belongs to the skeleton."""
        row = OPERATIONS.get(instr.op)
        if row is not None:
            return self._operation(instr, block)
        assert instr.op in STRUCTURAL
        make = getattr(self, f"_{instr.op}", None)
        return () if make is None else tuple(make(instr, block))

    # ------------------------------------------------------------ operations of the table

    def _operation(self, instr: Instr, block: int) -> tuple[Term, ...]:
        row = OPERATIONS[instr.op]
        if row.effect in (Effect.READ, Effect.WRITE):
            return ()
        args: list[TermArg] = [self._ref(a) for a in instr.args]
        name, typed = _constructor(instr.op)
        if instr.id in self.precise:
            return (Term(KEPT[len(args) - 1], instr.type, (row.name, *args)),)
        if self._pinned(instr, row.effect):
            args.insert(0, block)
            name += "At"
        if typed:
            args.insert(0, self.types[instr.args[0]])
        if name not in CONSTRUCTORS or len(args) != len(CONSTRUCTORS[name].sorts):
            return ()
        return (Term(name, instr.type, tuple(args)),)

    def _pinned(self, instr: Instr, effect: Effect) -> bool:
        if instr.op in ("div", "rem") and is_integer(instr.type):
            return self.literals.get(instr.args[1], 0) in (0, -1)
        return effect is not Effect.PURE

    # ------------------------------------------------------------ constants and names

    def _const(self, instr: Instr, block: int) -> Iterator[Term]:
        (value,) = instr.imm
        if instr.type == BOOL or is_integer(instr.type):
            self.literals[instr.id] = int(value)  # type: ignore[arg-type]
            yield Term("Int", instr.type, (int(value),))  # type: ignore[arg-type]
            return
        assert isinstance(value, float)
        if not math.isfinite(value):
            return
        if value == 0.0 and math.copysign(1.0, value) < 0:
            yield Term("Neg", instr.type, (Term("Lit", instr.type, (0.0,)),))
        else:
            yield Term("Lit", instr.type, (value,))

    def _spec(self, instr: Instr, block: int) -> Iterator[Term]:
        yield Term("Spec", instr.type, (str(instr.imm[0]),))

    def _global(self, instr: Instr, block: int) -> Iterator[Term]:
        yield Term("Global", instr.type, (str(instr.imm[0]),))

    # ------------------------------------------------------------ calls

    def _call(self, instr: Instr, block: int) -> Iterator[Term]:
        name = str(instr.imm[0])
        if name in self.calls and len(instr.args) < MAX_ARGUMENTS:
            args: tuple[TermArg, ...] = (name, block, *(self._ref(a) for a in instr.args))
            yield Term(f"Call{len(instr.args)}", instr.type, args)

    # ------------------------------------------------------------ memory

    def _access(self, instr: Instr, block: int) -> Iterator[Term]:
        indices = instr.args[1:]
        if len(indices) <= MAX_INDICES:
            path = " ".join("_" if i is None else str(i) for i in instr.imm)
            parts: tuple[TermArg, ...] = (
                self._ref(instr.args[0]),
                path,
                *(self._ref(i) for i in indices),
            )
            yield Term(ACCESS[len(indices)], instr.type, parts)

    def _load(self, instr: Instr, block: int) -> Iterator[Term]:
        pointer = self.types[instr.args[0]]
        if not (isinstance(pointer, Pointer) and pointer.space in CONSTANT_SPACES):
            return
        if self._static(instr.args[0]):
            yield Term("LoadU", instr.type, (self._ref(instr.args[0]),))
        else:
            yield Term("LoadUAt", instr.type, (block, self._ref(instr.args[0])))

    def _static(self, pointer: int) -> bool:
        """Whether a pointer has no run-time index in it (and so is surely in range)."""
        found = self.pointers.get(pointer)
        while found is not None and found.op == "access":
            if len(found.args) > 1:
                return False
            found = self.pointers.get(found.args[0])
        return found is not None

    # ------------------------------------------------------------ aggregates

    def _splat(self, instr: Instr, block: int) -> Iterator[Term]:
        if instr.args[0] in self.literals:
            self.literals[instr.id] = self.literals[instr.args[0]]
        yield Term("Splat", instr.type, (self._ref(instr.args[0]),))

    def _construct(self, instr: Instr, block: int) -> Iterator[Term]:
        parts = tuple(self._ref(a) for a in instr.args)
        match instr.type:
            case Vector(size=size) if len(parts) == size:
                yield Term(f"Vec{size}", instr.type, parts)
            case Vector(elem=elem, size=size):
                types: tuple[TermArg, ...] = tuple(self.types[a] for a in instr.args)
                yield Term(f"Join{len(parts)}", instr.type, types + parts)
                components = [
                    c for a in instr.args for c in _components(self._ref(a), self.types[a], elem)
                ]
                yield Term(f"Vec{size}", instr.type, tuple(components))
            case Matrix(cols=cols) if len(parts) == cols:
                yield Term(f"Mat{cols}", instr.type, parts)
            case Array() | Struct() if len(parts) <= MAX_PARTS:
                yield Term("Make", instr.type, (_list(instr.type, parts),))

    def _extract(self, instr: Instr, block: int) -> Iterator[Term]:
        path, source = instr.imm, self.types[instr.args[0]]
        if None in path[:-1]:
            return
        value: Ref | Term = self._ref(instr.args[0])
        for at in path:
            part = element(source, at or 0)  # type: ignore[arg-type]
            if at is None:
                value = Term("PickAt", part, (source, block, value, self._ref(instr.args[1])))
            else:
                value = Term("Extract", part, (source, value, int(at)))
            source = part
        if isinstance(value, Term):
            yield value

    def _insert(self, instr: Instr, block: int) -> Iterator[Term]:
        whole, part = self._ref(instr.args[0]), self._ref(instr.args[1])
        if len(instr.imm) == 1:
            (at,) = instr.imm
            assert isinstance(at, int)
            yield Term("Insert", instr.type, (whole, at, part))
            if isinstance(instr.type, Vector):
                components = _components(whole, instr.type, instr.type.elem)
                components[at] = part
                yield Term(f"Vec{len(components)}", instr.type, tuple(components))
        else:
            path = " ".join(str(i) for i in instr.imm)
            yield Term("InsertPath", instr.type, (whole, path, part))

    def _shuffle(self, instr: Instr, block: int) -> Iterator[Term]:
        indices = tuple(int(i) for i in instr.imm)  # type: ignore[arg-type]
        sources = [(self._ref(a), self.types[a]) for a in instr.args]
        elem = scalar_of(instr.type)
        if instr.type == elem:
            return  # of one component: no term says that
        if len(sources) == 1:
            (value, source) = sources[0]
            yield Term(f"Swz{len(indices)}", instr.type, (source, value, *indices))
            return
        (a, ta), (b, tb) = sources
        text = " ".join(str(i) for i in indices)
        yield Term("ShuffleTwo", instr.type, (ta, tb, a, b, text))
        components = [*_components(a, ta, elem), *_components(b, tb, elem)]
        yield Term(f"Vec{len(indices)}", instr.type, tuple(components[i] for i in indices))

    def _convert(self, instr: Instr, block: int) -> Iterator[Term]:
        source = self.types[instr.args[0]]
        if is_float(source) and is_integer(instr.type):
            yield Term("ConvertAt", instr.type, (source, block, self._ref(instr.args[0])))
        else:
            yield Term("Convert", instr.type, (source, self._ref(instr.args[0])))


@cache
def _constructor(op: str) -> tuple[str, bool]:
    """An operation's constructor, and whether its terms state the type of their first operand."""
    row = OPERATIONS[op]
    return row.constructor, operand_typed(row)


def _components(value: Ref, type: Type, elem: Type) -> list[Ref | Term]:
    if not isinstance(type, Vector):
        return [value]
    return [Term("Extract", elem, (type, value, i)) for i in range(width(type))]


def _list(type: Type, parts: tuple[Ref, ...]) -> Term:
    """The parts as a linked list."""
    made = Term("Nil", type)
    for part in reversed(parts):
        made = Term("Cons", type, (part, made))
    return made
