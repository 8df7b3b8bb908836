"""Reading inputs and writing outputs: whole files or none."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

from luma.diagnostics import LumaError
from luma.faults import error

STANDARD = "-"


def read_input(path: str) -> bytes:
    """The bytes of a file, or of standard input for ``-``.  Raises LumaError (E0807)."""
    try:
        return _standard_input() if path == STANDARD else Path(path).read_bytes()
    except OSError as fault:
        place = "standard input" if path == STANDARD else f"'{path}'"
        raise LumaError([error("E0807", f"cannot read {place}: {fault.strerror}")]) from None


def _standard_input() -> bytes:
    if sys.stdin is None:
        raise OSError(0, "it is closed")
    return sys.stdin.buffer.read()


def write_standard(data: bytes) -> None:
    """Put bytes on standard output.  Raises LumaError (E0808)."""
    with _telling("standard output"):
        if sys.stdout is None:
            raise OSError(0, "it is closed")
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()


def write_outputs(outputs: Mapping[Path, bytes], sources: Iterable[str] = ()) -> None:
    """Write files so that each appears whole or not at all.  Raises LumaError (E0808).

    All are written beside their places first and moved there only when every one is complete.
    What is no regular file (a pipe, a device) is written to as it is.  No output may be one of the
    ``sources``, or another output: what is there would be lost.
    """
    places = {path: _place(path) for path in outputs}
    _check_apart(places, sources)
    staged: dict[Path, Path] = {}
    try:
        for path, place in places.items():
            if place is not None:
                with _telling(f"'{path}'"):
                    staged[path] = place.with_name(f".luma.{os.urandom(8).hex()}")
                    _fill(staged[path], outputs[path], place)
        for path, place in places.items():
            with _telling(f"'{path}'"):
                if place is None:
                    path.write_bytes(outputs[path])
                else:
                    os.replace(staged[path], place)
    finally:
        for temporary in staged.values():
            with suppress(OSError):
                temporary.unlink()


def _place(path: Path) -> Path | None:
    """The regular file that a path stands for, behind links; None for a pipe or a device."""
    with _telling(f"'{path}'"):
        try:
            mode = path.stat().st_mode
        except FileNotFoundError:
            return Path(os.path.realpath(path))
        if stat.S_ISDIR(mode):
            raise IsADirectoryError(21, "is a directory")
        if not os.access(path, os.W_OK):  # moving another file there would not ask
            raise PermissionError(13, "it is read-only")
        return Path(os.path.realpath(path)) if stat.S_ISREG(mode) else None


def _check_apart(places: Mapping[Path, Path | None], sources: Iterable[str]) -> None:
    """See that nothing is written over that was read, or written, by the same command."""
    taken = {os.path.realpath(source): "it is read by this command" for source in sources}
    for path, place in places.items():
        if place is None:
            continue
        if str(place) in taken:
            problem = f"cannot write '{path}': {taken[str(place)]}"
            raise LumaError([error("E0808", problem, "name another file for the output")])
        taken[str(place)] = "another output goes there"


def _fill(temporary: Path, data: bytes, place: Path) -> None:
    """Write a file with the permissions that the one at its place has or would get."""
    with temporary.open("xb") as stream:
        stream.write(data)
    if place.exists():
        temporary.chmod(place.stat().st_mode & 0o777)


@contextmanager
def _telling(what: str) -> Iterator[None]:
    """Faults of the system as LumaError (E0808); a reader who has left is no fault."""
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as fault:
        raise LumaError([error("E0808", f"cannot write {what}: {fault.strerror}")]) from None
