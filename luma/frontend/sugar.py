"""The four sugars: what may be left out of a source, as small functions that put it back."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from luma.language.types import Field, Struct, Type


@dataclass(slots=True)
class LocationCounter:
    """Automatic locations: consecutive, and an explicit one is counted on from."""

    next: int = 0

    def take(self, slots: int, explicit: int | None = None) -> int:
        """The first location of something that takes ``slots`` of them."""
        first = self.next if explicit is None else explicit
        self.next = first + slots
        return first


@dataclass(slots=True)
class BindingCounter:
    """Automatic bindings: in each group, one above the highest seen."""

    _next: dict[int, int] = field(default_factory=dict)

    def take(self, slots: int, group: int | None, binding: int | None) -> tuple[int, int]:
        """The group (0 if left out) and first binding of something that takes ``slots``."""
        group = group or 0
        above = self._next.get(group, 0)
        first = above if binding is None else binding
        self._next[group] = max(above, first + slots)
        return group, first


def stripped_fields(
    builtin: Sequence[bool], varying: bool, fragment_input: bool
) -> tuple[int, ...]:
    """Which fields of a struct are left out of an interface: a ``@varying`` one's builtins."""
    if not (varying and fragment_input):
        return ()
    return tuple(at for at, is_builtin in enumerate(builtin) if is_builtin)


def output_struct(
    function: str, fields: Sequence[tuple[str, Type]], taken: Collection[str]
) -> Struct:
    """The struct that an inline entry point's tuple of outputs stands for."""
    name = f"{function}_output"
    while name in taken:
        name += "_"
    return Struct(name, tuple(Field(n, t) for n, t in fields))
