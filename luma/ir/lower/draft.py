"""A function under construction: mutable blocks that are frozen into the IR when it is complete."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from luma.frontend.typed import Unroll
from luma.ir import module as ir
from luma.ir.lower.ssa import Phi, Substitution, live_phis, remove_trivial
from luma.ir.module import Immediate, Instr
from luma.language.facts import Fact
from luma.language.numbers import Number, f32_bits, narrow
from luma.language.types import Scalar, Type
from luma.source import Span


@dataclass(slots=True, eq=False)
class Draft:
    """A block under construction.  ``known`` finds the constants, globals and pointers that it
    holds already."""

    preds: list[Draft] = field(default_factory=list)
    params: list[Phi] = field(default_factory=list)
    instrs: list[Instr] = field(default_factory=list)
    terminator: Ending | None = None
    loop: LoopDraft | None = None
    known: dict[tuple[object, ...], int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, eq=False)
class Jump:
    """Go to a block."""

    target: Draft


@dataclass(frozen=True, slots=True, eq=False)
class Fork:
    """Go one of two ways (see :class:`luma.ir.module.CondBranch`)."""

    cond: int
    then: Draft
    otherwise: Draft
    merge: Draft | None


@dataclass(frozen=True, slots=True, eq=False)
class LoopDraft:
    """What a loop header will say of its loop."""

    merge: Draft
    continue_: Draft
    unroll: Unroll | int | None


Ending: TypeAlias = Jump | Fork | ir.Return | ir.Discard | ir.Unreachable

#: Operations whose value has the author's name only by accident of sharing.
_UNNAMED = frozenset({"const", "spec", "global"})


class FunctionDraft:
    """Builds one function, block by block.

    Instructions go to the end of the current block.  A terminator closes it; until another block
    is started nothing can be emitted (``is_open`` tells).
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.params: list[ir.FunctionParam] = []
        self._blocks: list[Draft] = []
        self._next = 0
        self._names: dict[int, str] = {}
        self._suggested: dict[int, str] = {}
        self._spans: dict[int, Span] = {}
        self._unnamed: set[int] = set()
        self._current = Draft()
        self.start(self._current)

    # -- blocks

    @property
    def is_open(self) -> bool:
        """Whether control can come to the point of insertion."""
        return self._current.terminator is None

    @property
    def current(self) -> Draft:
        """The block that instructions go to."""
        return self._current

    def start(self, block: Draft) -> None:
        """Make ``block`` the next block of the function and the current one."""
        self._blocks.append(block)
        self._current = block

    def jump(self, target: Draft) -> None:
        """End the block by going to ``target``."""
        target.preds.append(self._current)
        self._current.terminator = Jump(target)

    def fork(self, cond: int, then: Draft, otherwise: Draft, merge: Draft | None) -> None:
        """End the block by going one of two ways."""
        then.preds.append(self._current)
        otherwise.preds.append(self._current)
        self._current.terminator = Fork(cond, then, otherwise, merge)

    def finish(self, terminator: ir.Return | ir.Discard | ir.Unreachable) -> None:
        """End the block by leaving the function."""
        self._current.terminator = terminator

    # -- values

    def _value(self, span: Span) -> int:
        value = self._next
        self._next += 1
        self._spans[value] = span
        return value

    def parameter(
        self,
        name: str,
        type: Type,
        span: Span,
        combined: str | None = None,
        facts: tuple[Fact, ...] = (),
        column: int | None = None,
    ) -> int:
        """Add a parameter of the function."""
        value = self._value(span)
        self.params.append(ir.FunctionParam(value, name, type, combined, facts, column))
        self._names[value] = name
        return value

    def phi(self, block: Draft, type: Type, operands: Sequence[int], span: Span) -> Phi:
        """Add a parameter to a block; its operands match the block's predecessors."""
        phi = Phi(self._value(span), type, list(operands))
        block.params.append(phi)
        return phi

    def emit(
        self,
        op: str,
        type: Type,
        args: Sequence[int] = (),
        imm: tuple[Immediate, ...] = (),
        *,
        span: Span,
    ) -> int:
        """Append an instruction and give its value."""
        value = self._value(span)
        self._current.instrs.append(Instr(value, op, type, tuple(args), imm))
        return value

    def shared(
        self, op: str, type: Type, imm: Immediate, span: Span, *, apart: bool = False
    ) -> int:
        """A value without operands, emitted once in the block.

        With ``apart`` it is emitted again if it is there already, so that it has its own span.
        """
        key = (op, type, f32_bits(imm) if isinstance(imm, float) else imm)
        value = self._current.known.get(key)
        if value is None or apart:
            value = self.emit(op, type, (), (imm,), span=span)
            self._current.known.setdefault(key, value)
            self._unnamed.add(value)
        return value

    def access(
        self,
        type: Type,
        root: int,
        indices: tuple[int, ...],
        path: tuple[Immediate, ...],
        span: Span,
    ) -> int:
        """A pointer into memory, made once in the block."""
        key = ("access", root, indices, path)
        value = self._current.known.get(key)
        if value is None:
            value = self.emit("access", type, (root, *indices), path, span=span)
            self._current.known[key] = value
        return value

    def const(self, value: Number, type: Scalar, span: Span, *, apart: bool = False) -> int:
        """A scalar constant (see :meth:`shared`)."""
        return self.shared("const", type, narrow(value, type), span, apart=apart)

    def hint(self, value: int, name: str) -> None:
        """Say what the author called a value, unless it has a name already."""
        if name and value not in self._unnamed:
            self._names.setdefault(value, name)

    def suggest(self, value: int, name: str) -> None:
        """Give a value a name for the case that no variable of the author's gives it one."""
        self._suggested.setdefault(value, name)

    # -- the end

    def freeze(self, results: tuple[Type, ...]) -> ir.Function:
        """The finished function, with dense value numbers and without superfluous phis."""
        phis = [phi for block in self._blocks for phi in block.params]
        substitution = remove_trivial(phis)
        live = live_phis(phis, self._uses(substitution), substitution)
        for block in self._blocks:
            block.params = [phi for phi in block.params if phi.id in live]
        return _Freezer(self._blocks, self.params, substitution).function(
            self.name, results, {**self._suggested, **self._names}, self._spans
        )

    def _uses(self, substitution: Substitution) -> Iterator[int]:
        for block in self._blocks:
            for instr in block.instrs:
                yield from map(substitution, instr.args)
            match block.terminator:
                case Fork(cond):
                    yield substitution(cond)
                case ir.Return(values):
                    yield from map(substitution, values)


