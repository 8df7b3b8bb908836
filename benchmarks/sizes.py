"""How large a stage becomes: SPIR-V and text, by Luma and by its peers.

``python -m benchmarks.sizes [NAME...] [--level L,L] [--peers P,P] [--json FILE]``

SPIR-V is measured without debug names and lines, text without comments and with the least white
space.  At the end stands what ``spirv-opt`` still takes from Luma's SPIR-V (less than
nothing where it makes that larger).
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from benchmarks.comparison import OWN, Comparison, as_text
from benchmarks.compilers import PEERS, NotCompiled, compile_all, luma, luma_text, spirv_opt
from benchmarks.isa import words
from benchmarks.subjects import Subject, subjects
from benchmarks.translators import TARGETS, TRANSLATORS
from luma import pipeline
from luma.diagnostics import LumaError
from luma.squeezer import squeeze
from tests.harness.spirv_reader import body_count, stripped_size


def spirv_sizes(
    chosen: Sequence[Subject], levels: Sequence[str], peers: Sequence[str]
) -> tuple[Comparison, Comparison]:
    """Bytes of the modules, and instructions in their functions."""
    size: dict[str, dict[str, float]] = {}
    count: dict[str, dict[str, float]] = {}
    borrowed: dict[str, list[str]] = {}
    for subject in chosen:
        compiled, _ = compile_all(subject, levels, peers)
        size[subject.name] = {n: stripped_size(made.binary) for n, made in compiled.items()}
        count[subject.name] = {n: body_count(made.binary) for n, made in compiled.items()}
        borrowed[subject.name] = [
            n for n, made in compiled.items() if n in peers and made.language.startswith("luma")
        ]
    return (
        Comparison("SPIR-V, bytes", size, borrowed),
        Comparison("SPIR-V, instructions in functions", count, borrowed),
    )


def left_by_luma(chosen: Sequence[Subject], level: str) -> dict[str, dict[str, float]]:
    """Per cent of bytes that ``spirv-opt -O`` and ``-Os`` take from Luma's output, by subject."""
    found = {}
    for subject in chosen:
        binary = luma(subject, level).binary
        size = stripped_size(binary)
        found[subject.name] = {
            option: 100 * (1 - stripped_size(spirv_opt(binary, option)) / size)
            for option in ("-O", "-Os")
        }
    return found


def text_sizes(
    chosen: Sequence[Subject], levels: Sequence[str], targets: Sequence[str] = TARGETS
) -> dict[str, Comparison]:
    """Squeezed bytes by target."""
    return {target: _text_sizes(chosen, levels, target) for target in targets}


def _text_sizes(chosen: Sequence[Subject], levels: Sequence[str], target: str) -> Comparison:
    rows: dict[str, dict[str, float]] = {}
    borrowed: dict[str, list[str]] = {}
    for subject in chosen:
        row: dict[str, float] = {}
        for level in levels:
            try:
                row[OWN + level] = squeezed(luma_text(subject, target, level), target)
            except LumaError:
                continue
        for name, translator in TRANSLATORS.items():
            try:
                text, from_luma = translator.run(subject, target)
            except NotCompiled:
                continue
            row[name] = squeezed(text, target)
            if from_luma:
                borrowed.setdefault(subject.name, []).append(name)
        rows[subject.name] = row
    return Comparison(f"{target.upper()}, bytes squeezed", rows, borrowed)


def squeezed(text: str, target: str) -> int:
    """The bytes of a text without comments and with the least white space."""
    return len(squeeze(text, nested=target == "wgsl").encode())


def told(left: Mapping[str, Mapping[str, float]]) -> str:
    """What ``spirv-opt`` still takes, as text."""
    lines = []
    for option in ("-O", "-Os"):
        shares = [max(0.0, each[option]) for each in left.values()]
        larger = sum(each[option] < 0 for each in left.values())
        most = max(left, key=lambda name: left[name][option])
        lines.append(
            f"`spirv-opt {option}` takes {sum(shares) / len(shares):.2f} % of the bytes of Luma's "
            f"output on average (where it makes a module larger, nothing), at most "
            f"{max(shares):.1f} % ({most}); it makes {larger} of {len(left)} modules larger."
        )
    return "\n".join(lines)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run and print."""
    parser = argparse.ArgumentParser(description="Sizes of SPIR-V and text beside the peers'.")
    parser.add_argument("names", nargs="*", help="entries of the corpus (all if there is none)")
    parser.add_argument("--level", type=words, default=list(pipeline.OPT_LEVELS))
    parser.add_argument("--peers", type=words, default=list(PEERS), help="compilers to SPIR-V")
    parser.add_argument("--json", type=Path, help="write the figures to this file")
    options = parser.parse_args(arguments)
    try:
        chosen = subjects(options.names)
    except KeyError as unknown:
        sys.exit(f"there is no entry {unknown}")
    tables = [
        *spirv_sizes(chosen, options.level, options.peers),
        *text_sizes(chosen, options.level).values(),
    ]
    left = left_by_luma(chosen, options.level[-1])
    print("\n\n".join(map(as_text, tables)))
    print(told(left))
    if options.json is not None:
        plain = {"tables": [t.as_json() for t in tables], "left": left}
        options.json.write_text(json.dumps(plain, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
