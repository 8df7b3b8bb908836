"""Saturation with a user's rules, in a process of its own that may run out of time or memory.

egglog ends the whole process when it cannot get memory, and cannot be interrupted; so rules that
nobody has bounded run where that does no harm.  The process is started once and kept.
"""

from __future__ import annotations

import atexit
import os
import pickle
import signal
import struct
import subprocess
import sys
import threading
from typing import IO, Any

#: Seconds that one saturation may take, and bytes that the process may take beside what it has.
TIMEOUT = 20.0
MEMORY = 1 << 30

_LENGTH = struct.Struct("<Q")


class GivenUp(Exception):
    """The user's rules could not be used; the message tells why."""


class _Died(GivenUp):
    """The process ended; it was ended if that was ``late``."""

    def __init__(self, late: bool) -> None:
        self.late = late
        memory = f"they took more than {MEMORY >> 30} GiB of memory, or made egglog fail"
        super().__init__(f"they took more than {TIMEOUT:.0f} seconds" if late else memory)


class Apart:
    """The other process.  Used by one thread at a time."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._lock = threading.Lock()
        atexit.register(self.stop)
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=self._forget)

    def _forget(self) -> None:
        """In a forked child: the process is the parent's."""
        self._process, self._lock = None, threading.Lock()

    def saturate(self, *job: Any) -> Any:
        """The graph that :func:`luma.optimizer.rewrite.saturate` makes of a job.

        Raises GivenUp if it fails, takes too long or too much memory.
        """
        used = self._process is not None
        try:
            return self._saturate(*job)
        except _Died as death:
            if death.late or not used:
                raise
            return self._saturate(*job)  # earlier jobs may have used up what it may have

    def _saturate(self, *job: Any) -> Any:
        with self._lock:
            process = self._running()
            late = threading.Event()
            timer = threading.Timer(TIMEOUT, _end, (process, late))
            timer.start()
            try:
                assert process.stdin is not None and process.stdout is not None
                _write(process.stdin, job)
                done, value = _read(process.stdout)
            except (OSError, EOFError, pickle.UnpicklingError):
                self._process = None
                process.kill()
                process.wait()
                raise _Died(late.is_set()) from None
            finally:
                timer.cancel()
            if not done:
                self.stop()  # what failed may be broken
                raise GivenUp(value)
            return value

    def _running(self) -> subprocess.Popen[bytes]:
        if self._process is None or self._process.poll() is not None:
            program = (
                f"import sys; sys.path[:] = {sys.path!r}; from {__name__} import serve; serve()"
            )
            try:
                self._process = subprocess.Popen(
                    [sys.executable, "-c", program],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.DEVNULL,
                )
            except OSError as fault:
                raise GivenUp(f"the process for them cannot be started: {fault.strerror}") from None
        return self._process

    def stop(self) -> None:
        """End the process."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None


def _end(process: subprocess.Popen[bytes], late: threading.Event) -> None:
    late.set()
    process.kill()


def _write(stream: IO[bytes], value: Any) -> None:
    data = pickle.dumps(value, pickle.HIGHEST_PROTOCOL)
    stream.write(_LENGTH.pack(len(data)))
    stream.write(data)
    stream.flush()


def _read(stream: IO[bytes]) -> Any:
    head = stream.read(_LENGTH.size)
    if len(head) < _LENGTH.size:
        raise EOFError
    (length,) = _LENGTH.unpack(head)
    data = stream.read(length)
    if len(data) < length:
        raise EOFError
    return pickle.loads(data)  # from our own process


APART = Apart()


# ---------------------------------------------------------------- in the other process


def serve() -> None:
    """Do jobs from standard input until it ends."""
    source = os.fdopen(os.dup(0), "rb")
    sink = os.fdopen(os.dup(1), "wb")
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, 0)
    os.dup2(null, 1)  # nothing else may write between the answers
    from luma.optimizer.rewrite import saturate_here

    _limit_memory()
    while True:
        try:
            job = _read(source)
        except EOFError:
            return
        answer: tuple[bool, Any]
        _limit_time(2 * TIMEOUT)  # who watches the time may be gone
        try:
            answer = (True, saturate_here(*job))
        except MemoryError:
            answer = (False, f"they took more than {MEMORY >> 30} GiB of memory")
        except Exception as fault:
            answer = (False, str(fault) or type(fault).__name__)
        _limit_time(0)
        try:
            _write(sink, answer)
        except BrokenPipeError:
            return


def _limit_time(seconds: float) -> None:
    """Let the process end after some seconds; 0 takes that back.  Windows has no such limit."""
    if hasattr(signal, "alarm"):
        signal.alarm(int(seconds))


def _limit_memory() -> None:
    """Let the process have little more address space than it has; where that cannot be told, 4 GiB.

    Windows has no such limit; the time is limited everywhere.
    """
    try:
        import resource
    except ImportError:
        return
    try:
        with open("/proc/self/statm", encoding="ascii") as numbers:
            used = int(numbers.read().split()[0]) * resource.getpagesize()
    except OSError:
        used = 3 << 30
    limit = used + MEMORY + (512 << 20)  # the threads' stacks take addresses, not memory
    hard = resource.getrlimit(resource.RLIMIT_AS)[1]
    if hard != resource.RLIM_INFINITY:
        limit = min(limit, hard)
    resource.setrlimit(resource.RLIMIT_AS, (limit, hard))
