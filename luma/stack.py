"""Threads that stay: one with a deep stack for the compiler's recursive walks, and the like.

Nesting in the source is limited (see ``docs/errors.md``), but a walk may use several Python frames
a level, more than the interpreter's default limit and some platforms' thread stacks allow.
"""

from __future__ import annotations

import atexit
import os
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from queue import SimpleQueue
from typing import Any, TypeVar

T = TypeVar("T")

STACK_BYTES = 256 << 20  # address space; only what is touched becomes memory
RECURSION_LIMIT = 20_000

#: Seconds after which one who waits looks up: Ctrl-C may have come to another thread, and wakes
#: only that.
ATTENTION = 0.1


@dataclass(slots=True)
class Job:
    """A call that a worker makes, or has made when ``done``."""

    function: Callable[[], Any]
    done: threading.Event = field(default_factory=threading.Event)
    value: Any = None
    error: BaseException | None = None

    def run(self) -> None:
        try:
            self.value = self.function()
        except BaseException as error:  # handed to the caller, who raises it
            _release_frames(error)
            self.error = error
        self.done.set()


def _release_frames(error: BaseException | None) -> None:
    """Let go of what the failed calls held, on the thread that it may have to die on."""
    import traceback

    while error is not None:
        traceback.clear_frames(error.__traceback__)
        error = error.__cause__ or error.__context__


class Worker:
    """A thread and its queue; started by the first job, started anew in a forked child.

    While a ``deep`` one works, the interpreter's recursion limit is high; so there is only one.
    """

    def __init__(self, name: str, *, deep: bool = False) -> None:
        self.name, self.deep = name, deep
        self._reset()
        atexit.register(self.stop)
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=self._reset)

    def _reset(self) -> None:
        self.lock = threading.Lock()
        self.jobs: SimpleQueue[Job | None] | None = None
        self.thread: threading.Thread | None = None

    def run(self, function: Callable[[], T]) -> T:
        """Call ``function`` on the thread and return (or raise) what it does."""
        if self.is_current():
            return function()
        job = self.start(function)
        while not job.done.wait(ATTENTION):
            pass
        if job.error is not None:
            raise job.error
        return job.value  # type: ignore[no-any-return]

    def start(self, function: Callable[[], Any]) -> Job:
        """Have ``function`` called on the thread, after what it was given before."""
        job = Job(function)
        with self.lock:
            if self.jobs is None:
                self.jobs = SimpleQueue()
                self._begin(self.jobs)
            self.jobs.put(job)
        return job

    def stop(self) -> None:
        """End the thread, so that what it has loaded is released where it was made."""
        with self.lock:
            if self.jobs is not None and self.thread is not None and not self.is_current():
                self.jobs.put(None)
                self.thread.join(timeout=5)
                self.jobs = self.thread = None

    def _begin(self, jobs: SimpleQueue[Job | None]) -> None:
        before = threading.stack_size(STACK_BYTES)
        try:
            self.thread = threading.Thread(
                target=_serve, args=(jobs, self.deep), name=self.name, daemon=True
            )
            self.thread.start()
        finally:
            threading.stack_size(before)

    def is_current(self) -> bool:
        return threading.current_thread() is self.thread


def _serve(jobs: SimpleQueue[Job | None], deep: bool) -> None:
    while (job := jobs.get()) is not None:
        before = sys.getrecursionlimit()
        if deep:
            sys.setrecursionlimit(max(before, RECURSION_LIMIT))
        try:
            job.run()
        finally:
            if deep:
                sys.setrecursionlimit(before)
        del job


_compiler = Worker("luma-compiler", deep=True)


def run_deep(function: Callable[[], T]) -> T:
    """Call ``function`` on the deep stack and return (or raise) what it does."""
    return _compiler.run(function)
