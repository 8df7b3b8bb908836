"""A table of figures by subject and compiler, compared with the best peer of each subject."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from benchmarks.figures import geometric_mean

#: The rows of Luma's own compilers begin so; what follows is the level.
OWN = "luma "
#: Ends the name of a peer in a row where it started from what Luma makes without optimization.
BORROWED = "*"


@dataclass(frozen=True, slots=True)
class Comparison:
    """Figures of which less is better, by subject and compiler.

    ``borrowed`` tells, by subject, which peers started from what Luma makes without optimization,
    as the subject is not written in a language that they read.  ``notes`` are by subject too.
    """

    title: str
    rows: Mapping[str, Mapping[str, float]]
    borrowed: Mapping[str, Sequence[str]] = field(default_factory=dict)
    notes: Mapping[str, str] = field(default_factory=dict)

    @property
    def compilers(self) -> tuple[str, ...]:
        """Every compiler that has a figure, Luma's levels first."""
        names = dict.fromkeys(name for row in self.rows.values() for name in row)
        return tuple(sorted(names, key=lambda name: not name.startswith(OWN)))

    @property
    def own(self) -> tuple[str, ...]:
        """Luma's levels."""
        return tuple(name for name in self.compilers if name.startswith(OWN))

    @property
    def peers(self) -> tuple[str, ...]:
        """The others."""
        return tuple(name for name in self.compilers if not name.startswith(OWN))

    def best_peer(self, subject: str) -> float | None:
        """The least figure of a peer, None if there is none."""
        row = self.rows[subject]
        return min((v for name, v in row.items() if not name.startswith(OWN)), default=None)

    def ratio(self, subject: str, compiler: str) -> float | None:
        """A compiler's figure over the best peer's; None where one of them has none."""
        best = self.best_peer(subject)
        if not best or compiler not in self.rows[subject]:
            return None
        return self.rows[subject][compiler] / best

    def ratios(self, compiler: str) -> dict[str, float]:
        """All ratios that there are, by subject."""
        found = ((subject, self.ratio(subject, compiler)) for subject in self.rows)
        return {subject: ratio for subject, ratio in found if ratio is not None}

    def mean(self, compiler: str) -> float:
        """The geometric mean of the ratios."""
        return geometric_mean(self.ratios(compiler).values())

    def mean_to(self, compiler: str, peer: str) -> float:
        """The geometric mean of a compiler's figures over one peer's, where both have one."""
        both = (row for row in self.rows.values() if row.get(peer) and compiler in row)
        return geometric_mean(row[compiler] / row[peer] for row in both)

    def worst(self, compiler: str) -> tuple[str, float]:
        """The subject where the compiler is furthest behind.  Raises ValueError for no rows."""
        return max(self.ratios(compiler).items(), key=lambda item: item[1])

    def as_json(self) -> dict[str, Any]:
        """The table as plain data."""
        return {
            "title": self.title,
            "rows": {subject: dict(row) for subject, row in self.rows.items()},
            "borrowed": {s: list(names) for s, names in self.borrowed.items() if names},
            "notes": {subject: note for subject, note in self.notes.items() if note},
        }

    @staticmethod
    def of_json(plain: Mapping[str, Any]) -> Comparison:
        """The table that :meth:`as_json` has written."""
        return Comparison(plain["title"], plain["rows"], plain["borrowed"], plain["notes"])


def as_text(table: Comparison) -> str:
    """The table for a terminal."""
    compilers = table.compilers
    widths = [max(9, len(name) + 2) for name in compilers]
    ruler = max((len(subject) for subject in table.rows), default=0) + 2
    head = "".join(f"{name:>{width}}" for name, width in zip(compilers, widths, strict=True))
    lines = [table.title, f"{'':{ruler}}{head}{'ratio':>8}"]
    for subject, row in table.rows.items():
        cells = "".join(
            f"{_cell(row.get(name), name in table.borrowed.get(subject, ())):>{width}}"
            for name, width in zip(compilers, widths, strict=True)
        )
        ratio = table.ratio(subject, table.own[-1]) if table.own else None
        told = "" if ratio is None else f"{ratio:8.2f}"
        lines.append(f"{subject:{ruler}}{cells}{told}  {table.notes.get(subject, '')}".rstrip())
    return "\n".join([*lines, *means(table)])


def _cell(figure: float | None, borrowed: bool) -> str:
    if figure is None:
        return "-"
    text = f"{figure:.0f}" if figure >= 100 or figure == int(figure) else f"{figure:.3g}"
    return text + BORROWED * borrowed


def means(table: Comparison) -> Iterable[str]:
    """A line for each of Luma's levels: the mean over the best peer and over each peer."""
    for name in table.own:
        if not table.ratios(name):
            continue
        each = ", ".join(f"{peer} {table.mean_to(name, peer):.3f}" for peer in table.peers)
        subject, ratio = table.worst(name)
        yield (
            f"{name}: {table.mean(name):.3f} of the best peer (geometric mean); "
            f"at worst {ratio:.2f} ({subject}); of {each}"
        )
