"""WGSL: checked by Tint (the compiler of Chrome), then run through naga (that of Firefox).

``python -m tests.harness.wgsl`` serves jobs on a process of its own, as the Vulkan worker does.
"""

from __future__ import annotations

import atexit
from functools import lru_cache

from tests.harness.cases import Case
from tests.harness.compile import emitted
from tests.harness.jobs import Outputs
from tests.harness.worker import Driver, serve_streams


@lru_cache(maxsize=1)
def driver() -> Driver:
    """The process that runs WGSL, started when it is first needed."""
    made = Driver(module="tests.harness.wgsl")
    atexit.register(made.close)
    return made


def run(case: Case, level: str) -> Outputs:
    """What a case gives as WGSL at a level.  Raises CompileError or DriverError."""
    texts = [emitted(*stage[:2], "wgsl", level, case.fp) for stage in case.stages()]
    return driver().run(case.job(), tuple(texts))


def validate(text: bytes) -> None:
    """Raise DriverError unless Tint accepts the text."""
    from tests.harness.jobs import Dispatch

    driver().run(Dispatch("", (0, 0, 0)), (text,))


def main() -> None:
    """Serve a WebGPU device."""
    from tests.harness.wgpu_host import Host

    serve_streams(Host)


if __name__ == "__main__":
    main()
