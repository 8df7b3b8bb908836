"""Reading inputs and writing outputs: whole files or none."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path

from luma.diagnostics import LumaError
from luma.pipeline import error

STANDARD = "-"


def read_input(path: str) -> bytes:
    """The bytes of a file, or of standard input for ``-``.  Raises LumaError (E0807)."""
    try:
        return sys.stdin.buffer.read() if path == STANDARD else Path(path).read_bytes()
    except OSError as fault:
        raise LumaError([error("E0807", f"cannot read '{path}': {fault.strerror}")]) from None


def write_outputs(outputs: Mapping[Path, bytes]) -> None:
    """Write files so that each appears whole or not at all.  Raises LumaError (E0808).

    All are written beside their places first and moved there only when every one is complete.
    """
    staged: list[tuple[Path, Path]] = []
    try:
        for path, data in outputs.items():
            staged.append((_stage(path, data), path))
        for temporary, path in staged:
            os.replace(temporary, path)
    except OSError as fault:
        place = fault.filename2 or fault.filename or "the output"
        raise LumaError([error("E0808", f"cannot write '{place}': {fault.strerror}")]) from None
    finally:
        for temporary, _ in staged:
            temporary.unlink(missing_ok=True)


def _stage(path: Path, data: bytes) -> Path:
    """Write beside a path, with the permissions that the file has or would get."""
    if path.is_dir():
        raise IsADirectoryError(21, "is a directory", str(path))
    temporary = path.with_name(f".{path.name}.{os.urandom(8).hex()}")
    try:
        with temporary.open("xb") as stream:
            stream.write(data)
        if path.exists():
            temporary.chmod(path.stat().st_mode & 0o777)
    except OSError as fault:
        temporary.unlink(missing_ok=True)
        raise type(fault)(fault.errno, fault.strerror, str(path)) from None
    return temporary


def write_standard(data: bytes) -> None:
    """Put bytes on standard output."""
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()
