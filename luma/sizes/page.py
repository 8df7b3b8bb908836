"""A report as one page that needs nothing else: plots, then tables."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from luma.sizes.plots import STYLE, figure, plots
from luma.sizes.report import MEASURES, Report, Row, Summary
from luma.statistics import CLASSES

_STYLE = """
:root { color-scheme: light dark; --text: #1b1f24; --back: #ffffff; --line: #d0d7de;
  --good: #0a6b4c; --bad: #b3261e; --band: #f6f8fa; }
@media (prefers-color-scheme: dark) { :root { --text: #e6edf3; --back: #0d1117; --line: #363d46;
  --good: #56d1a4; --bad: #ff8a80; --band: #161b22; } }
body { margin: 0 auto; max-width: 62rem; padding: 1rem; color: var(--text); background: var(--back);
  font: 16px/1.5 system-ui, "DejaVu Sans", sans-serif; }
figure { margin: 1.5rem 0; }
figure svg { width: 100%; height: auto; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-size: 0.875rem; font-variant-numeric: tabular-nums; }
th, td { padding: 0.2rem 0.6rem; text-align: right; border-bottom: 1px solid var(--line);
  white-space: nowrap; }
th { vertical-align: bottom; }
.word { text-align: left; }
tbody tr:nth-child(even) { background: var(--band); }
.less { color: var(--good); }
.more { color: var(--bad); }
"""

_MEANING = """Bytes are those of the output. Minified is the text without comments and needless
white space. Instructions are those of the optimized intermediate form, constants, constructions and
swizzles (the class data) left out. Percentages are changes from the level none."""


def page(report: Report) -> str:
    """The report as HTML."""
    figures = "\n".join(f"<figure>{figure(p)}</figure>" for p in plots(report))
    sections = "\n".join(_target(report, target) for target in report.targets)
    count = len(report.shaders)
    title = f"Sizes of {count} shader{'s' * (count != 1)}"
    rules = f" Rules: {escape(', '.join(report.rules))}." if report.rules else ""
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>{_STYLE}{STYLE}</style>
</head>
<body>
<h1>{title}</h1>
<p>{_MEANING}{rules}</p>
{_failures(report)}
{figures}
<h2>Totals and geometric means</h2>
{_summaries(report.summaries())}
{sections}
</body>
</html>
"""


def _failures(report: Report) -> str:
    if not report.failures:
        return ""
    items = "".join(
        f"<li>{escape(message)}</li>" for f in report.failures for message in f.messages
    )
    return f"<h2>Not measured</h2>\n<ul>{items}</ul>"


def _table(head: Sequence[str], rows: Iterable[Sequence[str]], words: int) -> str:
    kinds = [' class="word"' if n < words else "" for n in range(len(head))]
    names = "".join(f"<th{k}>{escape(h)}</th>" for k, h in zip(kinds, head, strict=True))
    lines = "\n".join(
        "<tr>" + "".join(f"<td{k}>{c}</td>" for k, c in zip(kinds, row, strict=True)) + "</tr>"
        for row in rows
    )
    table = f"<table><thead><tr>{names}</tr></thead>\n<tbody>{lines}</tbody></table>"
    return f'<div class="wide">{table}</div>'


def _change(ratio: float | None) -> str:
    if ratio is None:
        return "-"
    kind = "less" if ratio < 1 else "more" if ratio > 1 else "same"
    return f'<span class="{kind}">{100 * (ratio - 1):+.1f}&nbsp;%</span>'


def _number(value: int | None) -> str:
    return "-" if value is None else str(value)


def _summaries(summaries: Iterable[Summary]) -> str:
    head = ["target", "level", "shaders"]
    for name in MEASURES:
        head += [name, "mean change"]
    rows = []
    for s in summaries:
        row = [escape(s.target), escape(s.opt), str(s.shaders)]
        for name in MEASURES:
            row += [_number(s.totals[name]), _change(s.means[name])]
        rows.append(row)
    return _table(head, rows, 2)


def _target(report: Report, target: str) -> str:
    head = ["shader", "level"]
    for name in MEASURES:
        head += [name, "change"]
    rows = [_row(report, r) for r in report.rows if r.target == target]
    return f"<h2>{escape(target)}</h2>\n{_table([*head, *CLASSES], rows, 2)}"


def _row(report: Report, row: Row) -> list[str]:
    cells = [escape(row.shader), escape(row.opt)]
    for name in MEASURES:
        cells += [_number(getattr(row, name)), _change(report.change(row, name))]
    return cells + [str(row.by_class.get(c, 0)) for c in CLASSES]
