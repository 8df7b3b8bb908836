"""Tables for the terminal: columns of text, aligned."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def table(
    head: Sequence[str],
    rows: Iterable[Sequence[object]],
    *,
    words: int = 1,
    last_left: bool = False,
) -> str:
    """The rows under a head; the first ``words`` columns are text, flush left, the others right.

    With ``last_left`` the last column is text too.  None is shown as a dash, a float with one place
    after the point.
    """
    cells = [list(head), *([_cell(value) for value in row] for row in rows)]
    widths = [max(len(row[n]) for row in cells) for n in range(len(head))]
    left = len(head) - 1 if last_left else None
    lines = [
        "  ".join(
            text.ljust(width) if n < words or n == left else text.rjust(width)
            for n, (text, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in cells
    ]
    return "\n".join(lines)


def percent(change: float | None) -> str:
    """A change, given as a ratio to what was before, in percent with its sign."""
    return "-" if change is None else f"{100 * (change - 1):+.1f} %"


def _cell(value: object) -> str:
    match value:
        case None:
            return "-"
        case float():
            return f"{value:.1f}"
    return str(value)
