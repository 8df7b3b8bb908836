"""Reading inputs and writing outputs: whole files or none."""

from __future__ import annotations

import contextlib
import os
import sys
import tempfile
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
    staged: list[tuple[str, Path]] = []
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
            with contextlib.suppress(FileNotFoundError):
                os.unlink(temporary)


def _stage(path: Path, data: bytes) -> str:
    if path.is_dir():
        raise IsADirectoryError(21, "is a directory", str(path))
    try:
        handle, temporary = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    except OSError as fault:
        raise type(fault)(fault.errno, fault.strerror, str(path)) from None
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
        os.chmod(temporary, _mode(path))
    except OSError:
        os.unlink(temporary)
        raise
    return temporary


def _mode(path: Path) -> int:
    """The permissions the file has, or would get from a plain ``open``."""
    try:
        return path.stat().st_mode & 0o777
    except FileNotFoundError:
        mask = os.umask(0)
        os.umask(mask)
        return 0o666 & ~mask


def write_standard(data: bytes) -> None:
    """Put bytes on standard output."""
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()
