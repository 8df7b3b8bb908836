"""How long the PBR surface takes to compile, and how large it gets, beside glslc.

``python -m benchmarks.compile_pbr [--rounds N] [--json FILE]``

The opponent is the same surface in idiomatic GLSL (``benchmarks/corpus/pbr_fragment``), which a
test proves to draw the same picture.  Cold runs are whole processes, interleaved so that a change
of the machine's pace meets all alike; their ratio is that of the medians.  Warm times are taken
stage by stage in this process.  Sizes leave names and line numbers out on both sides.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any, TypeVar

from luma import pipeline
from luma.ir.reach import select
from tests.harness.spirv_reader import body_count, instruction_count, stripped_size

ROOT = Path(__file__).parents[1]
SHADER = ROOT / "benchmarks" / "corpus" / "pbr_fragment" / "pbr_fragment.luma"
OPPONENT = ROOT / "benchmarks" / "corpus" / "pbr_fragment" / "pbr_fragment.frag"
GLSLC_LEVELS = ("-O0", "-O", "-Os")

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Size:
    """The size of a SPIR-V module without names and lines."""

    bytes: int
    instructions: int
    in_functions: int


def tool(name: str) -> str:
    """The path of a tool, looked for beside this Python first.  Raises SystemExit without it."""
    beside = Path(sysconfig.get_path("scripts"), name)
    found = str(beside) if beside.exists() else shutil.which(name)
    if found is None:
        sys.exit(f"{name} is not installed")
    return found


def cold_commands(folder: Path) -> dict[str, list[str]]:
    """The command lines that are timed as whole processes."""
    luma, glslc = tool("luma"), tool("glslc")
    common = ["compile", str(SHADER), "--target=spirv"]
    commands = {
        f"luma --opt={level}": [luma, *common, f"--opt={level}", "-o", str(folder / f"{level}.spv")]
        for level in pipeline.OPT_LEVELS
    }
    for level in GLSLC_LEVELS:
        output = ["-o", str(folder / f"glslc{level}.spv")]
        commands[f"glslc {level}"] = [
            glslc, "--target-env=vulkan1.1", level, str(OPPONENT), *output,
        ]  # fmt: skip
    return commands


def time_cold(
    commands: Mapping[str, list[str]], rounds: int, folder: Path
) -> dict[str, list[float]]:
    """Wall seconds of each command, round by round; the first round does not count.

    It leaves the byte code of Luma and of what it imports in ``folder``, as an installation has it.
    """
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    environment["PYTHONPYCACHEPREFIX"] = str(folder / "bytecode")
    times: dict[str, list[float]] = {name: [] for name in commands}
    for number in range(rounds + 1):
        for name, command in commands.items():
            start = time.perf_counter()
            done = subprocess.run(
                command, capture_output=True, text=True, check=False, env=environment
            )
            spent = time.perf_counter() - start
            if done.returncode:
                sys.exit(f"{' '.join(command)} failed:\n{done.stdout}{done.stderr}")
            if number:
                times[name].append(spent)
    return times


def time_warm(level: str, rounds: int) -> dict[str, float]:
    """Median seconds of every stage in a process that has all modules loaded."""
    times: dict[str, list[float]] = {}

    def timed(stage: str, run: Callable[..., T], *args: Any) -> T:
        start = time.perf_counter()
        result = run(*args)
        times.setdefault(stage, []).append(time.perf_counter() - start)
        return result

    text = SHADER.read_text(encoding="utf-8")
    for _ in range(rounds + 1):
        parsed = timed("parse", pipeline.parse, text, str(SHADER))
        checked = timed("check", pipeline.check, parsed)
        module = select(timed("lower", pipeline.lower, checked), ("shade",))
        done = timed("optimize", pipeline.optimize, module, level)
        timed("emit", pipeline.emit, done, "spirv")
    return {stage: median(values[1:]) for stage, values in times.items()}


def measure(binary: bytes) -> Size:
    """The size of a module."""
    return Size(stripped_size(binary), instruction_count(binary), body_count(binary))


def run(rounds: int) -> dict[str, Any]:
    """All measurements, as plain data."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        commands = cold_commands(folder)
        cold = {key: median(values) for key, values in time_cold(commands, rounds, folder).items()}
        files = {f"luma --opt={level}": f"{level}.spv" for level in pipeline.OPT_LEVELS}
        files |= {f"glslc {level}": f"glslc{level}.spv" for level in GLSLC_LEVELS}
        sizes = {key: measure((folder / file).read_bytes()) for key, file in files.items()}
    warm = {level: time_warm(level, rounds) for level in pipeline.OPT_LEVELS}
    return {
        "rounds": rounds,
        "cold_seconds": cold,
        "ratio_to_glslc": cold["luma --opt=aggressive"] / cold["glslc -O"],
        "warm_seconds": warm,
        "sizes": {
            key: {
                "bytes": size.bytes,
                "instructions": size.instructions,
                "in_functions": size.in_functions,
            }
            for key, size in sizes.items()
        },
    }


def report(found: Mapping[str, Any]) -> str:
    """The measurements as text."""
    lines = [f"pbr_fragment, medians of {found['rounds']} interleaved rounds", ""]
    lines.append(f"{'':24}{'cold ms':>9}{'bytes':>8}{'instrs':>8}{'in functions':>14}")
    for key, size in found["sizes"].items():
        cold = found["cold_seconds"][key] * 1e3
        lines.append(
            f"{key:24}{cold:9.1f}{size['bytes']:8}{size['instructions']:8}{size['in_functions']:14}"
        )
    lines += ["", f"luma --opt=aggressive / glslc -O: {found['ratio_to_glslc']:.2f}x", ""]
    stages = list(next(iter(found["warm_seconds"].values())))
    lines.append(f"{'warm ms':24}" + "".join(f"{s:>10}" for s in stages) + f"{'total':>10}")
    for level, times in found["warm_seconds"].items():
        parts = "".join(f"{times[s] * 1e3:10.1f}" for s in stages)
        lines.append(f"{level:24}{parts}{sum(times.values()) * 1e3:10.1f}")
    return "\n".join(lines)


def main() -> None:
    """Run and print."""
    parser = argparse.ArgumentParser(description="Compile the PBR surface, beside glslc.")
    parser.add_argument("--rounds", type=int, default=9, help="how often (default 9)")
    parser.add_argument("--json", type=Path, help="write the figures to this file")
    options = parser.parse_args()
    found = run(options.rounds)
    print(report(found))
    if options.json is not None:
        options.json.write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
