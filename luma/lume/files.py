"""Reading the files that a user's files name."""

from __future__ import annotations

import errno
import os
from pathlib import Path


def read_file(path: Path) -> bytes:
    """The bytes of a regular file.

    Raises OSError also for what would never end (pipes and devices) and for impossible names.
    """
    if "\0" in str(path):
        raise OSError(errno.ENOENT, os.strerror(errno.ENOENT), str(path))
    if path.exists() and not path.is_file() and not path.is_dir():
        raise OSError(errno.EINVAL, "not a regular file", str(path))
    return path.read_bytes()
