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
    found = tuple(problems(module, options.reached))
    if any(problem.level is Level.ERROR for problem in found):
        return Emitted(b"", found)
    from .file import MslFile, said

    source = options.source if options.debug else None
    tables = {
        entry.function: bindings(module, entry, options.reached.get(entry.name))
        for entry in module.entry_points
    }
    return Emitted(MslFile(said(module), tables, source).text().encode(), found)


def entry_names(module: Module) -> dict[str, str]:
    """What the text calls each entry point."""
    from .file import MslFile, said

    file = MslFile(said(module), {}, None)
    return {e.name: file.printer.function_names[e.function] for e in module.entry_points}


BACKEND = Backend("msl", ".metal", binary=False, single_entry=False, emit=emit)
