"""Counts what of the conformance suite passed: a table of targets and levels, and its page."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from tests.harness import slang
from tests.harness.cases import EXECUTORS, Case, discover
from tools.mutants import MUTANTS

PAGE = Path(__file__).parents[2] / "docs" / "conformance.md"

#: Set to have the page written at the end of a whole run.
UPDATE = "LUMA_UPDATE_CONFORMANCE"

LEVELS = ("none", "basic", "aggressive")
_TEST = re.compile(r"tests/run/test_run\.py::test_case\[(\w+)-(\w+)-(\w+)\]")

#: How a case's output becomes numbers, and who judges the text before, by executor.
_WAYS = {
    "spirv": ("SPIR-V", "Mesa's lavapipe", "spirv-val for Vulkan 1.1"),
    "glsl": ("GLSL", "glslangValidator, lavapipe", "glslang, spirv-val"),
    "hlsl": ("HLSL", "DXC to SPIR-V, lavapipe", "DXC to DXIL without a warning, spirv-val"),
    "slang": ("HLSL", "Slang to SPIR-V, lavapipe", "Slang without a warning, spirv-val"),
    "msl": (
        "MSL",
        "clang and a metal_stdlib of the tests' own, on the CPU",
        "clang as C++14; as C++ for OpenCL for the address spaces",
    ),
    "wgsl": ("WGSL", "naga (wgpu), lavapipe", "Tint (Dawn)"),
    "interpreter": ("IR", "Luma's interpreter", "the IR's verifier"),
}

_TEXT = """# Conformance

One source must mean the same on every target. {count} small programs cover the language's
operators, functions, types, memory layouts and control flow. Each is compiled for every target at
every optimization level; the output is validated, **executed**, and compared with a reference in
NumPy or plain Python that knows nothing of the compiler. What a target truly cannot do is an error
of Luma's with a code: the program counts as passed if that error comes. The programs are in
`tests/run/cases`, the hosts in `tests/harness`.

    make test                                       # the table is printed at the end
    LUMA_UPDATE_CONFORMANCE=1 .venv/bin/pytest tests/run/test_run.py   # writes this page

Passed of total:

{table}

{ways}

Metal's own compiler and Direct3D's drivers run on their systems only: MSL is executed as C++ with
Metal's types and functions as its specification has them, HLSL as the SPIR-V that DXC and Slang
make of it. The GPU is lavapipe, which computes on the CPU; a real one may differ in the precision
of `sin` and its like.

## What a target refuses

| program | target | error |
|---|---|---|
{refused}

## What Slang does not take

DXC takes the same text. That Slang still refuses it is checked, and counts as passed.

| program | reason |
|---|---|
{exceptions}

## Mutants

Would the suite notice a wrong backend? `tools/mutants.py` lists mistakes that a backend could have:
a product's operands swapped, a barrier dropped, an offset shifted by 4, a matrix transposed, flat
lost, copies of a loop's variables in the wrong order. Each is made in a copy of the checkout, and
the named programs must fail there.

{mutants}

    make mutants                                    # all of them, a few minutes
    .venv/bin/python -m tools.mutation_check wgsl   # those of one target, or file

It exits with 1 if one survives. Two kinds of mistake survived and left the list, as no driver here
shows them: a memory barrier in place of one that waits (lavapipe waits at either), and a constant
count of a shift that is not reduced (DXC takes it modulo 32 by itself).
"""


@dataclass(slots=True)
class Tally:
    """How many tests there were, and how many passed, by (executor, level)."""

    passed: Counter[tuple[str, str]] = field(default_factory=Counter)
    total: Counter[tuple[str, str]] = field(default_factory=Counter)

    def add(self, nodeids: Iterable[str], *, passed: bool) -> None:
        """Count the tests of the suite among some."""
        for nodeid in nodeids:
            if found := _TEST.search(nodeid):
                _, level, executor = found.groups()
                self.total[executor, level] += 1
                self.passed[executor, level] += passed

    @property
    def complete(self) -> bool:
        """Whether every test of the suite was counted."""
        return sum(self.total.values()) == sum(len(c.executors) for c in discover()) * len(LEVELS)


def table(tally: Tally) -> str:
    """The table, in Markdown."""
    rows = [["target", *LEVELS]]
    for executor in EXECUTORS:
        counts = [
            f"{tally.passed[executor, level]}/{tally.total[executor, level]}" for level in LEVELS
        ]
        rows.append([executor, *counts])
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = ["| " + " | ".join(map(str.ljust, row, widths)) + " |" for row in rows]
    lines.insert(1, "|" + "|".join("-" * (width + 2) for width in widths) + "|")
    return "\n".join(lines)


def page(tally: Tally) -> str:
    """The page that keeps the table."""
    ways = ["| target | text | executed by | judged by |", "|---|---|---|---|"]
    ways += [f"| {name} | {' | '.join(_WAYS[name])} |" for name in EXECUTORS]
    refused = [
        f"| {case.name} | {target} | {code} |"
        for case in _folded(discover())
        for target, code in sorted(case.refused.items())
    ]
    refused.append("| layout_* with push constants | wgsl | E0731 |")
    exceptions = [f"| {name} | {why} |" for name, why in slang.REFUSED.items()]
    return _TEXT.format(
        count=len({case.name.removesuffix("_memory") for case in discover()}),
        table=table(tally),
        ways="\n".join(ways),
        refused="\n".join(refused),
        exceptions="\n".join(exceptions),
        mutants=mutants(),
    )


def mutants() -> str:
    """How many mistakes the suite notices: all that are listed, or ``make mutants`` fails."""
    counts = Counter(mutant.target for mutant in MUTANTS)
    rows = [(name, counts[name]) for name in EXECUTORS if counts[name]]
    lines = ["| target | caught |", "|---|---|", *(f"| {name} | {n}/{n} |" for name, n in rows)]
    return "\n".join([*lines, f"| all | {len(MUTANTS)}/{len(MUTANTS)} |"])


def _folded(cases: tuple[Case, ...]) -> list[Case]:
    return [c for c in cases if not (c.name.startswith("layout_") and c.refused)]
