"""What each pass, file of rules and ruleset of ``aggressive`` is worth: everything without it.

``python -m benchmarks.ablation [NAME...] [--parts P,P] [--json FILE]``

Figures are geometric means, over the corpus, of what comes out without the part over what comes out
with all: above 1 the part makes that smaller or faster.  ``changed`` counts the stages whose SPIR-V
is another one without it.  ``optimizer`` is the time that the optimizer takes.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks.amd import Cost, Gpu, comparable
from benchmarks.figures import geometric_mean, interleaved, medians
from benchmarks.isa import words
from benchmarks.sizes import squeezed
from benchmarks.subjects import Subject, module_of, subjects
from luma import pipeline
from luma.ir.module import Module
from luma.optimizer.egraph import RULE_FILES, rule_path
from luma.optimizer.levels import LEVELS, Level, optimize_for
from luma.optimizer.rewrite import Normalize, Phase, Plan
from luma.stack import run_deep
from tests.harness.spirv_reader import stripped_size

FAMILY = "navi21"
#: Rulesets that are left out as steps of the schedule.
RULESETS = ("facts", "comm", "fast-comm", "fast-factor", "fast-guard", "fast-zero", "spent")
FULL = "nothing"
_ROUNDS = 2
_RULE = re.compile(r"\((?:rule|rewrite|birewrite)\b")


def parts(folder: Path) -> dict[str, Level]:
    """``aggressive`` without each of its parts, by the part's name.

    Files of rules without their rules are written into ``folder``: they declare what others need.
    """
    full = LEVELS["aggressive"]
    found = {FULL: full}
    for each in full.passes:
        found[f"pass {each.__name__}"] = replace(
            full, passes=tuple(p for p in full.passes if p is not each)
        )
    for name in RULE_FILES:
        found[f"rules {name}"] = _with_plan(
            full, lambda plan, name=name: _no_file(plan, name, folder)
        )
    for name in RULESETS:
        found[f"ruleset {name}"] = _with_plan(full, lambda plan, name=name: _no_ruleset(plan, name))
    found["products in normal form"] = _with_plan(full, _no_products)
    found["all rules"] = _with_plan(full, lambda plan: replace(plan, phases=(), selects=False))
    return found


def _with_plan(level: Level, change: Callable[[Plan], Plan]) -> Level:
    return replace(level, plans={fp: _changed(plan, change) for fp, plan in level.plans.items()})


def _changed(plan: Plan, change: Callable[[Plan], Plan]) -> Plan:
    instead = None if plan.instead is None else _changed(plan.instead, change)
    return replace(change(plan), instead=instead)


def _no_file(plan: Plan, name: str, folder: Path) -> Plan:
    text = Path(rule_path(name)).read_text(encoding="utf-8")
    commands = re.split(r"^(?=\()", text, flags=re.MULTILINE)
    path = folder / name
    path.write_text("".join(c for c in commands if not _RULE.match(c)), encoding="utf-8")
    return replace(plan, files=tuple(str(path) if f == name else f for f in plan.files))


def _no_ruleset(plan: Plan, name: str) -> Plan:
    def without(schedule: str) -> str:
        step = f"(run {name})"
        return schedule.replace(f"(saturate {step})", "").replace(step, "")

    return replace(
        plan,
        phases=tuple(
            replace(step, schedule=without(step.schedule)) if isinstance(step, Phase) else step
            for step in plan.phases
        ),
    )


def _no_products(plan: Plan) -> Plan:
    return replace(plan, phases=tuple(s for s in plan.phases if not isinstance(s, Normalize)))


@dataclass(frozen=True, slots=True)
class Measured:
    """A stage as some level leaves it."""

    spirv: bytes
    text: int
    cost: Cost

    @property
    def size(self) -> int:
        """The SPIR-V's bytes without names."""
        return stripped_size(self.spirv)


def measure(subject: Subject, level: Level, gpu: Gpu) -> Measured:
    """A stage by a level."""
    module = module_of(subject.path, subject.entry)
    binary, readable = _optimized(module, level, "spirv", "glsl")
    spirv = pipeline.emit(binary, "spirv", unoptimized=module).output
    text = pipeline.emit(readable, "glsl", unoptimized=module).output.decode()
    cost = gpu.compile(subject, spirv, subject.entry).cost(subject.trips)
    return Measured(spirv, squeezed(text, "glsl"), cost)


