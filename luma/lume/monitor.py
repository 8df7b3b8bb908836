"""Watching a tree of shaders: what changed is built again, and all that includes it.

What is stale is found by comparing stamps, so it does not matter how an editor writes its files.
Events of the file system (by ``watchfiles``) make that quick; without them, or where they get
lost, it is done every second.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from luma.diagnostics import Diagnostic, LumaError
from luma.lume.includes import stamp
from luma.lume.settings import Settings
from luma.lume.shaders import Built, build_all, scan
from luma.lume.tools import Toolchain

POLL_SECONDS = 1.0

#: How events are waited for: of all files, gathered for some milliseconds, at most a second.
_WATCHING: dict[str, Any] = {
    "watch_filter": None,
    "debounce": 200,
    "rust_timeout": int(1000 * POLL_SECONDS),
    "yield_on_timeout": True,
    "raise_interrupt": True,
}


@dataclass(frozen=True, slots=True)
class Round:
    """What a look at the tree came to: what was built, what is gone, and what hindered it."""

    built: tuple[Built, ...] = ()
    removed: tuple[Path, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.built or self.removed or self.diagnostics)


class Monitor:
    """Keeps the outputs of a tree, or of one file, up to date.

    ``finished`` is called with each result as soon as it is there; it writes the outputs.
    """

    def __init__(
        self,
        settings: Settings,
        tools: Toolchain,
        finished: Callable[[Built], None],
        only: Path | None = None,
        jobs: int | None = None,
    ) -> None:
        self._settings, self._tools, self._finished = settings, tools, finished
        self._only, self._jobs = only, jobs
        self._known: dict[Path, Built] = {}
        self._hindered: tuple[Diagnostic, ...] = ()

    def update(self) -> Round:
        """Build whatever is new or stale."""
        try:
            sources = scan(self._settings) if self._only is None else _existing(self._only)
            self._hindered = ()
        except LumaError as fault:
            new = fault.diagnostics != self._hindered
            self._hindered = fault.diagnostics
            return Round(diagnostics=fault.diagnostics if new else ())
        removed = tuple(path for path in self._known if path not in set(sources))
        for path in removed:
            del self._known[path]
        stale = [path for path in sources if self._is_stale(path)]
        built = []
        for result in build_all(stale, self._settings, self._tools, self._jobs):
            self._known[result.source] = result
            self._finished(result)
            built.append(result)
        return Round(tuple(built), removed)

    def _is_stale(self, path: Path) -> bool:
        known = self._known.get(path)
        return known is None or any(stamp(p) != old for p, old in known.depends.items())

    def rounds(self, stop: threading.Event) -> Iterator[Round]:
        """Look, wait for changes, look again, until told to stop; only looks that found any."""
        while not stop.is_set():
            watched = self._directories()
            for _ in _wake_ups(watched, stop):
                found = self.update()
                if found:
                    yield found
                if self._directories() != watched:
                    break

    def _directories(self) -> tuple[Path, ...]:
        """The existing directories in which a change may matter, none inside another."""
        wanted = {self._settings.root, *self._settings.include_dirs}
        wanted |= {p.parent for built in self._known.values() for p in built.depends}
        found: list[Path] = []
        for path in sorted({p.resolve() for p in wanted if p.is_dir()}):
            if not any(path.is_relative_to(other) for other in found):
                found.append(path)
        return tuple(found)


def _existing(path: Path) -> tuple[Path, ...]:
    return (path,) if path.exists() else ()


def _wake_ups(directories: tuple[Path, ...], stop: threading.Event) -> Iterator[None]:
    """One at once, then one whenever something happened in a directory, or a second has passed."""
    yield
    try:
        from watchfiles import watch
    except ImportError:
        while not stop.wait(POLL_SECONDS):
            yield
        return
    try:
        for _ in watch(*directories, stop_event=stop, **_WATCHING) if directories else ():
            yield
    except (OSError, RuntimeError):  # a directory has just gone, or the system watches no more
        pass
    stop.wait(POLL_SECONDS)
