"""Notes of what outputs were made of, by which an unchanged shader is known.

A note has a line for each file that the outputs depend on, ``path:number``: the time of its last
change in nanoseconds, with the settings as bits turned in it.  The programs that compile are among
those files.  A note is compared as a whole with a fresh one, so that a header that appears where
another was found before it makes a difference too.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path

from luma.lume.glsl import VULKAN
from luma.lume.includes import Stamp, stamp
from luma.lume.settings import Settings


def place(output: Path) -> Path:
    """Where the note of an output (less its suffixes) lies."""
    return output.with_name(output.name + ".meta")


def note(
    depends: Mapping[Path, Stamp | None], programs: Iterable[Path], settings: Settings
) -> bytes:
    """The note of a shader by what it depends on, itself first."""
    changed = {os.path.abspath(p): s[0] for p, s in depends.items() if s is not None}
    source = next(iter(changed), "")
    changed |= {os.path.abspath(p): s[0] for p in programs if (s := stamp(p)) is not None}
    paths = sorted(changed, key=lambda path: (path != source, path))
    lines = (f"{path}:{changed[path] ^ _mask(settings)}\n" for path in paths)
    return "".join(lines).encode("utf-8", "surrogateescape")


def _mask(settings: Settings) -> int:
    return (
        settings.strip
        | settings.optimize << 1
        | VULKAN.index(settings.vulkan) << 2
        | settings.lsb_version << 4
        | settings.gl << 5
    )


def is_current(output: Path, fresh: bytes, suffixes: Iterable[str]) -> bool:
    """Whether the outputs with these suffixes are there and made of what the fresh note says."""
    try:
        old = place(output).read_bytes()
    except OSError:
        return False
    return old == fresh and all(output.with_name(output.name + s).exists() for s in suffixes)
