"""Real shaders in Luma, each with the same shader written by hand in other languages."""

from __future__ import annotations

from benchmarks.corpus import geometry, images, procedural, surfaces
from benchmarks.corpus.entry import LANGUAGES, ROOT, Entry

#: Every entry point that is measured.
ENTRIES: tuple[Entry, ...] = tuple(
    sorted(
        (*surfaces.ENTRIES, *images.ENTRIES, *procedural.ENTRIES, *geometry.ENTRIES),
        key=lambda entry: entry.name,
    )
)

__all__ = ["ENTRIES", "LANGUAGES", "ROOT", "Entry"]
