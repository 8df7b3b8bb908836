"""How compile time grows with the number of a user's rules.

``python -m benchmarks.rule_count [--counts N,N] [--json FILE]``

The rules are distinct sums and products with constants, which real shaders hardly ever match: what
is measured is that they are there.  ``first`` is the first compilation, which reads them; the other
figure is the median of those after it.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.figures import fitted_exponent
from benchmarks.subjects import CORPUS, subjects
from luma import pipeline

COUNTS = (0, 100, 200, 500, 1000)
SHADER = "pbr_four_lights"
_ROUNDS = 3


def rules(count: int) -> str:
    """So many rules: (x + k) * m = x * m + k * m, for constants of which no two pairs are equal."""
    lines = []
    for number in range(count):
        k, m = 100.5 + number, 3.0 + number % 7
        lines.append(
            f"; (x + {k}) * {m} = x * {m} + {k * m}\n"
            f"(rewrite (Mul (F32) (Add (F32) x (Lit (F32) {k})) (Lit (F32) {m})) "
            f"(Add (F32) (Mul (F32) x (Lit (F32) {m})) (Lit (F32) {k * m})) "
            f':ruleset fast :name "scaled-sum-{number}")\n'
        )
    return "".join(lines)


def measure(counts: Sequence[int] = COUNTS) -> list[dict[str, Any]]:
    """Milliseconds of the first compilation with so many rules, and of later ones."""
    (subject,) = subjects([SHADER])
    text = subject.path.read_text(encoding="utf-8")
    points = []
    with tempfile.TemporaryDirectory() as folder:
        for count in counts:
            path = Path(folder, f"{count}.egg")
            path.write_text(rules(count), encoding="utf-8")
            spent = []
            for _ in range(1 + _ROUNDS):
                start = time.perf_counter()
                done = pipeline.compile(
                    text,
                    name=str(subject.path),
                    opt="aggressive",
                    target="spirv",
                    include_dirs=(str(CORPUS),),
                    rules=(str(path),) if count else (),
                )
                spent.append(1e3 * (time.perf_counter() - start))
                assert done.success, done.diagnostics
            points.append({"rules": count, "first": spent[0], "later": median(spent[1:])})
    return points


def report(points: Sequence[dict[str, Any]]) -> str:
    """The figures as text."""
    lines = [f"{SHADER}, ms", f"{'rules':>8}{'first':>10}{'later':>10}"]
    lines += [f"{p['rules']:8}{p['first']:10.0f}{p['later']:10.1f}" for p in points]
    fitted = [(p["rules"], p["first"]) for p in points if p["rules"]]
    if len(fitted) > 1:
        lines.append(f"exponent of the first: {fitted_exponent(fitted):.2f}")
    return "\n".join(lines)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run and print."""
    parser = argparse.ArgumentParser(description="Compile time by the number of a user's rules.")
    parser.add_argument("--counts", type=lambda t: [int(n) for n in t.split(",")], default=COUNTS)
    parser.add_argument("--json", type=Path, help="write the figures to this file")
    options = parser.parse_args(arguments)
    points = measure(options.counts)
    print(report(points))
    if options.json is not None:
        options.json.write_text(json.dumps(points, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
