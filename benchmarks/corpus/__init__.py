"""Real shaders in Luma, each with the same shader written by hand in other languages."""

from __future__ import annotations

from benchmarks.corpus import compute, geometry, images, procedural, surfaces
from benchmarks.corpus.entry import LANGUAGES, ROOT, Entry

_MODULES = (compute, geometry, images, procedural, surfaces)

#: Every entry point that is measured.
ENTRIES: tuple[Entry, ...] = tuple(
    sorted((e for module in _MODULES for e in module.ENTRIES), key=lambda entry: entry.name)
)

__all__ = ["ENTRIES", "LANGUAGES", "ROOT", "Entry"]
