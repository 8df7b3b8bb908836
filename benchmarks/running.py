"""How long compute shaders run on the CPU (Mesa's lavapipe), by whichever compiler they are made.

``python -m benchmarks.running [NAME...] [--level L,L] [--peers P,P] [--rounds N] [--json FILE]``

A dispatch is recorded often enough that one submission takes some milliseconds; what is told is the
median of interleaved submissions.  The driver optimizes what it gets once more, by LLVM.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import vulkan as vk

from benchmarks.comparison import Comparison, as_text
from benchmarks.compilers import PEERS, Compiled, compile_all
from benchmarks.figures import interleaved, medians
from benchmarks.isa import words
from benchmarks.subjects import Subject, subjects
from tests.harness.jobs import Dispatch
from tests.harness.vulkan_host import Host, begin

#: Seconds that one submission should take at least.
SUBMISSION = 0.02
_MOST_DISPATCHES = 20_000


@dataclass(frozen=True, slots=True)
class _Prepared:
    """A pipeline with what is bound to it."""

    pipeline: Any
    bound: Any


class Stopwatch(Host):
    """Runs dispatches and tells nothing of what they gave."""

    def times(
        self, job: Dispatch, modules: dict[str, Compiled], rounds: int
    ) -> dict[str, list[float]]:
        """Seconds of a dispatch with each module, round by round."""
        try:
            ready = {name: self._prepare(job, made) for name, made in modules.items()}
            first = next(iter(ready.values()))
            once = self._timed(job, first, 1)
            repeats = max(1, min(_MOST_DISPATCHES, round(SUBMISSION / once)))
            runs: dict[str, Callable[[], object]] = {
                name: lambda each=each: self._submit(job, each, repeats)  # type: ignore[misc]
                for name, each in ready.items()
            }
            found = interleaved(runs, rounds, time.perf_counter)
            return {name: [t / repeats for t in spent] for name, spent in found.items()}
        finally:
            self.device.release()

    def _prepare(self, job: Dispatch, made: Compiled) -> _Prepared:
        bound = self._bind(job.resources, job.push, (made.binary,))
        named = replace(job, entry=made.entry)
        return _Prepared(self._compute_pipeline(named, made.binary, bound), bound)

    def _timed(self, job: Dispatch, ready: _Prepared, repeats: int) -> float:
        self._submit(job, ready, repeats)
        start = time.perf_counter()
        self._submit(job, ready, repeats)
        return time.perf_counter() - start

    def _submit(self, job: Dispatch, ready: _Prepared, repeats: int) -> None:
        point = vk.VK_PIPELINE_BIND_POINT_COMPUTE

        def record(commands: Any) -> None:
            begin(commands, point, ready.pipeline, ready.bound, job.push)
            for _ in range(repeats):
                vk.vkCmdDispatch(commands, *job.groups)

        self.device.submit(record)


def measure(
    chosen: Sequence[Subject], levels: Sequence[str], peers: Sequence[str], rounds: int
) -> Comparison:
    """Microseconds of a dispatch of each compute stage that has data to run on."""
    watch = Stopwatch()
    rows: dict[str, dict[str, float]] = {}
    borrowed: dict[str, list[str]] = {}
    for subject in chosen:
        job = subject.job() if subject.job is not None else None
        if not isinstance(job, Dispatch):
            continue
        modules, _ = compile_all(subject, levels, peers)
        times = medians(watch.times(job, modules, rounds))
        rows[subject.name] = {name: 1e6 * seconds for name, seconds in times.items()}
        borrowed[subject.name] = [
            n for n, made in modules.items() if n in peers and made.language.startswith("luma")
        ]
    return Comparison("lavapipe, microseconds a dispatch", rows, borrowed)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run and print."""
    parser = argparse.ArgumentParser(description="Running times of compute shaders on lavapipe.")
    parser.add_argument("names", nargs="*", help="entries of the corpus (all if there is none)")
    parser.add_argument("--level", type=words, default=["none", "aggressive"])
    parser.add_argument("--peers", type=words, default=list(PEERS))
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--json", type=Path, help="write the figures to this file")
    options = parser.parse_args(arguments)
    table = measure(subjects(options.names), options.level, options.peers, options.rounds)
    print(as_text(table))
    if options.json is not None:
        options.json.write_text(json.dumps(table.as_json(), indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
