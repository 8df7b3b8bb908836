"""What is known while one function is lowered."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from luma.frontend import typed
from luma.ir import module as ir
from luma.ir.lower.analysis import Analysis
from luma.ir.lower.draft import FunctionDraft
from luma.ir.lower.ssa import Environment
from luma.language.types import Pointer, Type

#: The globals of each binding: one, or the texture and the sampler of a combined one.
Resources: TypeAlias = Mapping[typed.Binding, tuple[ir.Global, ...]]


@dataclass(frozen=True, slots=True)
class VariablePlace:
    """A part of a variable that is held in values: at a constant path, maybe swizzled."""

    local: typed.Local
    path: tuple[int, ...]
    components: tuple[int, ...] | None
    type: Type


@dataclass(frozen=True, slots=True)
class MemoryPlace:
    """A part of the memory that a root pointer of the given type points to, maybe swizzled.

    The pointer to the part is made where it is used: none lives from one block to another.
    """

    root: int
    type: Pointer
    path: tuple[int | None, ...]
    indices: tuple[int, ...]
    components: tuple[int, ...] | None


Place: TypeAlias = VariablePlace | MemoryPlace


@dataclass(slots=True)
class Context:
    """The function under construction, its variables, and the module's resources.

    ``memory`` has the pointers of locals in memory, ``handles`` the values of parameters that are
    textures or samplers, ``outputs`` the outputs of an entry point (None in other functions).
    ``old`` is the place of the compound assignment being lowered.
    """

    draft: FunctionDraft
    analysis: Analysis
    resources: Resources
    outputs: tuple[typed.IOVariable, ...] | None = None
    env: Environment = field(default_factory=Environment)
    memory: dict[typed.Local, int] = field(default_factory=dict)
    handles: dict[typed.Local, tuple[int, ...]] = field(default_factory=dict)
    old: Place | None = None
