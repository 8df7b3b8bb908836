"""Keeps what other compilers made in the user's cache, under a name made of all it depends on."""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Callable
from pathlib import Path


def folder() -> Path:
    """Where it is kept; made if need be."""
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    found = Path(base, "luma-benchmarks")
    found.mkdir(parents=True, exist_ok=True)
    return found


def kept(depends_on: tuple[str, ...], make: Callable[[], bytes]) -> bytes:
    """What ``make`` gives, made once for the same ``depends_on``; what it raises is not kept."""
    name = hashlib.sha256("\0".join(depends_on).encode()).hexdigest()
    path = folder() / name
    if path.exists():
        return path.read_bytes()
    made = make()
    handle, temporary = tempfile.mkstemp(dir=path.parent)
    with os.fdopen(handle, "wb") as file:
        file.write(made)
    os.replace(temporary, path)
    return made
