"""How time and memory of a compilation grow with the size of the shader.

``python -m benchmarks.scaling [--kinds K,K] [--sizes N,N] [--level L] [--json FILE]``

Shaders are written by rule, the same ones each time.  Each is compiled in a process of its own,
which tells the seconds of every stage (the second compilation of a like shader, so that nothing is
loaded meanwhile) and its peak of memory.  The exponent b of ``seconds = a * instructions ** b`` is
fitted over the sizes from 100 to 10,000.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from benchmarks.figures import fitted_exponent
from luma import pipeline
from luma.ir.module import Module
from luma.ir.reach import select

SIZES = (50, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000)
FITTED = (100, 10_000)
STAGES = ("parse", "check", "lower", "optimize", "emit")
_SEED = 20_000

HEAD = """buffer storage data: []vec4
uniform scale: vec4

"""
ENTRY = """@entry(compute)
@workgroup_size(64)
function main(@builtin(global_invocation_id) id: uvec3)
  let v = data[id.x]
  let a = v.x
  let b = v.y
"""


# ---------------------------------------------------------------- shaders of a given size


def straight(size: int) -> str:
    """One block of scalar and vector arithmetic, each value made of recent ones."""
    return HEAD + ENTRY + "".join(_arithmetic(random.Random(_SEED), size)) + _end()


def _arithmetic(choose: random.Random, size: int) -> list[str]:
    forms = (
        "{p} * {q} + {r}",
        "{p} - {q} * {k}",
        "max({p}, {q}) * {r}",
        "mix({p}, {q}, {r})",
        "{p} / ({q} * {q} + {k})",
        "dot(v, vec4({p}, {q}, {r}, {k}))",
        "sqrt(abs({p})) + {q}",
        "select({p} < {q}, {r}, {p} + {k})",
    )
    names = ["a", "b"]
    lines = []
    for number in range(max(1, size // 3)):
        p, q, r = (choose.choice(names[-12:]) for _ in "pqr")
        text = choose.choice(forms).format(p=p, q=q, r=r, k=f"{choose.randrange(1, 64) / 8}")
        lines.append(f"  let t{number} = {text}\n")
        names.append(f"t{number}")
    return [*lines, f"  a = {' + '.join(names[-3:])}\n"]


def branching(size: int) -> str:
    """Loops with branches in them, one after the other."""
    choose = random.Random(_SEED)
    parts = []
    for number in range(max(1, size // 24)):
        k, m = choose.randrange(1, 64) / 8, choose.randrange(100, 200)
        parts.append(
            f"  for i{number} = 0, {m} do\n"
            f"    if a * {k} < b then\n"
            f"      a += b * {k} + float(i{number})\n"
            "    else\n"
            f"      b = sqrt(abs(a - b)) * {k}\n"
            "    end\n"
            f"    v = v * a + vec4(b, {k}, a, 1.0)\n"
            "  end\n"
        )
    return HEAD + ENTRY + "".join(parts) + _end()


def calling(size: int) -> str:
    """Small functions, each called twice."""
    choose = random.Random(_SEED)
    functions, calls = [], []
    for number in range(max(1, size // 20)):
        k = choose.randrange(1, 64) / 8
        functions.append(
            f"function f{number}(x: float, n: vec3) -> float\n"
            f"  let h = normalize(n + vec3(x, {k}, 0.5))\n"
            "  let d = max(dot(h, n), 0.0)\n"
            f"  return pow(d, {k}) * x / (4.0 * d + {k})\n"
            "end\n"
        )
        calls += [f"  a += f{number}(b, v.xyz)\n", f"  b = f{number}(a, v.yzw) * 0.5\n"]
    return HEAD + "".join(functions) + ENTRY + "".join(calls) + _end()


def _chain(term: Callable[[int], str], operator: str) -> Callable[[int], str]:
    def write(size: int) -> str:
        lines = [f"  a = a {operator} {term(number)}\n" for number in range(size)]
        return HEAD + ENTRY + "".join(lines) + _end()

    return write


def _end() -> str:
    return "  data[id.x] = vec4(a, b, v.z, v.w) * scale\nend\n"


#: Shaders as they are: their exponent is fitted.
ORDINARY: dict[str, Callable[[int], str]] = {
    "straight": straight,
    "branching": branching,
    "calling": calling,
}
#: Shaders on which rules that reorder or factor could go on for ever: a cap must be in force.
ADVERSARIAL: dict[str, Callable[[int], str]] = {
    "sum of different terms": _chain(lambda n: f"v.{'xyzw'[n % 4]} * {n % 37 + 1}.5", "+"),
    "sum of one term": _chain(lambda n: "b", "+"),
    "terms with factor zero": _chain(lambda n: f"v.{'xyzw'[n % 4]} * 0.0 * b", "+"),
    "product": _chain(lambda n: f"v.{'xyzw'[n % 4]}", "*"),
    "quotients": _chain(lambda n: f"(v.{'xyzw'[n % 4]} + {n % 7}.5)", "/"),
    "minima and maxima": _chain(lambda n: f"max(min(a, v.x), v.{'xyzw'[n % 4]})", "-"),
}
KINDS = ORDINARY | ADVERSARIAL
ADVERSARIAL_SIZES = (100, 300, 1000)


# ---------------------------------------------------------------- one compilation


def instructions(module: Module) -> int:
    """How many instructions a module has, terminators left out."""
    return sum(len(block.instrs) for f in module.functions for block in f.blocks)


def compile_once(text: str, level: str) -> tuple[dict[str, float], int, int]:
    """Seconds by stage, and instructions before and after optimization."""
    spent: dict[str, float] = {}
    clock = time.perf_counter
    start = clock()

    def lap(stage: str) -> None:
        nonlocal start
        now = clock()
        spent[stage] = now - start
        start = clock()

    parsed = pipeline.parse(text)
    lap("parse")
    checked = pipeline.check(parsed)
    lap("check")
    module = select(pipeline.lower(checked))
    lap("lower")
    done = pipeline.optimize(module, level)
    lap("optimize")
    pipeline.emit(done, "spirv", unoptimized=module)
    lap("emit")
    return spent, instructions(module), instructions(done)


def _peak() -> float:
    """The MiB that this process has needed at most."""
    with open("/proc/self/status", encoding="ascii") as status:
        line = next(line for line in status if line.startswith("VmHWM"))
    return int(line.split()[1]) / 1024


def measure_here(kind: str, size: int, level: str) -> dict[str, Any]:
    """The figures of one shader, in this process."""
    compile_once(KINDS[kind](50), level)
    before = _peak()
    spent, count, left = compile_once(KINDS[kind](size), level)
    return {
        "kind": kind,
        "size": size,
        "instructions": count,
        "left": left,
        "seconds": spent,
        "mib": _peak() - before,
    }


def measure(kind: str, size: int, level: str) -> dict[str, Any]:
    """The figures of one shader, in a process of its own."""
    command = [sys.executable, "-m", "benchmarks.scaling", "--one", kind, str(size), level]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=300)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


# ---------------------------------------------------------------- the command


def total(point: Mapping[str, Any]) -> float:
    """Seconds of all stages."""
    return float(sum(point["seconds"].values()))


def exponents(points: Sequence[Mapping[str, Any]]) -> dict[str, float]:
    """The fitted exponent of all stages together, of each, and of memory; of the fitted sizes."""
    low, high = FITTED
    fitted = [p for p in points if low <= p["size"] <= high]
    measures: dict[str, Callable[[Mapping[str, Any]], float]] = {
        "all": total,
        **{stage: lambda p, stage=stage: p["seconds"][stage] for stage in STAGES},  # type: ignore[misc]
        "memory": lambda p: max(p["mib"], 0.1),
    }
    return {
        name: fitted_exponent([(p["instructions"], of(p)) for p in fitted])
        for name, of in measures.items()
    }


def report(points: Sequence[Mapping[str, Any]]) -> str:
    """The figures as text."""
    head = f"{'instructions':>14}{'left':>8}" + "".join(f"{s:>10}" for s in STAGES)
    lines = ["milliseconds by stage, all of them a thousand instructions, MiB", ""]
    for kind in dict.fromkeys(p["kind"] for p in points):
        mine = [p for p in points if p["kind"] == kind]
        lines += [kind, f"{head}{'all':>10}{'per 1000':>10}{'MiB':>9}"]
        for p in mine:
            cells = "".join(f"{1e3 * p['seconds'][s]:10.1f}" for s in STAGES)
            each = 1e6 * total(p) / p["instructions"]
            lines.append(
                f"{p['instructions']:14}{p['left']:8}{cells}{1e3 * total(p):10.1f}"
                f"{each:10.1f}{p['mib']:9.1f}"
            )
        if kind in ORDINARY and len({p["size"] for p in mine}) > 2:
            told = ", ".join(f"{name} {b:.2f}" for name, b in exponents(mine).items())
            lines.append(f"  exponents from {FITTED[0]} to {FITTED[1]}: {told}")
        lines.append("")
    return "\n".join(lines)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run and print."""
    parser = argparse.ArgumentParser(description="How compile time grows with size.")
    parser.add_argument("--kinds", type=lambda t: t.split(","), default=list(KINDS))
    parser.add_argument("--sizes", type=lambda t: [int(n) for n in t.split(",")])
    parser.add_argument("--level", default="aggressive", choices=pipeline.OPT_LEVELS)
    parser.add_argument("--json", help="write the figures to this file")
    parser.add_argument("--one", nargs=3, help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    if options.one is not None:
        kind, size, level = options.one
        print(json.dumps(measure_here(kind, int(size), level)))
        return
    points = []
    for kind in options.kinds:
        sizes = options.sizes or (SIZES if kind in ORDINARY else ADVERSARIAL_SIZES)
        points += [measure(kind, size, options.level) for size in sizes]
    print(report(points))
    if options.json is not None:
        with open(options.json, "w", encoding="utf-8") as file:
            file.write(json.dumps(points, indent=1) + "\n")


if __name__ == "__main__":
    main()
