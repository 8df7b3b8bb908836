"""Random programs, optimized and not, run in the interpreter: do they do the same?

``python -m tests.differential [--count N] [--first SEED] [--workers N] [--kind KIND]``

Four kinds of programs take turns: ``ints`` (structured control flow, memory, order of effects),
``tree`` (everything that whole numbers can show), ``ir`` (IR as no frontend makes it) and ``reals``
(floats, vectors, matrices, workgroup memory).  Under strict rules every bit must be the same on any
bits (all NaN are one); under fast rules floats may move as far as rounding explains.
"""

from __future__ import annotations

import argparse
import multiprocessing
import random
import struct
import sys
import traceback
from collections.abc import Callable, Iterator
from typing import Any

import luma
from luma.diagnostics import LumaError
from luma.ir.interpret import Resources, decode, encode, run_compute
from luma.ir.module import Module
from luma.language.numbers import f32_bits
from luma.language.types import FLOAT, INT, Array
from luma.optimizer import optimize_for
from luma.optimizer.targets import SELECTIONS
from tests.ir import random_ir, random_reals
from tests.ir.random_programs import Generator, source
from tests.run.programs import CELLS, RESULTS, RUNS, make_program

LEVELS = (("basic", "strict"), ("basic", "fast"), ("aggressive", "strict"), ("aggressive", "fast"))
#: None in particular, and those that choose otherwise.
TARGETS = (None, *SELECTIONS)
KINDS = ("ints", "tree", "ir", "reals")

#: Floats where things happen: zeros, infinities, NaN, the least, the largest, denormals, halves.
SPECIAL = (
    *(0x00000000, 0x80000000, 0x7F800000, 0xFF800000, 0x7FC00000, 0x00000001, 0x80000001),
    *(0x7F7FFFFF, 0xFF7FFFFF, 0x00800000, 0x3F800000, 0xBF800000, 0x3F000000, 0x4B000000),
)
#: How far fast rules may move a result: of its size, and as often as a nudge of the inputs does.
RELATIVE, NUDGE, NUDGES = 2e-4, 1e-6, 400.0

#: What a run leaves behind: integers, and floats.
Found = tuple[tuple[Any, ...], tuple[float, ...]]
Run = Callable[[Module], Found]


class DifferenceError(Exception):
    """An optimized program does something else."""


def check(kind: str, seed: int) -> bool:
    """Compare one program at all levels; False if the seed makes none that means something.

    Raises DifferenceError.
    """
    match kind:
        case "ints":
            text = source(Generator(seed).body())
            return _compare(_lowered(text), [_on_ints(a, b) for a, b in ((5, -3), (0, 7), (-9, 2))])
        case "tree":
            return _compare(_lowered(make_program(seed).source), [_on_cells(seed)])
        case "ir":
            return _compare(random_ir.random_module(seed, 60), [_on_buffers])
    steady = bool(seed % 2)
    try:
        module = _lowered(random_reals.Reals(seed, steady=steady).source())
    except LumaError:
        return False
    if steady:
        return _compare_reals(module, seed)
    return _compare(module, [_on_floats(list(_bits(seed + n))) for n in range(3)], floats=False)


def _lowered(text: str) -> Module:
    return luma.lower(luma.check(luma.parse(text)))


def _optimized(module: Module) -> Iterator[tuple[str, Module]]:
    for level, fp in LEVELS:
        found: list[Module] = []
        made = optimize_for(TARGETS, module, level, fp=fp)
        for target, (done, warnings) in zip(TARGETS, made, strict=True):
            name = f"{target or 'no target'} {level} {fp}"
            if any("broke" in warning for warning in warnings):
                raise DifferenceError(f"{name}: {warnings}")
            if done not in found:
                found.append(done)
                yield name, done


def _compare(module: Module, runs: list[Run], *, floats: bool = True) -> bool:
    """Compare bit for bit under strict rules; under fast ones floats roughly, or not at all."""
    expected = [run(module) for run in runs]
    for name, done in _optimized(module):
        for run, (ints, reals) in zip(runs, expected, strict=True):
            fast = name.endswith("fast")
            if fast and not floats:
                continue
            found, moved = run(done)
            if found != ints:
                raise DifferenceError(f"{name}: {found} is not {ints}")
            same = _close if fast else _equal
            if not all(same(a, b) for a, b in zip(moved, reals, strict=True)):
                raise DifferenceError(f"{name}: {moved} is not {reals}")
    return True


def _equal(a: float, b: float) -> bool:
    return (a != a and b != b) or f32_bits(a) == f32_bits(b)


