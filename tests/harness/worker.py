"""A process that runs jobs on the Vulkan device, so that a shader that hangs or crashes the driver
fails its own test only.

``python -m tests.harness.worker`` serves pickled (job, modules) requests on its standard input.
"""

from __future__ import annotations

import os
import pickle
import select
import struct
import subprocess
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO, Protocol, cast

from tests.harness.jobs import Job, Outputs

#: Longest time a job may take, in seconds.
TIME_LIMIT = 30.0

_ROOT = Path(__file__).parents[2]
_LENGTH = struct.Struct("<Q")


class DriverError(Exception):
    """A job failed: the driver refused it, crashed, or did not come back in time."""


class Driver:
    """The worker as seen from the tests; started when first needed, again after a failure."""

    def __init__(
        self, time_limit: float = TIME_LIMIT, module: str = "tests.harness.worker"
    ) -> None:
        self.time_limit = time_limit
        self.module = module
        self._process: subprocess.Popen[bytes] | None = None

    def run(self, job: Job, modules: tuple[bytes, ...]) -> Outputs:
        """What a job gives.  Raises DriverError."""
        process = self._running()
        assert process.stdin is not None
        message = pickle.dumps((job, modules))
        try:
            process.stdin.write(_LENGTH.pack(len(message)) + message)
            process.stdin.flush()
            answer = pickle.loads(self._receive(process))
        except (BrokenPipeError, EOFError) as gone:
            status = self._end()
            raise DriverError(f"the driver's process died (status {status})") from gone
        except TimeoutError as late:
            self._end()
            raise DriverError(f"no answer within {self.time_limit:g} s: the shader hangs") from late
        if isinstance(answer, str):
            raise DriverError(answer)
        return cast(Outputs, answer)

    def close(self) -> None:
        """End the worker."""
        if self._process is not None:
            self._end()

    def _running(self) -> subprocess.Popen[bytes]:
        if self._process is None or self._process.poll() is not None:
            self._process = subprocess.Popen(
                [sys.executable, "-m", self.module],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                cwd=_ROOT,
            )
        return self._process

    def _end(self) -> int:
        process, self._process = self._process, None
        assert process is not None
        process.kill()
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                try:
                    pipe.close()
                except BrokenPipeError:
                    continue  # what was left unsent has nobody to read it
        return process.wait()

    def _receive(self, process: subprocess.Popen[bytes]) -> bytes:
        assert process.stdout is not None
        (size,) = _LENGTH.unpack(self._read(process.stdout.fileno(), _LENGTH.size))
        return self._read(process.stdout.fileno(), size)

    def _read(self, descriptor: int, size: int) -> bytes:
        data = b""
        while len(data) < size:
            if not select.select([descriptor], [], [], self.time_limit)[0]:
                raise TimeoutError
            piece = os.read(descriptor, min(size - len(data), 1 << 20))
            if not piece:
                raise EOFError
            data += piece
        return data


class Runner(Protocol):
    """What runs jobs inside the worker."""

    def run(self, job: Job, modules: tuple[bytes, ...]) -> Outputs:
        """What a job gives."""


def serve(requests: BinaryIO, answers: BinaryIO, host: Runner) -> None:
    """Answer requests until there are no more; an answer that is a string is an error's text."""
    while header := requests.read(_LENGTH.size):
        job, modules = pickle.loads(requests.read(_LENGTH.unpack(header)[0]))
        try:
            answer: object = host.run(job, modules)
        except Exception:  # whatever it is, the test must hear of it
            answer = traceback.format_exc()
        message = pickle.dumps(answer)
        answers.write(_LENGTH.pack(len(message)) + message)
        answers.flush()


def serve_streams(host: Callable[[], Runner]) -> None:
    """Serve on the standard streams; what the driver prints goes to standard error."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    serve(sys.stdin.buffer, answers, host())


def main() -> None:
    """Serve the Vulkan device."""
    from tests.harness.vulkan_host import Host

    serve_streams(Host)


if __name__ == "__main__":
    main()
