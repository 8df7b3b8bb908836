"""What a compilation is asked for, and what callers of the library may get wrong about it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from luma.language.stages import Stage
from luma.source import FileReader

OPT_LEVELS = ("none", "basic", "aggressive")
FP_MODES = ("strict", "fast")


@dataclass(frozen=True, slots=True)
class Options:
    """What a compilation is asked for.

    ``target`` is a backend's name, ``opt`` one of :data:`OPT_LEVELS`, ``fp`` one of
    :data:`FP_MODES` (None: ``fast`` for ``aggressive``, else ``strict``).  ``entry`` and ``stage``
    select among the entry points.  ``debug`` keeps names and lines in the output; ``validate`` runs
    the target's own validator over it.  ``first_buffer`` is the first buffer index that MSL gives
    out: those below are left to vertex buffers.  ``rules`` are paths of rule files for the
    optimizer, read like included files; they come after Luma's own rules.

    Raises TypeError or ValueError for what is none of these.
    """

    target: str = "glsl"
    opt: str = "basic"
    fp: str | None = None
    stage: str | None = None
    entry: str | None = None
    include_dirs: tuple[str, ...] = ()
    file_reader: FileReader | None = None
    debug: bool = False
    validate: bool = False
    first_buffer: int = 0
    rules: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        one_of("opt", self.opt, OPT_LEVELS)
        one_of("fp", self.fp, (None, *FP_MODES))
        one_of("stage", self.stage, (None, *(stage.value for stage in Stage)))
        _of_type("target", self.target, str, "a name")
        _of_type("entry", self.entry, str | None, "a name")
        _of_type("file_reader", self.file_reader, Callable | None, "a function")
        check_buffer(self.first_buffer)
        for name in ("include_dirs", "rules"):
            object.__setattr__(self, name, paths(name, getattr(self, name)))


def one_of(what: str, value: object, allowed: Sequence[str | None]) -> None:
    """Raise ValueError for what is none of some words."""
    if value not in allowed:
        words = ", ".join(word for word in allowed if word is not None)
        raise ValueError(f"{what} is {value!r}; it can be {words}")


def check_buffer(index: object) -> None:
    """Raise TypeError or ValueError for what is no index of a buffer."""
    _of_type("first_buffer", index, int, "an index")
    if isinstance(index, int) and index < 0:
        raise ValueError(f"first_buffer is {index}; it cannot be negative")


def strings(what: str, value: Iterable[str]) -> tuple[str, ...]:
    """Several words.  Raises TypeError for one alone, of which the letters would be meant."""
    if isinstance(value, str | bytes) or not isinstance(value, Iterable):
        raise TypeError(f"{what} is {value!r}; it is a list")
    return tuple(value)


def paths(what: str, value: Iterable[str | os.PathLike[str]]) -> tuple[str, ...]:
    """Several paths as text.  Raises TypeError for one alone and for what is none."""
    found = tuple(map(os.fspath, strings(what, value)))  # type: ignore[arg-type]
    for path in found:
        _of_type(f"a path of {what}", path, str, "text")
    return found


def expect(value: object, kind: type, giver: str) -> None:
    """Raise TypeError for what another function does not give."""
    if not isinstance(value, kind):
        raise TypeError(f"what {giver} gives is expected, not {_named(value)}")


def expect_source(source: object) -> None:
    """Raise TypeError for what is no source."""
    if not isinstance(source, str | bytes):
        raise TypeError(f"a source is str or bytes, not {_named(source)}")


def _of_type(what: str, value: object, kind: Any, meaning: str) -> None:
    if not isinstance(value, kind):
        raise TypeError(f"{what} is {value!r}; it is {meaning}")


def _named(value: object) -> str:
    return type(value).__name__
