"""What shaders cost on AMD GPUs when Luma compiles them, and when its peers do; no GPU is needed.

``python -m benchmarks.isa [NAME...] [--family F,F] [--level L,L] [--peers P,P] [--json FILE]
[--assembly DIR]``

Names are those of the corpus's entries.  Times are issue cycles read from the assembly;
where all compilers leave the same number of loops, the driver's Inverse Throughput, which weighs
them (marked ``loop``); where one unrolls what another does not, issue cycles weighed by the trips
that the loop makes (marked ``trips``).  A peer marked ``*`` started from what Luma makes without
optimization, as the stage is not written in a language that it reads.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.amd import FAMILIES, Cost, DriverFailure, Gpu, comparable
from benchmarks.comparison import BORROWED, OWN, Comparison
from benchmarks.compilers import NO_TWIN, PEERS, compile_all
from benchmarks.figures import geometric_mean
from benchmarks.subjects import Subject, subjects
from luma import pipeline


@dataclass(frozen=True, slots=True)
class Row:
    """One stage by every compiler on one GPU; ``started`` is the language of each, ``failed`` why
    there is no cost of some."""

    subject: str
    family: str
    costs: Mapping[str, Cost]
    started: Mapping[str, str]
    failed: Mapping[str, str]

    @property
    def time(self) -> str:
        """The field of Cost by which times are compared."""
        return comparable(self.costs.values())

    def figure(self, compiler: str, what: str) -> int:
        """A field of Cost, or ``time``."""
        found: int = getattr(self.costs[compiler], self.time if what == "time" else what)
        return found

    def borrowed(self, compiler: str) -> bool:
        """Whether a peer started from what Luma makes without optimization."""
        return not compiler.startswith(OWN) and self.started[compiler].startswith("luma")

    def best_peer(self, what: str) -> int | None:
        """The least that a peer has."""
        return min(
            (self.figure(name, what) for name in self.costs if not name.startswith(OWN)),
            default=None,
        )

    def ratio(self, compiler: str, what: str) -> float | None:
        """A compiler's figure over that of the best peer."""
        best = self.best_peer(what)
        if best is None or compiler not in self.costs:
            return None
        return self.figure(compiler, what) / best if best else 1.0

    def as_json(self) -> dict[str, Any]:
        """The row as plain data."""
        return {
            "subject": self.subject,
            "family": self.family,
            "time": self.time,
            "costs": {name: cost.as_json() for name, cost in self.costs.items()},
            "started": dict(self.started),
            "failed": dict(self.failed),
        }


def measure(
    chosen: Sequence[Subject],
    families: Sequence[str] = FAMILIES,
    levels: Sequence[str] = ("aggressive",),
    peers: Sequence[str] = tuple(PEERS),
    assembly: Path | None = None,
) -> list[Row]:
    """The cost of every stage by every compiler on every family; programs go into a folder."""
    gpus = {family: Gpu(family) for family in families}
    rows = []
    for subject in chosen:
        compiled, failed = compile_all(subject, levels, peers)
        for family, gpu in gpus.items():
            costs: dict[str, Cost] = {}
            problems = dict(failed)
            for name, made in compiled.items():
                try:
                    program = gpu.compile(subject, made.binary, made.entry)
                    costs[name] = program.cost(subject.trips)
                    if assembly is not None:
                        _keep(assembly / family / subject.name, name, program.assembly)
                except DriverFailure as error:
                    problems[name] = str(error)
            started = {name: made.language for name, made in compiled.items()}
            rows.append(Row(subject.name, family, costs, started, problems))
    return rows


def _keep(folder: Path, name: str, text: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name.replace(' ', '-')}.s").write_text(text, encoding="utf-8")


def comparisons(rows: Sequence[Row]) -> list[Comparison]:
    """Tables of instructions, times and VGPRs, for each family."""
    families = list(dict.fromkeys(row.family for row in rows))
    whats = {"instructions": "instructions", "time": "time, cycles", "registers": "VGPRs"}
    return [
        _comparison([row for row in rows if row.family == family], what, f"{family} {title}")
        for family in families
        for what, title in whats.items()
    ]


def _comparison(rows: Sequence[Row], what: str, title: str) -> Comparison:
    return Comparison(
        title,
        {row.subject: {name: row.figure(name, what) for name in row.costs} for row in rows},
        {row.subject: [name for name in row.costs if row.borrowed(name)] for row in rows},
        {row.subject: _MARKS[row.time].strip() for row in rows} if what == "time" else {},
    )


