"""How long shaders take to compile, and how much memory that takes, beside other compilers.

``python -m benchmarks.compiling [NAME...] [--rounds N] [--cold NAME,NAME] [--json FILE]``

Warm times are of compilers in this process with everything loaded: Luma stage by stage, and the
libraries of the peers on the same stage.  Cold times are of whole processes, which come with their
peak of memory.  All are medians of interleaved rounds.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import sysconfig
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any, TypeVar

from benchmarks.comparison import OWN, Comparison, as_text
from benchmarks.compilers import (
    DXC_WORDS,
    GLSLC_ENVIRONMENT,
    SLANG_WORDS,
    NotCompiled,
    Twin,
    located,
    slang_library,
    tool,
    twin_of,
)
from benchmarks.figures import interleaved, medians
from benchmarks.isa import words
from benchmarks.subjects import CORPUS, Subject, subjects
from luma import pipeline
from luma.ir.reach import select

T = TypeVar("T")
STAGES = ("parse", "check", "lower", "optimize", "emit")
COLD = ("pbr_fragment", "tonemap")


# ---------------------------------------------------------------- warm


def by_stage(subject: Subject, level: str, target: str = "spirv") -> dict[str, float]:
    """Seconds of every stage of one compilation by Luma."""
    spent: dict[str, float] = {}

    def timed(stage: str, run: Callable[[], T]) -> T:
        start = time.perf_counter()
        result = run()
        spent[stage] = time.perf_counter() - start
        return result

    text = subject.path.read_text(encoding="utf-8")
    folders = (str(CORPUS),)
    parsed = timed("parse", lambda: pipeline.parse(text, str(subject.path), include_dirs=folders))
    checked = timed("check", lambda: pipeline.check(parsed))
    module = select(timed("lower", lambda: pipeline.lower(checked)), (subject.entry,))
    done = timed("optimize", lambda: pipeline.optimize(module, level, target=target))
    timed("emit", lambda: pipeline.emit(done, target, unoptimized=module))
    return spent


def compile_luma(subject: Subject, level: str, target: str = "spirv") -> None:
    """One compilation by Luma, from the text on."""
    found = pipeline.compile(
        subject.path.read_text(encoding="utf-8"),
        name=str(subject.path),
        opt=level,
        target=target,
        entry=subject.entry,
        include_dirs=(str(CORPUS),),
    )
    assert found.success, found.diagnostics


@dataclass(frozen=True, slots=True)
class Library:
    """A compiler in this process: what it starts from, and its call for one text."""

    languages: tuple[str, ...]
    compile: Callable[[Twin], object]


def libraries() -> dict[str, Library]:
    """The peers that can be called in this process, each ready."""
    from tests.harness.dxc import compile_hlsl
    from tests.harness.slang import Compiler

    compiler = Compiler()

    def slang(twin: Twin) -> object:
        return compiler.compile(located(twin.text), twin.stage, twin.entry, SLANG_WORDS, False)

    def dxc(twin: Twin) -> object:
        return compile_hlsl(located(twin.text), twin.stage, twin.entry, *DXC_WORDS)

    hlsl = ("hlsl", "luma-hlsl")
    return {
        "slang": Library(hlsl, slang),
        "dxc": Library(hlsl, dxc),
        "crosstl": Library(("glsl",), _crosstl),
    }


def _crosstl(twin: Twin) -> object:
    import crosstl

    suffix = {"vertex": ".vert", "fragment": ".frag", "compute": ".comp"}[twin.stage]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, f"in{suffix}")
        path.write_text(twin.text, encoding="utf-8")
        return crosstl.translate(str(path), backend="metal", format_output=False)


def warm(chosen: Sequence[Subject], rounds: int, target: str = "spirv") -> Comparison:
    """Milliseconds of a compilation in a process that has everything loaded.

    Luma makes ``target``; Slang and DXC make SPIR-V, crosstl MSL.
    """
    peers = libraries()
    rows: dict[str, dict[str, float]] = {}
    borrowed: dict[str, list[str]] = {}
    for subject in chosen:
        runs: dict[str, Callable[[], object]] = {
            OWN + level: partial(compile_luma, subject, level, target)
            for level in pipeline.OPT_LEVELS
        }
        for name, peer in peers.items():
            try:
                twin = twin_of(subject, peer.languages)
            except NotCompiled:
                continue
            runs[name] = partial(peer.compile, twin)
            if twin.language.startswith("luma"):
                borrowed.setdefault(subject.name, []).append(name)
        times = medians(interleaved(runs, rounds, time.perf_counter))
        rows[subject.name] = {name: 1e3 * seconds for name, seconds in times.items()}
    return Comparison("compile time, warm, ms", rows, borrowed)


def stages(chosen: Sequence[Subject], rounds: int) -> dict[str, dict[str, dict[str, float]]]:
    """Median milliseconds by subject, level and stage."""
    found: dict[str, dict[str, dict[str, float]]] = {}
    for subject in chosen:
        taken: dict[str, list[dict[str, float]]] = {level: [] for level in pipeline.OPT_LEVELS}
        for number in range(rounds + 1):
            for level in pipeline.OPT_LEVELS:
                spent = by_stage(subject, level)
                if number:
                    taken[level].append(spent)
        found[subject.name] = {
            level: {s: 1e3 * median(spent[s] for spent in each) for s in STAGES}
            for level, each in taken.items()
        }
    return found


# ---------------------------------------------------------------- cold


def cold(chosen: Sequence[Subject], rounds: int) -> tuple[Comparison, Comparison]:
    """Milliseconds of whole processes, and MiB that they need at most."""
    times: dict[str, dict[str, float]] = {}
    memory: dict[str, dict[str, float]] = {}
    borrowed: dict[str, list[str]] = {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for subject in chosen:
            commands = cold_commands(subject, folder)
            environment = _with_bytecode(folder)
            runs = {key: partial(_run, each, environment) for key, each in commands.items()}
            spent = medians(interleaved(runs, rounds, time.perf_counter))
            times[subject.name] = {key: 1e3 * seconds for key, seconds in spent.items()}
            memory[subject.name] = {
                key: _peak(each, environment, folder) for key, each in commands.items()
            }
            if "hlsl" not in subject.twins:
                borrowed[subject.name] = ["slang"]
    return (
        Comparison("compile time, cold process, ms", times, borrowed),
        Comparison("memory of a cold process, MiB", memory, borrowed),
    )


def cold_commands(subject: Subject, folder: Path) -> dict[str, list[str]]:
    """The command lines that are timed as whole processes."""
    luma, output = _script("luma"), str(folder / "out.spv")
    wanted = ["--entry", subject.entry, "-I", str(CORPUS), "--target=spirv", "-o", output]
    commands = {
        OWN + level: [luma, "compile", str(subject.path), f"--opt={level}", *wanted]
        for level in pipeline.OPT_LEVELS
    }
    if "glsl" in subject.twins:
        source, stage = str(subject.twins["glsl"]), subject.stage.value
        for option in ("-O0", "-O"):
            words = [GLSLC_ENVIRONMENT, option, f"-fshader-stage={stage}", source, "-o", output]
            commands[f"glslc{option}"] = [tool("glslc"), *words]
        commands["glslang"] = [tool("glslangValidator"), "-V", source, "-o", output]
        text = ["--backend", "metal", "--no-format", "--output", str(folder / "out.metal")]
        commands["crosstl"] = [_script("crosstl"), "translate", source, *text]
    twin = twin_of(subject, ("hlsl", "luma-hlsl"))
    hlsl = folder / f"{subject.name}.hlsl"
    hlsl.write_text(located(twin.text), encoding="utf-8")
    program = str(Path(__file__).with_name("slangc.py"))
    words = [slang_library(), str(hlsl), twin.stage, twin.entry, output]
    commands["slang"] = [sys.executable, program, *words]
    return commands


def _script(name: str) -> str:
    """A program of this Python's environment.  Raises NotCompiled if it is not installed."""
    beside = Path(sysconfig.get_path("scripts"), name)
    return str(beside) if beside.exists() else tool(name)


