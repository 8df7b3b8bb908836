"""Two reports side by side: what a rule file, or another version, has changed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

from luma.sizes.report import MEASURES, Report, geometric_mean, ratio


@dataclass(frozen=True, slots=True)
class Change:
    """A measure that differs between the two reports for one shader, target and level."""

    shader: str
    target: str
    opt: str
    measure: str
    before: int
    after: int

    @property
    def ratio(self) -> float:
        """After to before."""
        return self.after / self.before


@dataclass(frozen=True, slots=True)
class Mean:
    """The geometric means of the changes of one target and level, unchanged outputs included."""

    target: str
    opt: str
    shaders: int
    ratios: dict[str, float | None]


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two reports compared; ``gone`` and ``new`` are cases that only one has."""

    changes: tuple[Change, ...]
    means: tuple[Mean, ...]
    gone: tuple[tuple[str, str, str], ...]
    new: tuple[tuple[str, str, str], ...]

    def above(self, percent: float) -> tuple[Change, ...]:
        """The changes by which something has grown by more than so many percent."""
        return tuple(c for c in self.changes if 100 * (c.ratio - 1) > percent)

    def to_json(self) -> dict[str, Any]:
        """The same as plain data."""
        whole = asdict(self)
        whole["changes"] = [{**asdict(c), "ratio": c.ratio} for c in self.changes]
        return whole


def compare(before: Report, after: Report) -> Comparison:
    """What has changed from one report to another."""
    old = {row.case: row for row in before.rows}
    new = {row.case: row for row in after.rows}
    return Comparison(
        tuple(_changes(before, after)),
        tuple(_means(before, after)),
        tuple(case for case in old if case not in new),
        tuple(case for case in new if case not in old),
    )


def _changes(before: Report, after: Report) -> Iterator[Change]:
    for row in after.rows:
        other = before.row(*row.case)
        for name in MEASURES:
            found = ratio(other, row, name)
            if found is not None and found != 1.0:
                yield Change(*row.case, name, getattr(other, name), getattr(row, name))


def _means(before: Report, after: Report) -> Iterator[Mean]:
    for target in after.targets:
        for opt in after.levels:
            rows = [r for r in after.rows if (r.target, r.opt) == (target, opt)]
            pairs = [(before.row(*r.case), r) for r in rows]
            pairs = [(a, b) for a, b in pairs if a is not None]
            if pairs:
                ratios = {n: geometric_mean(ratio(a, b, n) for a, b in pairs) for n in MEASURES}
                yield Mean(target, opt, len(pairs), ratios)
