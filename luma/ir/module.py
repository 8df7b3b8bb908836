"""The intermediate form: typed SSA in basic blocks with block parameters.

Control flow is structured and says so, as SPIR-V does: a conditional branch names its merge block,
a loop header its merge and continue blocks.  Values are numbered per function; instructions,
function parameters and block parameters define them.  Everything is immutable: a pass makes a new
module.

Stage inputs are the parameters of an entry point's function, stage outputs its returned values.
Combined samplers are two globals that name each other's pair.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from luma.frontend.typed import Access, Unroll
from luma.language.facts import Fact
from luma.language.stages import Stage
from luma.language.types import Space, Struct, Type
from luma.source import Span

Immediate: TypeAlias = bool | int | float | str | None


@dataclass(frozen=True, slots=True)
class Instr:
    """One instruction.  ``id`` is the value it defines; meaningless when ``type`` is void."""

    id: int
    op: str
    type: Type
    args: tuple[int, ...] = ()
    imm: tuple[Immediate, ...] = ()


@dataclass(frozen=True, slots=True)
class Param:
    """A value defined by a function's or a block's parameter list."""

    id: int
    type: Type


# ---------------------------------------------------------------- terminators


@dataclass(frozen=True, slots=True)
class Branch:
    """Go to a block, giving its parameters their values."""

    target: int
    args: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class CondBranch:
    """Go one of two ways.

    ``merge`` is the block where the ways meet again.  It is None in a loop header (whose ``loop``
    says it all) and where one of the ways leaves or continues the innermost loop.
    """

    cond: int
    then: Branch
    otherwise: Branch
    merge: int | None


@dataclass(frozen=True, slots=True)
class Return:
    """Leave the function; entry points return one value an output."""

    values: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Discard:
    """End the fragment's effects."""


@dataclass(frozen=True, slots=True)
class Unreachable:
    """Control never comes here (a merge block that both ways avoid)."""


Terminator: TypeAlias = Branch | CondBranch | Return | Discard | Unreachable


@dataclass(frozen=True, slots=True)
class Loop:
    """What a loop header says of its loop.

    ``merge`` is where control goes when it is done, ``continue_`` the one block that branches back
    to the header.  ``unroll`` is the author's wish (see :class:`luma.frontend.typed.For`).
    """

    merge: int
    continue_: int
    unroll: Unroll | int | None = None

    @property
    def wants_unrolling(self) -> bool:
        """Whether the author wants it unrolled: a limit of many rounds is but a bound."""
        return self.unroll is not None and not (isinstance(self.unroll, int) and self.unroll > 64)


@dataclass(frozen=True, slots=True)
class Block:
    """A basic block; ``loop`` marks the header of a loop."""

    label: int
    params: tuple[Param, ...]
    instrs: tuple[Instr, ...]
    terminator: Terminator
    loop: Loop | None = None


# ---------------------------------------------------------------- functions and modules


@dataclass(frozen=True, slots=True)
class FunctionParam:
    """A parameter.  The texture and sampler halves of one combined sampler carry its name.

    ``facts`` are what the author states of it.  A matrix enters a stage by columns: where something
    is stated of it, each of them has that, and ``column`` is its number.
    """

    id: int
    name: str
    type: Type
    combined: str | None = None
    facts: tuple[Fact, ...] = ()
    column: int | None = None


@dataclass(frozen=True, slots=True)
class Function:
    """A function: ``blocks[0]`` is the entry, every block comes after its dominator and a
    construct's blocks before its merge block.

    ``results`` is empty (void), one type, or an entry point's outputs.  ``names`` and ``spans``
    tell, where known, what the author called a value and where it was written.
    """

    name: str
    params: tuple[FunctionParam, ...]
    results: tuple[Type, ...]
    blocks: tuple[Block, ...]
    names: Mapping[int, str] = field(default_factory=dict, compare=False)
    spans: Mapping[int, Span] = field(default_factory=dict, compare=False)

    def instructions(self) -> Iterator[Instr]:
        """Every instruction, in block order."""
        for block in self.blocks:
            yield from block.instrs


@dataclass(frozen=True, slots=True)
class Global:
    """Memory or a resource outside all functions.

    ``combined`` is the author's name of the combined sampler that this texture or sampler is half
    of.  ``group`` and ``binding`` are None for workgroup memory and push constants.  ``facts`` are
    what the author states of what it holds, an array's of each element.
    """

    name: str
    type: Type
    space: Space
    access: Access = Access.READ
    group: int | None = None
    binding: int | None = None
    combined: str | None = None
    facts: tuple[Fact, ...] = ()
    span: Span | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class SpecConstant:
    """A specialization constant: a bool, int, uint or float with a default value."""

    name: str
    type: Type
    id: int
    default: bool | int | float
    span: Span | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class IOVariable:
    """A stage input or output: a scalar or vector with a location or a builtin's name."""

    name: str
    type: Type
    location: int | None = None
    builtin: str | None = None
    interpolation: str | None = None
    span: Span | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class EntryPoint:
    """An entry point: ``inputs`` match the function's parameters, ``outputs`` its results."""

    name: str
    stage: Stage
    function: str
    inputs: tuple[IOVariable, ...]
    outputs: tuple[IOVariable, ...]
    workgroup_size: tuple[int, int, int] = (1, 1, 1)
    early_depth: bool = False
    span: Span | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Module:
    """A whole shader source in IR.  Callees come before callers in ``functions``."""

    structs: tuple[Struct, ...]
    globals: tuple[Global, ...]
    spec_constants: tuple[SpecConstant, ...]
    functions: tuple[Function, ...]
    entry_points: tuple[EntryPoint, ...]

    def function(self, name: str) -> Function:
        """The function called ``name``.  Raises KeyError."""
        for function in self.functions:
            if function.name == name:
                return function
        raise KeyError(name)

    def global_(self, name: str) -> Global:
        """The global called ``name``.  Raises KeyError."""
        for item in self.globals:
            if item.name == name:
                return item
        raise KeyError(name)


def successors(terminator: Terminator) -> tuple[Branch, ...]:
    """The branches a terminator may take, in order."""
    match terminator:
        case Branch():
            return (terminator,)
        case CondBranch(then=then, otherwise=otherwise):
            return (then, otherwise)
    return ()


def operands(terminator: Terminator) -> tuple[int, ...]:
    """The values a terminator uses, in order."""
    match terminator:
        case Branch(args=args):
            return args
        case CondBranch(cond, then, otherwise):
            return (cond, *then.args, *otherwise.args)
        case Return(values):
            return values
    return ()


def with_operands(terminator: Terminator, new: tuple[int, ...]) -> Terminator:
    """The terminator with its values replaced, in the order of :func:`operands`."""
    match terminator:
        case Branch(target):
            return Branch(target, new)
        case CondBranch(_, then, otherwise, merge):
            split = 1 + len(then.args)
            return CondBranch(
                new[0],
                Branch(then.target, new[1:split]),
                Branch(otherwise.target, new[split:]),
                merge,
            )
        case Return():
            return Return(new)
    return terminator
