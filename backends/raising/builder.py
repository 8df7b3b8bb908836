"""Writing instructions: fresh value numbers, constants, and the forms that rewrites need most."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from luma.ir.module import Immediate, Instr
from luma.language.numbers import narrow
from luma.language.types import (
    BOOL,
    INT,
    Scalar,
    Type,
    Vector,
    Void,
    element,
    scalar_of,
    with_scalar,
)


class Builder:
    """Collects instructions.  ``types`` are those of the values that it may be given."""

    def __init__(self, types: Mapping[int, Type], next_id: int) -> None:
        self.types = dict(types)
        self.next_id = next_id
        self.instrs: list[Instr] = []
        self._swizzles: dict[int, Instr] = {}

    def add(
        self, op: str, t: Type, args: Sequence[int] = (), imm: tuple[Immediate, ...] = ()
    ) -> int:
        """Add an instruction; give its value."""
        value = self.next_id
        self.next_id += 1
        self.append(Instr(value, op, t, tuple(args), imm))
        return value

    def append(self, instr: Instr) -> None:
        """Add an instruction that has its number."""
        self.instrs.append(instr)
        if instr.op == "shuffle" and len(instr.args) == 1:
            self._swizzles[instr.id] = instr
        if not isinstance(instr.type, Void):
            self.types[instr.id] = instr.type

    def each(self, op: str, *args: int) -> int:
        """A component-wise operation on values of one type, which is the result's too."""
        return self.add(op, self.types[args[0]], args)

    def compare(self, op: str, a: int, b: int) -> int:
        """A component-wise comparison."""
        return self.add(op, with_scalar(self.types[a], BOOL), (a, b))

    def choose(self, cond: int, a: int, b: int) -> int:
        """``a`` where the condition holds, else ``b``."""
        return self.add("select", self.types[a], (cond, a, b))

    def constant(self, value: bool | int | float, t: Type) -> int:
        """A number, as a scalar or as every component of a vector."""
        elem = scalar_of(t)
        value = narrow(value, elem)
        one = self.add("const", elem, (), (value,))
        return self.add("splat", t, (one,)) if isinstance(t, Vector) else one

    def like(self, value: bool | int | float, other: int) -> int:
        """A number of another value's type."""
        return self.constant(value, self.types[other])

    def splat(self, scalar: int, t: Type) -> int:
        """The scalar in every component of ``t``; itself if that is a scalar."""
        return self.add("splat", t, (scalar,)) if isinstance(t, Vector) else scalar

    def part(self, value: int, *path: int) -> int:
        """A part of an aggregate."""
        swizzle = self._swizzles.get(value)
        if swizzle is not None:
            return self.part(swizzle.args[0], int(swizzle.imm[path[0]] or 0))
        t = self.types[value]
        for index in path:
            t = element(t, index)
        return self.add("extract", t, (value,), path)

    def convert(self, value: int, elem: Scalar) -> int:
        """The value with its components converted."""
        t = with_scalar(self.types[value], elem)
        return value if t == self.types[value] else self.add("convert", t, (value,))

    def construct(self, t: Type, parts: Sequence[int]) -> int:
        """An aggregate."""
        return self.add("construct", t, parts)

    def shift(self, op: str, value: int, count: int) -> int:
        """A shift by a constant."""
        return self.each(op, value, self.like(count, value))

    def integer(self, value: int) -> int:
        """An int constant."""
        return self.constant(value, INT)
