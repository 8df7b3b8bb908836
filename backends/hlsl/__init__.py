"""HLSL for Shader Model 6.2 and later: a file for one entry point."""

from __future__ import annotations

from luma.diagnostics import Level
from luma.ir.module import Module

from .. import Backend, EmitOptions, Emitted
from .limits import LIMITS, problems


def emit(module: Module, options: EmitOptions) -> Emitted:
    """The HLSL of a module's one entry point."""
    from .description import describe
    from .file import File
    from .printer import HlslLines
    from .raising import raised

    lines = HlslLines(options.source) if options.debug and options.source is not None else None
    (entry,) = module.entry_points
    found = tuple(p.diagnostic(options.source) for p in problems(entry))
    if any(problem.level is Level.ERROR for problem in found):
        return Emitted(b"", found)
    module = raised(module)
    (entry,) = module.entry_points
    file = File(module, entry, lines, options.precise)
    return Emitted(file.text().encode(), found, describe=lambda: (describe(file),))


BACKEND = Backend("hlsl", ".hlsl", binary=False, single_entry=True, emit=emit)

__all__ = ["BACKEND", "LIMITS"]
