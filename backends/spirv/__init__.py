"""The SPIR-V backend: SPIR-V 1.3 for Vulkan 1.1, written by our own code."""

from __future__ import annotations

from luma.ir.module import Module

from .. import Backend, EmitOptions, Emitted
from ..raising import expand
from .description import describe
from .limits import LIMITS
from .module import ModuleWriter
from .problems import Unsupported

#: SPIR-V has no sums of matrices.
_LACKS = frozenset({"add.matrix", "sub.matrix"})

__all__ = ["BACKEND", "LIMITS", "emit"]


def emit(module: Module, options: EmitOptions) -> Emitted:
    """The binary of a module with all its entry points.

    What SPIR-V cannot express is a diagnostic (E07xx) and no output.
    """
    try:
        writer = ModuleWriter(expand(module, _LACKS), options)
        return Emitted(writer.write(), describe=lambda: describe(writer))
    except Unsupported as problem:
        return Emitted(b"", (problem.diagnostic(),))


BACKEND = Backend(name="spirv", suffix=".spv", binary=True, single_entry=False, emit=emit)
