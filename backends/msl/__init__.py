"""MSL 2.4, Metal's shading language: a file for any number of entry points."""

from __future__ import annotations

from luma.ir.module import Module
from luma.ir.reach import select

from .. import Backend, EmitOptions, Emitted
from ..raising import expand
from .bindings import Bindings, bindings
from .file import MslFile
from .printer import EXPANDED

__all__ = ["BACKEND", "Bindings", "bindings", "emit"]


def emit(module: Module, options: EmitOptions) -> Emitted:
    """The MSL of a module."""
    source = options.source if options.debug else None
    said = select(expand(module, EXPANDED))
    return Emitted(MslFile(said, source).text().encode())


BACKEND = Backend("msl", ".metal", binary=False, single_entry=False, emit=emit)
