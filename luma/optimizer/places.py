"""Which memory pointers name, and whether two of them may name the same."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TypeAlias

from luma.ir.effects import effect, value_types
from luma.ir.module import Function, Instr
from luma.ir.shape import resolved
from luma.language.builtins import Effect
from luma.language.types import Pointer, Space

#: A step to a part: a known index, the value that is the index, or None for any.
Step: TypeAlias = "int | Index | None"

#: Memory that other invocations see.
SHARED = (Space.STORAGE, Space.WORKGROUP)


@dataclass(frozen=True, slots=True)
class Index:
    """A value that is an index."""

    value: int


@dataclass(frozen=True, slots=True)
class Place:
    """A part of memory: a space, a variable there (None for any), and the way into it."""

    space: Space
    root: str | int | None
    path: tuple[Step, ...] = ()

    def may_be(self, other: Place) -> bool:
        """Whether the two may have memory in common.

        A host may bind one buffer twice, so any two of storage may; other variables are apart.
        """
        if self.space is not other.space:
            return False
        if self.root is None or other.root is None:
            return True
        if self.root != other.root:
            return self.space is Space.STORAGE
        pairs = zip(self.path, other.path, strict=False)
        return not any(isinstance(a, int) and isinstance(b, int) and a != b for a, b in pairs)

    def covers(self, other: Place) -> bool:
        """Whether the other one is surely a part of this, or the same."""
        length = len(self.path)
        return (
            self.space is other.space
            and self.root is not None
            and self.root == other.root
            and None not in self.path
            and self.path == other.path[:length]
        )

    def without(self, values: set[int]) -> Place:
        """The place where indices that are among ``values`` may be any."""
        if not any(isinstance(s, Index) and s.value in values for s in self.path):
            return self
        steps = (None if isinstance(s, Index) and s.value in values else s for s in self.path)
        return replace(self, path=tuple(steps))


#: All that other invocations see.
EVERYTHING = frozenset(Place(space, None) for space in SHARED)


class Memory:
    """The memory that a function's instructions name and touch.

    ``same`` has values that are known to be others.
    """

    def __init__(
        self,
        function: Function,
        effects: Mapping[str, Effect],
        same: Mapping[int, int] | None = None,
    ) -> None:
        self.same = {} if same is None else same
        self.types = value_types(function)
        self.effects = effects
        self.makers = {
            i.id: i for i in function.instructions() if i.op in ("access", "local", "global")
        }

    def of(self, pointer: int) -> Place:
        """The place that a pointer names."""
        type = self.types[pointer]
        assert isinstance(type, Pointer)
        instr = self.makers.get(pointer)
        if instr is None:
            return Place(type.space, None)
        if instr.op != "access":
            return Place(type.space, instr.id if instr.op == "local" else str(instr.imm[0]))
        base = self.of(instr.args[0])
        values = iter(instr.args[1:])
        steps = tuple(
            int(step) if step is not None else Index(resolved(self.same, next(values)))
            for step in instr.imm
        )
        return Place(base.space, base.root, base.path + steps)

    def sees_shared(self, instr: Instr) -> bool:
        """Whether an instruction may read or order what other invocations see; not plain loads."""
        if instr.op in ("load", "store"):
            return False
        return effect(instr, self.types, self.effects) in (Effect.READ, Effect.WRITE)

    def changes_shared(self, instr: Instr) -> bool:
        """Whether an instruction may change it or wait for others to; not plain stores."""
        return self.sees_shared(instr) and (effect(instr, self.types, self.effects) is Effect.WRITE)
