"""Where a host finds an entry point's resources in Metal's three argument tables.

Metal has no descriptor sets: each class of resource (buffer, texture, sampler) is numbered by
itself.  Per entry point the numbers are contiguous, in the order of (group, binding); push
constants take the first buffer index after the bindings.  An entry point that asks for the length
of a runtime array gets one more buffer, of uints: the size in bytes of the buffer bound at each
index.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field, replace

from luma.ir.module import EntryPoint, Global, Module
from luma.ir.reach import select
from luma.language.types import Sampler, Space, Texture


@dataclass(frozen=True, slots=True)
class Bindings:
    """The argument-table indices of one entry point's globals, by name.

    ``push_constants`` is the buffer index of the push-constant block and ``sizes`` that of the
    table of buffer sizes, where there are any.
    """

    buffers: dict[str, int] = field(default_factory=dict)
    textures: dict[str, int] = field(default_factory=dict)
    samplers: dict[str, int] = field(default_factory=dict)
    push_constants: int | None = None
    sizes: int | None = None

    def index(self, name: str) -> int:
        """The index of a global in its class's table.  Raises KeyError."""
        return self.slot(name)[1]

    def slot(self, name: str) -> tuple[str, int]:
        """The attribute that tells where a global is: its class and index.  Raises KeyError."""
        for kind, table in (
            ("buffer", self.buffers),
            ("texture", self.textures),
            ("sampler", self.samplers),
        ):
            if name in table:
                return kind, table[name]
        raise KeyError(name)


def bindings(
    module: Module,
    entry: EntryPoint,
    names: Collection[str] | None = None,
    first_buffer: int = 0,
) -> Bindings:
    """The argument tables of an entry point of the module.

    ``names`` are the globals that it reaches, where that is known better than from the module: an
    optimizer may have dropped some, and no number changes for that.  Buffers are numbered from
    ``first_buffer``: those below are left to the host's vertex buffers.
    """
    reached = select(module, (entry.name,))
    if names is not None:
        kept = tuple(item for item in module.globals if item.name in names)
        reached = replace(reached, globals=kept)
    buffers: dict[str, int] = {}
    textures: dict[str, int] = {}
    samplers: dict[str, int] = {}
    for item in sorted(filter(_is_bound, reached.globals), key=_place):
        match item.type:
            case Texture():
                textures[item.name] = len(textures)
            case Sampler():
                samplers[item.name] = len(samplers)
            case _:
                buffers[item.name] = first_buffer + len(buffers)
    push = None
    for item in reached.globals:
        if item.space is Space.PUSH_CONSTANT:
            push = buffers[item.name] = first_buffer + len(buffers)
    sizes = first_buffer + len(buffers) if asks_length(reached) else None
    return Bindings(buffers, textures, samplers, push, sizes)


def asks_length(module: Module) -> bool:
    """Whether some function takes the length of a runtime array."""
    return any(i.op == "array_length" for f in module.functions for i in f.instructions())


def _is_bound(item: Global) -> bool:
    return item.group is not None


def _place(item: Global) -> tuple[int, int]:
    assert item.group is not None and item.binding is not None
    return item.group, item.binding
