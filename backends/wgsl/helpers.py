"""Conversions between values and what stands for them in memory.

Small ones are written in place; structs and arrays have helper functions, one a pair of types.
"""

from __future__ import annotations

from collections.abc import Callable

from luma.ir.module import (
    Block,
    Branch,
    CondBranch,
    Function,
    FunctionParam,
    Instr,
    Loop,
    Module,
    Param,
    Return,
)
from luma.language.types import (
    BOOL,
    INT,
    UINT,
    VOID,
    Array,
    Matrix,
    Pointer,
    Scalar,
    Space,
    Struct,
    Type,
    Vector,
    is_bool,
)

from ..raising.builder import Builder
from .forms import MemoryTypes

#: Arrays of more elements are converted in a loop.
MAX_WRITTEN_OUT = 8

Convert = Callable[[Builder, int, Type, "Converters"], int]


def unpack(b: Builder, value: int, to: Type, converters: Converters) -> int:
    """The program's value of what was loaded from memory."""
    given = b.types[value]
    if given == to:
        return value
    if isinstance(to, Struct | Array):
        return b.add("call", to, [value], (converters.name("unpack", given, to),))
    if isinstance(given, Struct):
        return unpack(b, b.part(value, 0), to, converters)
    if isinstance(to, Matrix):
        columns = [unpack(b, b.part(value, i), to.column, converters) for i in range(to.cols)]
        return b.construct(to, columns)
    if isinstance(given, Vector) and isinstance(to, Scalar):
        value = b.part(value, 0)
    elif isinstance(given, Vector) and isinstance(to, Vector) and given.size > to.size:
        value = b.add("shuffle", Vector(given.elem, to.size), [value], tuple(range(to.size)))
    if is_bool(to):
        return b.compare("ne", value, b.like(0, value))
    return value


def pack(b: Builder, value: int, to: Type, converters: Converters) -> int:
    """What goes to memory for a program's value."""
    given = b.types[value]
    if given == to:
        return value
    if isinstance(to, Struct | Array):
        return b.add("call", to, [value], (converters.name("pack", given, to),))
    return b.convert(value, UINT)


class Converters:
    """Makes the helper functions that were asked for."""

    def __init__(self, module: Module, types: MemoryTypes) -> None:
        self._taken = {f.name for f in module.functions}
        self._made: dict[tuple[str, Type, Type], str] = {}
        self._functions: list[Function] = []

    def name(self, what: str, given: Type, to: Type) -> str:
        """The function that turns one type into the other; ``what`` is ``pack`` or ``unpack``."""
        key = what, given, to
        if key not in self._made:
            name = self._free(f"{what}_{_word(to if what == 'unpack' else given)}")
            self._made[key] = name
            convert = unpack if what == "unpack" else pack
            self._functions.append(self._function(name, given, to, convert))
        return self._made[key]

    def functions(self) -> tuple[Function, ...]:
        """All of them, callees first."""
        return tuple(self._functions)

    def _free(self, wanted: str) -> str:
        name, number = wanted, 0
        while name in self._taken:
            number += 1
            name = f"{wanted}_{number}"
        self._taken.add(name)
        return name

    def _function(self, name: str, given: Type, to: Type, convert: Convert) -> Function:
        param = FunctionParam(0, "stored" if convert is unpack else "value", given)
        if isinstance(to, Array) and (to.size or 0) > MAX_WRITTEN_OUT:
            blocks = self._loop(given, to, convert)
            return Function(name, (param,), (to,), blocks, names={3: "result", 4: "i"})
        b = Builder({0: given}, 1)
        count = to.size or 0 if isinstance(to, Array) else len(to.fields)  # type: ignore[union-attr]
        parts = [
            convert(b, b.part(0, i), to.elem if isinstance(to, Array) else to.fields[i].type, self)  # type: ignore[union-attr]
            for i in range(count)
        ]
        whole = b.construct(to, parts)
        return Function(name, (param,), (to,), (Block(0, (), tuple(b.instrs), Return((whole,))),))

    def _loop(self, given: Type, to: Array, convert: Convert) -> tuple[Block, ...]:
        """Element by element into local memory; the values 0 to 4 are the parameter, 0, the
        count, the memory and the index."""
        assert isinstance(given, Array)
        b = Builder({0: given, 4: INT}, 1)
        zero, count = b.integer(0), b.integer(to.size or 0)
        b.add("local", Pointer(Space.FUNCTION, to))
        entry = Block(0, (), tuple(b.instrs), Branch(1, (zero,)))
        b.next_id, b.instrs = 5, []
        inside = b.add("lt", BOOL, [4, count])
        header = Block(
            1,
            (Param(4, INT),),
            tuple(b.instrs),
            CondBranch(inside, Branch(2), Branch(4), None),
            Loop(4, 3),
        )
        b.instrs = []
        part = b.add("extract", given.elem, [0, 4], (None,))
        part = convert(b, part, to.elem, self)
        place = b.add("access", Pointer(Space.FUNCTION, to.elem), [3, 4], (None,))
        b.append(Instr(b.next_id, "store", VOID, (place, part)))
        b.next_id += 1
        body = Block(2, (), tuple(b.instrs), Branch(3))
        b.instrs = []
        following = b.add("add", INT, [4, b.integer(1)])
        back = Block(3, (), tuple(b.instrs), Branch(1, (following,)))
        b.instrs = []
        whole = b.add("load", to, [3])
        return entry, header, body, back, Block(4, (), tuple(b.instrs), Return((whole,)))


def _word(t: Type) -> str:
    """A type as a part of a name."""
    if isinstance(t, Array):
        return f"{_word(t.elem)}s"
    return t.name if isinstance(t, Struct) else str(t)