def slower(chosen: Sequence[Subject], level: Level, full: Level) -> float:
    """The optimizer's time at a level over that at another one, interleaved."""
    ratios = []
    for subject in chosen:
        module = module_of(subject.path, subject.entry)
        runs = {
            "level": partial(_optimized, module, level, "spirv"),
            "full": partial(_optimized, module, full, "spirv"),
        }
        spent = medians(interleaved(runs, _ROUNDS, time.perf_counter))
        ratios.append(spent["level"] / spent["full"])
    return geometric_mean(ratios)


def _optimized(module: Module, level: Level, *targets: str) -> list[Module]:
    done = run_deep(lambda: optimize_for(targets, module, level))
    for _, warnings in done:
        if warnings:
            raise RuntimeError(f"the level does not work without the part: {warnings[0]}")
    return [module for module, _ in done]


@dataclass(frozen=True, slots=True)
class Effect:
    """What comes out without a part, over what comes out with all; see the module."""

    part: str
    spirv: float
    text: float
    instructions: float
    time: float
    optimizer: float
    changed: int
    worst: str
    worst_time: float

    def as_json(self) -> dict[str, Any]:
        """The effect as plain data."""
        return asdict(self)


def effect(
    part: str, without: dict[str, Measured], full: dict[str, Measured], optimizer: float
) -> Effect:
    """The effect of leaving a part out."""

    def mean(ratio: Callable[[Measured, Measured], float]) -> float:
        return geometric_mean(ratio(without[name], full[name]) for name in full)

    times = {name: _time_ratio(without[name].cost, full[name].cost) for name in full}
    worst = max(times, key=lambda name: times[name])
    return Effect(
        part,
        mean(lambda a, b: a.size / b.size),
        mean(lambda a, b: a.text / b.text),
        mean(lambda a, b: a.cost.instructions / b.cost.instructions),
        geometric_mean(times.values()),
        optimizer,
        sum(without[name].spirv != full[name].spirv for name in full),
        worst,
        times[worst],
    )


def _time_ratio(without: Cost, full: Cost) -> float:
    field = comparable((without, full))
    return float(getattr(without, field) / max(1, getattr(full, field)))


def run(chosen: Sequence[Subject], names: Sequence[str] | None = None) -> list[Effect]:
    """The effect of each part, or of some."""
    gpu = Gpu(FAMILY)
    with tempfile.TemporaryDirectory() as folder:
        levels = parts(Path(folder))
        complete = levels.pop(FULL)
        full = {s.name: measure(s, complete, gpu) for s in chosen}
        effects = []
        for part, level in levels.items():
            if names is None or part in names:
                try:
                    without = {s.name: measure(s, level, gpu) for s in chosen}
                    spent = slower(chosen, level, complete)
                except Exception as needed:  # nothing else is made to work without a part
                    print(f"nothing works without {part}: {needed}", file=sys.stderr)
                else:
                    effects.append(effect(part, without, full, spent))
    return effects


def report(effects: Sequence[Effect]) -> str:
    """The effects as text, greatest for the GPU first."""
    lines = [
        f"{'without':32}{'SPIR-V':>8}{'GLSL':>8}{FAMILY:>8}{'time':>8}{'optimizer':>11}"
        f"{'changed':>9}  worst time"
    ]
    for e in sorted(effects, key=lambda e: -e.time):
        lines.append(
            f"{e.part:32}{e.spirv:8.3f}{e.text:8.3f}{e.instructions:8.3f}{e.time:8.3f}"
            f"{e.optimizer:11.2f}{e.changed:9}  {e.worst_time:.2f} {e.worst}"
        )
    return "\n".join(lines)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run and print."""
    parser = argparse.ArgumentParser(description="What each part of the optimizer is worth.")
    parser.add_argument("names", nargs="*", help="entries of the corpus (all if there is none)")
    parser.add_argument("--parts", type=words, help="leave out these only")
    parser.add_argument("--json", type=Path, help="write the figures to this file")
    options = parser.parse_args(arguments)
    effects = run(subjects(options.names), options.parts)
    if not effects:
        sys.exit("there are no such parts")
    print(report(effects))
    if options.json is not None:
        plain = [e.as_json() for e in effects]
        options.json.write_text(json.dumps(plain, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