def _close(a: float, b: float) -> bool:
    return abs(a - b) <= 1e-3 * max(1.0, abs(b))


def _compare_reals(module: Module, seed: int) -> bool:
    """Compare a steady program on ordinary numbers, and strictly on any bits as well."""
    rng = random.Random(seed)
    usual = [rng.choice((-1, 1)) * rng.uniform(0.1, 2.0) for _ in range(_FLOATS)]
    nudged = [x * (1.0 + rng.choice((-1, 1)) * NUDGE) for x in usual]
    _, near = _on_floats(nudged)(module)
    _, exact = _on_floats(usual)(module)
    size = max((abs(x) for x in exact if abs(x) < 1e30), default=1.0)
    for name, done in _optimized(module):
        if name.endswith("strict"):
            continue
        _, found = _on_floats(usual)(done)
        for a, b, c in zip(found, exact, near, strict=True):
            allowed = RELATIVE * max(1.0, abs(b)) + NUDGES * abs(b - c) + 1e-6 * size
            if abs(b) < 1e30 and not abs(a - b) <= allowed:
                raise DifferenceError(f"{name}: {found} is not near {exact}, nudged {near}")
    return _compare(module, [_on_floats(list(_bits(seed)))], floats=False)


# ---------------------------------------------------------------- running

_FLOATS = random_reals.INVOCATIONS * random_reals.READ
_STATE = Array(INT, 4)


def _on_ints(a: int, b: int) -> Run:
    def run(module: Module) -> Found:
        memory = bytearray(encode(_STATE, (1, 0, a, b)))
        run_compute(module, "main", resources=Resources({"state": memory}))
        return decode(_STATE, memory), ()

    return run


def _on_cells(seed: int) -> Run:
    rng = random.Random(seed)
    cells = struct.pack(f"<{RUNS * CELLS}i", *(rng.randint(-99, 99) for _ in range(RUNS * CELLS)))

    def run(module: Module) -> Found:
        memory, out = bytearray(cells), bytearray(4 * RUNS * RESULTS)
        names = [g.name for g in module.globals]
        run_compute(module, "main", (1, 1, 1), Resources(dict(zip(names, (memory, out)))))  # noqa: B905
        return (bytes(memory), bytes(out)), ()

    return run


def _on_buffers(module: Module) -> Found:
    floats, ints = random_ir.results(module)
    return tuple(ints), tuple(floats)


def _on_floats(values: list[float]) -> Run:
    def run(module: Module) -> Found:
        count = random_reals.INVOCATIONS * random_reals.WRITTEN
        buffers = {
            "data": bytearray(encode(Array(FLOAT, _FLOATS), tuple(values))),
            "out": bytearray(4 * count),
            "counts": bytearray(encode(Array(INT, 8), (0, 3, 5, 2, 7, 1, 4, 6))),
        }
        run_compute(module, "main", (1, 1, 1), Resources(buffers))
        written = decode(Array(FLOAT, count), buffers["out"])
        return (), (*written, *decode(Array(FLOAT, _FLOATS), buffers["data"]))

    return run


def _bits(seed: int) -> Iterator[float]:
    rng = random.Random(seed)
    for _ in range(_FLOATS):
        bits = rng.choice(SPECIAL) if rng.random() < 0.3 else rng.getrandbits(32)
        if rng.random() < 0.4:
            yield float(rng.choice((-2.0, -1.0, 0.5, 1.0, 1.5, 3.0, 10.0)))
        else:
            yield struct.unpack("<f", struct.pack("<I", bits))[0]


# ---------------------------------------------------------------- the command


def _job(task: tuple[str, int]) -> tuple[str, int, bool, str]:
    try:
        return (*task, check(*task), "")
    except Exception:
        return (*task, True, traceback.format_exc())


def main() -> None:
    """Check many programs; end with status 1 if one of them differs."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=1_000)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--kind", choices=KINDS)
    asked = parser.parse_args()
    kinds = (asked.kind,) if asked.kind else KINDS
    tasks = [(kinds[n % len(kinds)], asked.first + n // len(kinds)) for n in range(asked.count)]
    ran, wrong = dict.fromkeys(kinds, 0), 0
    with multiprocessing.get_context("spawn").Pool(asked.workers) as pool:
        for kind, seed, meaningful, problem in pool.imap_unordered(_job, tasks, chunksize=8):
            ran[kind] += meaningful
            if problem:
                wrong += 1
                print(f"{kind} {seed}: {problem}", flush=True)
    print(", ".join(f"{kind}: {count}" for kind, count in ran.items()), f"- {wrong} differ")
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main()