def _with_bytecode(folder: Path) -> dict[str, str]:
    """An environment in which Python keeps byte code, as an installation has it."""
    kept = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    return kept | {"PYTHONPYCACHEPREFIX": str(folder / "bytecode")}


def _run(command: Sequence[str], environment: Mapping[str, str]) -> None:
    """Run a command.  Raises NotCompiled if it fails."""
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    if done.returncode:
        raise NotCompiled(f"{' '.join(command)} failed:\n{done.stdout}{done.stderr}")


def _peak(command: Sequence[str], environment: Mapping[str, str], folder: Path) -> float:
    """The MiB that a command needs at most.  Raises NotCompiled if it fails."""
    told = folder / "peak"
    program = str(Path(__file__).with_name("peak.py"))
    _run([sys.executable, "-S", program, str(told), *command], environment)
    return float(told.read_text(encoding="ascii"))


# ---------------------------------------------------------------- batches


@dataclass(frozen=True, slots=True)
class Batch:
    """A process that compiled many stages one after the other."""

    count: int
    seconds: float
    first: float
    peak: float

    def as_json(self) -> dict[str, float]:
        """The figures as plain data; seconds and MiB."""
        return asdict(self)


def batches() -> dict[str, Batch]:
    """The whole corpus by Luma at each level, and by Slang, each in a process of its own."""
    found = {}
    for name in (*(OWN + level for level in pipeline.OPT_LEVELS), "slang"):
        with tempfile.TemporaryDirectory() as folder:
            output = Path(folder, "batch.json")
            command = [sys.executable, "-m", __spec__.name, "--batch", name, "--json", str(output)]
            peak = _peak(command, os.environ, Path(folder))
            told = json.loads(output.read_text(encoding="utf-8"))
        found[name] = Batch(peak=peak, **told)
    return found


