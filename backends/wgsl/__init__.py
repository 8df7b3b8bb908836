"""WGSL: a file that may hold several entry points, under their own names.

The module is rewritten until WGSL can say all of it (``interface``, ``memory``, ``constants``), and
then printed (``printer``, ``file``).
"""

from __future__ import annotations

from luma.diagnostics import Level
from luma.ir.module import Module
from luma.ir.reach import select
from luma.ir.uniformity import check_uniformity

from .. import Backend, EmitOptions, Emitted
from ..raising import expand
from .constants import hide_constants
from .description import describe
from .file import File
from .interface import raise_interface, separate_stages, split_layers
from .limits import LIMITS, UNIFORMITY, imprecise, problems
from .memory import MemoryModule, raise_memory
from .swizzles import spread_swizzles

#: Operations that WGSL lacks.
LACKS = frozenset({"inverse", "mod", "outer_product", "neg.matrix"})


def emit(module: Module, options: EmitOptions) -> Emitted:
    """The WGSL of a module."""
    module = select(module)  # an optimized entry point may call less than before
    found = [p.diagnostic(options.source) for p in problems(module)]
    for problem in check_uniformity(module):
        found.append(problem.diagnostic(Level.ERROR, UNIFORMITY, options.source))
    if found:
        return Emitted(b"", tuple(found))
    warnings = (imprecise(),) if options.precise else ()
    raised, printable = raise_module(module)
    file = File(raised, printable, options.source if options.debug else None)
    return Emitted(file.text().encode(), warnings, lambda: describe(file, module))


def raise_module(module: Module) -> tuple[MemoryModule, Module]:
    """The module in terms that WGSL has, and what is known of its memory."""
    module = expand(module, LACKS)
    module = spread_swizzles(raise_interface(separate_stages(module)))
    module = split_layers(module)
    raised = raise_memory(module)
    return raised, hide_constants(raised.module)


BACKEND = Backend("wgsl", ".wgsl", binary=False, single_entry=False, emit=emit)

__all__ = ["BACKEND", "LACKS", "LIMITS", "emit", "raise_module"]