class _Freezer:
    """Turns drafts into blocks: values and labels get their final numbers."""

    def __init__(
        self, blocks: Sequence[Draft], params: Sequence[ir.FunctionParam], old: Substitution
    ) -> None:
        self._blocks = blocks
        self._params = params
        self._old = old
        self._labels = {id(block): label for label, block in enumerate(blocks)}
        self._numbers: dict[int, int] = {}
        for param in params:
            self._number(param.id)
        for block in blocks:
            for phi in block.params:
                self._number(phi.id)
            for instr in block.instrs:
                self._number(instr.id)

    def _number(self, value: int) -> None:
        self._numbers[value] = len(self._numbers)

    def _values(self, values: Sequence[int]) -> tuple[int, ...]:
        return tuple(self._numbers[self._old(value)] for value in values)

    def function(
        self,
        name: str,
        results: tuple[Type, ...],
        names: dict[int, str],
        spans: dict[int, Span],
    ) -> ir.Function:
        params = tuple(replace(p, id=self._numbers[p.id]) for p in self._params)
        return ir.Function(
            name,
            params,
            results,
            tuple(self._block(block) for block in self._blocks),
            {new: names[old] for old, new in self._numbers.items() if old in names},
            {new: spans[old] for old, new in self._numbers.items()},
        )

    def _block(self, block: Draft) -> ir.Block:
        return ir.Block(
            self._label(block),
            tuple(ir.Param(self._numbers[phi.id], phi.type) for phi in block.params),
            tuple(
                Instr(self._numbers[i.id], i.op, i.type, self._values(i.args), i.imm)
                for i in block.instrs
            ),
            self._terminator(block),
            self._loop(block.loop),
        )

    def _loop(self, loop: LoopDraft | None) -> ir.Loop | None:
        if loop is None:
            return None
        return ir.Loop(self._label(loop.merge), self._label(loop.continue_), loop.unroll)

    def _label(self, block: Draft) -> int:
        return self._labels[id(block)]

    def _terminator(self, block: Draft) -> ir.Terminator:
        match block.terminator:
            case Jump(target):
                return self._edge(block, target)
            case Fork(cond, then, otherwise, merge):
                return ir.CondBranch(
                    self._values((cond,))[0],
                    self._edge(block, then),
                    self._edge(block, otherwise),
                    None if merge is None else self._label(merge),
                )
            case ir.Return(values):
                return ir.Return(self._values(values))
            case None:
                return ir.Unreachable()
            case terminator:
                return terminator

    def _edge(self, source: Draft, target: Draft) -> ir.Branch:
        at = target.preds.index(source)
        # A live phi has a value on every edge: one with a None is trivial and gone.
        values = [o for phi in target.params if (o := phi.operands[at]) is not None]
        return ir.Branch(self._label(target), self._values(values))