# ---------------------------------------------------------------- as text


def report(rows: Sequence[Row]) -> str:
    """The rows as tables, one for each family."""
    families = list(dict.fromkeys(row.family for row in rows))
    return "\n\n".join(_table(f, [r for r in rows if r.family == f]) for f in families)


def _table(family: str, rows: Sequence[Row]) -> str:
    own = _compilers(rows, own=True)
    peers = _compilers(rows, own=False)
    lines = [f"{family}: instructions/time; ratios to the best peer; VGPRs and latency beside its"]
    head = "".join(f"{name:>14}" for name in (*own, *peers))
    lines.append(f"{'':28}{head}{'ins':>7}{'time':>7}{'VGPRs':>9}{'latency':>13}")
    for row in rows:
        cells = "".join(f"{_cell(row, name):>14}" for name in (*own, *peers))
        lines.append(f"{row.subject:28}{cells}{_ratios(row, own[-1])}{_MARKS[row.time]}")
    for row in rows:
        lines += [
            f"{row.subject} by {name}: {' '.join(why.split())[:200]}"
            for name, why in row.failed.items()
            if _told(name, why)
        ]
    for what in ("instructions", "time"):
        means = {name: _mean(rows, name, what) for name in own}
        told = ", ".join(f"{n} {m:.3f}" for n, m in means.items())
        lines.append(f"geometric mean of {what} over the best peer: {told}")
    return "\n".join(lines)


_MARKS = {"cycles": "", "throughput": "  loop", "weighted": "  trips"}


def _compilers(rows: Sequence[Row], *, own: bool) -> list[str]:
    names = dict.fromkeys(n for row in rows for n in (*row.costs, *row.failed))
    return [n for n in names if n.startswith(OWN) == own]


def _told(name: str, why: str) -> bool:
    """Whether a failure is worth a line: not that a peer has nothing to start from."""
    return name.startswith(OWN) or NO_TWIN not in why


def _cell(row: Row, name: str) -> str:
    if name not in row.costs:
        return "-"
    mark = BORROWED if row.borrowed(name) else ""
    return f"{row.costs[name].instructions}/{row.figure(name, 'time')}{mark}"


def _ratios(row: Row, name: str) -> str:
    if name not in row.costs or row.best_peer("time") is None:
        return ""
    instructions, time = row.ratio(name, "instructions"), row.ratio(name, "time")
    beside = [
        f"{row.figure(name, what)}:{row.best_peer(what)}" for what in ("registers", "latency")
    ]
    return f"{instructions:7.2f}{time:7.2f}{beside[0]:>9}{beside[1]:>13}"


def _mean(rows: Sequence[Row], name: str, what: str) -> float:
    return geometric_mean(r for row in rows if (r := row.ratio(name, what)))


# ---------------------------------------------------------------- the command


def words(text: str) -> list[str]:
    """The words of a list with commas."""
    return [word for word in text.split(",") if word]


def main(arguments: Sequence[str] | None = None) -> None:
    """Run and print."""
    parser = argparse.ArgumentParser(description="Costs on AMD GPUs, without one.")
    parser.add_argument("names", nargs="*", help="entries of the corpus (all if there is none)")
    parser.add_argument("--family", type=words, default=list(FAMILIES), help="GPU families")
    parser.add_argument("--level", type=words, default=["aggressive"], help="Luma's levels")
    parser.add_argument("--peers", type=words, default=list(PEERS), help="compilers to compare")
    parser.add_argument("--json", type=Path, help="write the figures to this file")
    parser.add_argument("--assembly", type=Path, help="write the programs into this folder")
    options = parser.parse_args(arguments)
    _known("level", options.level, pipeline.OPT_LEVELS)
    _known("peer", options.peers, PEERS)
    try:
        chosen = subjects(options.names)
    except KeyError as unknown:
        sys.exit(f"there is no shader {unknown}")
    rows = measure(chosen, options.family, options.level, options.peers, options.assembly)
    print(report(rows))
    if options.json is not None:
        plain = [row.as_json() for row in rows]
        options.json.write_text(json.dumps(plain, indent=1) + "\n", encoding="utf-8")


def _known(what: str, given: Sequence[str], known: Sequence[str] | Mapping[str, Any]) -> None:
    for name in given:
        if name not in known:
            sys.exit(f"there is no {what} {name}; there is {', '.join(known)}")


if __name__ == "__main__":
    main()