def run_batch(name: str) -> dict[str, float]:
    """Compile the corpus in this process: how many stages, seconds, and those of the first."""
    chosen = subjects()
    runs: list[Callable[[], object]]
    if name.startswith(OWN):
        level = name.removeprefix(OWN)
        runs = [partial(compile_luma, subject, level) for subject in chosen]
    else:
        peer = libraries()[name]
        runs = [partial(peer.compile, twin_of(s, peer.languages)) for s in chosen]
    spent = []
    for run in runs:
        start = time.perf_counter()
        run()
        spent.append(time.perf_counter() - start)
    return {"count": len(spent), "seconds": sum(spent), "first": spent[0]}


# ---------------------------------------------------------------- the command


def measure(chosen: Sequence[Subject], cold_names: Sequence[str], rounds: int) -> dict[str, Any]:
    """Everything, as plain data."""
    times, memory = cold(subjects(cold_names), rounds)
    return {
        "tables": [warm(chosen, rounds).as_json(), times.as_json(), memory.as_json()],
        "stages": stages(subjects(cold_names), rounds),
        "batches": {name: batch.as_json() for name, batch in batches().items()},
    }


def report(found: Mapping[str, Any]) -> str:
    """The figures as text."""
    parts = [as_text(Comparison.of_json(plain)) for plain in found["tables"]]
    lines = [f"{'warm, ms':34}" + "".join(f"{s:>10}" for s in STAGES)]
    for subject, levels in found["stages"].items():
        for level, spent in levels.items():
            cells = "".join(f"{spent[s]:10.1f}" for s in STAGES)
            lines.append(f"{f'{subject} {level}':34}{cells}")
    parts.append("\n".join(lines))
    lines = [f"{'the corpus in one process':34}{'stages':>8}{'s':>8}{'first s':>9}{'MiB':>8}"]
    for name, b in found["batches"].items():
        lines.append(f"{name:34}{b['count']:8}{b['seconds']:8.2f}{b['first']:9.2f}{b['peak']:8.0f}")
    parts.append("\n".join(lines))
    return "\n\n".join(parts)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run and print."""
    parser = argparse.ArgumentParser(description="Compile time and memory beside the peers'.")
    parser.add_argument("names", nargs="*", help="entries of the corpus (all if there is none)")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--cold", type=words, default=list(COLD), help="those for cold processes")
    parser.add_argument("--json", type=Path, help="write the figures to this file")
    parser.add_argument("--batch", help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    if options.batch is not None:
        found = run_batch(options.batch)
    else:
        found = measure(subjects(options.names), options.cold, options.rounds)
        print(report(found))
    if options.json is not None:
        options.json.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
