"""A process that runs compiled MSL, so that a shader that hangs or crashes fails its own test only.

``python -m tests.harness.msl.worker`` serves jobs; the modules of a job are pickled stages.
"""

from __future__ import annotations

import pickle

from tests.harness.jobs import Job, Outputs
from tests.harness.msl.host import Host, Stage
from tests.harness.worker import serve_streams


class Runner:
    """Runs jobs on a host that loads the library they name."""

    def __init__(self) -> None:
        self._hosts: dict[str, Host] = {}

    def run(self, job: Job, modules: tuple[bytes, ...]) -> Outputs:
        """What a job gives."""
        stages: tuple[Stage, ...] = tuple(pickle.loads(stage) for stage in modules)
        library = stages[0].runtime
        if library not in self._hosts:
            self._hosts[library] = Host(library)
        return self._hosts[library].run(job, stages)


if __name__ == "__main__":
    serve_streams(Runner)
