"""MSL 2.4, Metal's shading language: a file for any number of entry points."""

from __future__ import annotations

from luma.diagnostics import Level
from luma.ir.module import Module

from .. import Backend, EmitOptions, Emitted
from .bindings import Bindings, bindings
from .limits import LIMITS, problems

__all__ = ["BACKEND", "LIMITS", "Bindings", "bindings", "emit", "entry_names"]


def emit(module: Module, options: EmitOptions) -> Emitted:
    """The MSL of a module."""
    tables = {
        e.function: bindings(module, e, options.reached.get(e.name), options.first_buffer)
        for e in module.entry_points
    }
    found = tuple(p.diagnostic(options.source) for p in problems(module, tables))
    if any(problem.level is Level.ERROR for problem in found):
        return Emitted(b"", found)
    from .description import describe
    from .file import MslFile, said

    source = options.source if options.debug else None
    file = MslFile(said(module), tables, source, options.precise)
    return Emitted(file.text().encode(), found, describe=lambda: describe(file))


def entry_names(module: Module) -> dict[str, str]:
    """What the text calls each entry point."""
    from .file import MslFile, said

    file = MslFile(said(module), {}, None, precise=False)
    return {e.name: file.printer.function_names[e.function] for e in module.entry_points}


BACKEND = Backend(
    "msl", ".metal", binary=False, single_entry=False, emit=emit, numbers_buffers=True
)
