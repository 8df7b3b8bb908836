"""A thread with a deep stack for the compiler's recursive walks.

Nesting in the source is limited (see ``docs/errors.md``), but a walk may use several Python frames
a level, more than the interpreter's default limit and some platforms' thread stacks allow.  One
worker thread serves the process, so that the rules it has loaded stay loaded.
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


@dataclass(slots=True)
class _Job:
    function: Callable[[], Any]
    done: threading.Event = field(default_factory=threading.Event)
    value: Any = None
    error: BaseException | None = None

    def run(self) -> None:
        try:
            self.value = self.function()
        except BaseException as error:  # handed to the caller, who raises it
            self.error = error
        self.done.set()


class _Worker:
    """The thread and its queue; started by the first job, started anew in a forked child."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.jobs: SimpleQueue[_Job | None] | None = None
        self.thread: threading.Thread | None = None

    def submit(self, job: _Job) -> None:
        with self.lock:
            if self.jobs is None:
                self.jobs = SimpleQueue()
                self._start(self.jobs)
            self.jobs.put(job)

    def stop(self) -> None:
        """End the thread, so that what it has loaded is released where it was made."""
        with self.lock:
            if self.jobs is not None and self.thread is not None and not self.is_current():
                self.jobs.put(None)
                self.thread.join(timeout=5)
                self.jobs = self.thread = None

    def _start(self, jobs: SimpleQueue[_Job | None]) -> None:
        before = threading.stack_size(STACK_BYTES)
        try:
            self.thread = threading.Thread(
                target=_serve, args=(jobs,), name="luma-compiler", daemon=True
            )
            self.thread.start()
        finally:
            threading.stack_size(before)

    def is_current(self) -> bool:
        return threading.current_thread() is self.thread


def _serve(jobs: SimpleQueue[_Job | None]) -> None:
    while (job := jobs.get()) is not None:
        before = sys.getrecursionlimit()
        sys.setrecursionlimit(max(before, RECURSION_LIMIT))
        try:
            job.run()
        finally:
            sys.setrecursionlimit(before)
        del job


_workers: list[_Worker] = [_Worker()]


def _after_fork() -> None:
    _workers[0] = _Worker()


atexit.register(lambda: _workers[0].stop())
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)


def run_deep(function: Callable[[], T]) -> T:
    """Call ``function`` on the deep stack and return (or raise) what it does."""
    worker = _workers[0]
    if worker.is_current():
        return function()
    job = _Job(function)
    worker.submit(job)
    job.done.wait()
    if job.error is not None:
        raise job.error
    return job.value  # type: ignore[no-any-return]
