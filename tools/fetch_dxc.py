"""Puts a DirectX shader compiler where the tests find it, and prints the library's path.

The PyPI source archive of compushady carries Microsoft's libdxcompiler.so for Linux.  Nothing of
the package is built or run; only that file is taken out.

    python tools/fetch_dxc.py
"""

from __future__ import annotations

import hashlib
import os
import platform
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

PACKAGE = "compushady==0.17.5"
LIBRARIES = {
    "x86_64": "libdxcompiler_x86_64.so.3.7",
    "aarch64": "libdxcompiler_aarch64.so.3.7",
}


def cache() -> Path:
    """The folder that holds what tests fetch."""
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "luma-tests"


def library() -> Path:
    """Where the library is, or will be.  ``LIBDXCOMPILER`` names another."""
    own = os.environ.get("LIBDXCOMPILER")
    return Path(own) if own else cache() / LIBRARIES[platform.machine()]


def fetch() -> Path:
    """The library, downloaded unless it is there already."""
    target = library()
    if target.exists():
        return target
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps"]
        command += ["--no-binary", ":all:", "--dest", folder, PACKAGE]
        subprocess.run(command, check=True, timeout=300)
        (archive,) = Path(folder).glob("*.tar.gz")
        _extract(archive, target)
    return target


def _extract(archive: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    with tarfile.open(archive) as files:
        name = next(n for n in files.getnames() if n.endswith(f"/backends/{target.name}"))
        member = files.extractfile(name)
        if member is None:
            raise FileNotFoundError(name)
        data = member.read()
    part = target.with_suffix(f".{os.getpid()}")
    part.write_bytes(data)
    part.replace(target)  # whole or not at all, whoever else fetches it


if __name__ == "__main__":
    found = fetch()
    print(found, hashlib.sha256(found.read_bytes()).hexdigest())
