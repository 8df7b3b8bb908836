"""Luma beside its peers, all in one run: sizes, GPU costs, running and compile times.

``python -m benchmarks.peers [--sections S,S] [--quick] [--keep]``

``--quick`` measures a few entries with few rounds.  ``--keep`` writes the figures into
``benchmarks/results``, from which ``python -m benchmarks.report`` makes the page.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks import ablation, compiling, isa, rule_count, running, scaling, sizes
from benchmarks.comparison import Comparison, as_text
from benchmarks.compilers import PEERS
from benchmarks.subjects import Subject, subjects
from luma import pipeline

RESULTS = Path(__file__).parent / "results"
QUICK = ("tonemap", "pbr_four_lights", "vertex_transform", "matmul", "raymarcher", "blur")


@dataclass(frozen=True, slots=True)
class Effort:
    """What to measure, and how often."""

    chosen: tuple[Subject, ...]
    rounds: int
    sizes: tuple[int, ...]
    adversarial: tuple[int, ...]


def _sizes(effort: Effort) -> tuple[Any, str]:
    levels = pipeline.OPT_LEVELS
    tables = [
        *sizes.spirv_sizes(effort.chosen, levels, tuple(PEERS)),
        *sizes.text_sizes(effort.chosen, levels).values(),
    ]
    left = sizes.left_by_luma(effort.chosen, levels[-1])
    text = "\n\n".join([*map(as_text, tables), sizes.told(left)])
    return {"tables": [table.as_json() for table in tables], "left": left}, text


def _isa(effort: Effort) -> tuple[Any, str]:
    rows = isa.measure(effort.chosen, levels=("none", "basic", "aggressive"))
    plain = {"tables": [table.as_json() for table in isa.comparisons(rows)]}
    return plain, isa.report(rows)


def _running(effort: Effort) -> tuple[Any, str]:
    table = running.measure(effort.chosen, ("none", "aggressive"), tuple(PEERS), effort.rounds)
    return {"tables": [table.as_json()]}, as_text(table)


def _compiling(effort: Effort) -> tuple[Any, str]:
    found = compiling.measure(effort.chosen, compiling.COLD, effort.rounds)
    return found, compiling.report(found)


def _scaling(effort: Effort) -> tuple[Any, str]:
    points = []
    for kind in scaling.KINDS:
        ordinary = kind in scaling.ORDINARY
        wanted = effort.sizes if ordinary else effort.adversarial
        points += [scaling.measure(kind, size, "aggressive") for size in wanted]
    return points, scaling.report(points)


def _rules(effort: Effort) -> tuple[Any, str]:
    points = rule_count.measure()
    return points, rule_count.report(points)


def _ablation(effort: Effort) -> tuple[Any, str]:
    effects = ablation.run(effort.chosen)
    return [e.as_json() for e in effects], ablation.report(effects)


SECTIONS: dict[str, Callable[[Effort], tuple[Any, str]]] = {
    "sizes": _sizes,
    "isa": _isa,
    "running": _running,
    "compiling": _compiling,
    "scaling": _scaling,
    "rules": _rules,
    "ablation": _ablation,
}


def tables(name: str) -> dict[str, Comparison]:
    """The kept tables of a section by title.  Raises FileNotFoundError if nothing is kept."""
    plain = json.loads((RESULTS / f"{name}.json").read_text(encoding="utf-8"))
    return {table["title"]: Comparison.of_json(table) for table in plain["tables"]}


def main(arguments: Sequence[str] | None = None) -> None:
    """Run and print."""
    parser = argparse.ArgumentParser(description="Luma beside its peers.")
    parser.add_argument("--sections", type=isa.words, default=list(SECTIONS))
    parser.add_argument("--quick", action="store_true", help="few entries, few rounds")
    parser.add_argument("--keep", action="store_true", help=f"write into {RESULTS.name}")
    options = parser.parse_args(arguments)
    for section in options.sections:
        if section not in SECTIONS:
            sys.exit(f"there is no section {section}; there is {', '.join(SECTIONS)}")
    effort = (
        Effort(subjects(QUICK), 3, (100, 300, 1000, 3000), (100,))
        if options.quick
        else Effort(subjects(), 9, scaling.SIZES, scaling.ADVERSARIAL_SIZES)
    )
    for section in options.sections:
        plain, text = SECTIONS[section](effort)
        print(f"{text}\n", flush=True)
        if options.keep:
            RESULTS.mkdir(exist_ok=True)
            path = RESULTS / f"{section}.json"
            path.write_text(json.dumps(plain, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
