"""``luma bench``: measurements of many shaders."""

from __future__ import annotations

import csv
import io
import json
import math
import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from luma.cli.configuration import configured_rules
from luma.cli.files import STANDARD, read_input, write_outputs, write_standard
from luma.cli.options import including, levels_and_targets
from luma.cli.session import Reader, Session
from luma.cli.tables import percent, table
from luma.diagnostics import LumaError
from luma.faults import error

if TYPE_CHECKING:
    from luma.sizes.comparison import Change, Comparison
    from luma.sizes.report import Report, Row, Summary


@click.group()
def bench() -> None:
    """Measure what shaders become."""


@bench.command()
@click.argument("paths", metavar="[FILES|DIRS]...", nargs=-1)
@including
@levels_and_targets
@click.option("--jobs", type=click.IntRange(min=1), default=os.cpu_count() or 1, metavar="N",
              help="How many processes share the work [default: one for each core].")  # fmt: skip
@click.option("--json", "json_file", metavar="OUT", help="Write the report, - to standard output.")
@click.option("--csv", "csv_file", metavar="OUT", help="Write a row for each output.")
@click.option("--html", "html_file", metavar="OUT", help="Write a page with plots and tables.")
@click.option("--svg", "svg_file", metavar="OUT", help="Write the plots.")
@click.option("--compare", nargs=2, metavar="A.json B.json", help="Compare two reports instead.")
@click.option("--fail-above", type=float, metavar="PERCENT",
              help="With --compare: fail if anything has grown by more.")  # fmt: skip
def size(
    paths: tuple[str, ...],
    include_dirs: tuple[str, ...],
    diagnostics: str,
    targets: tuple[str, ...],
    opt: tuple[str, ...],
    rules: tuple[str, ...],
    jobs: int,
    compare: tuple[str, str] | None,
    fail_above: float | None,
    **chosen: Any,
) -> None:
    """Measure how large FILES, and the shaders in DIRS, come out.

    For each target and level: bytes, bytes without comments and white space, tokens, instructions
    by class, and the change from the level none; totals and geometric means.  Shaders that do not
    compile are reported and the others measured; the exit status is then 1.
    """
    outputs = {kind: chosen.pop(f"{kind}_file") for kind in ("json", "csv", "html", "svg")}
    if (compare is None) == (not paths):
        raise click.UsageError("give FILES or DIRS, or --compare A.json B.json")
    if fail_above is not None and compare is None:
        raise click.UsageError("--fail-above goes with --compare")
    if fail_above is not None and math.isnan(fail_above):
        raise click.UsageError("--fail-above takes a number")
    if compare is not None and (outputs["csv"] or outputs["html"] or outputs["svg"]):
        raise click.UsageError("a comparison is a table, or --json")
    places = [Path(place) for place in outputs.values() if place is not None]
    if len(set(places)) < len(places):
        raise click.UsageError("each output needs a place of its own")
    with Session(Reader(STANDARD, include_dirs, diagnostics)) as session:
        if compare is not None:
            _compare(compare, outputs["json"], fail_above, session)
            return
        from luma.sizes.report import measure_sources, sources

        changes = {"include_dirs": include_dirs, "rules": rules, **chosen}
        report = measure_sources(
            paths, targets, opt, jobs=jobs, rules_of=configured_rules, **changes
        )
        _write(report, outputs, (*(path for path, _ in sources(paths)), *report.rules))
        if STANDARD not in outputs.values():
            click.echo(_text(report))
        failures = [error("E0814", m) for f in report.failures for m in f.messages]
        session.show(failures)


def _read(path: str) -> Report:
    """A report from a file.  Raises LumaError (E0807, E0815)."""
    from luma.sizes.report import Report

    try:
        return Report.from_json(json.loads(read_input(path)))
    except (ValueError, RecursionError) as fault:
        problem = f"'{path}' is no report of sizes: {fault}"
        advice = "give files that `luma bench size --json` has written"
        raise LumaError([error("E0815", problem, advice)]) from None


def _write(report: Report, outputs: dict[str, str | None], read: Iterable[str]) -> None:
    """Write what is asked for; names that are no Unicode are shown as such."""
    files: dict[Path, bytes] = {}
    for kind, place in outputs.items():
        if place is None:
            continue
        data = _rendered(report, kind).encode(errors="replace")
        if place == STANDARD:
            write_standard(data)
        else:
            files[Path(place)] = data
    write_outputs(files, read)


def _rendered(report: Report, kind: str) -> str:
    match kind:
        case "json":
            return json.dumps(report.to_json(), indent=1) + "\n"
        case "csv":
            return _csv(report)
        case "html":
            from luma.sizes.page import page

            return page(report)
    from luma.sizes.plots import svg

    return svg(report)


def _csv(report: Report) -> str:
    from luma.sizes.report import MEASURES
    from luma.statistics import CLASSES

    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    changes = [f"{name} to none" for name in MEASURES]
    writer.writerow(["shader", "target", "level", *MEASURES, *changes, *CLASSES])
    for row in report.rows:
        values = [getattr(row, name) for name in MEASURES]
        ratios = [report.change(row, name) for name in MEASURES]
        classes = [row.by_class.get(c, 0) for c in CLASSES]
        writer.writerow([*row.case, *values, *ratios, *classes])
    return out.getvalue()


# ---------------------------------------------------------------- the table


def _text(report: Report) -> str:
    from luma.statistics import CLASSES

    if not report.rows:
        return "nothing was measured"
    head = _head("shader", CLASSES)
    parts = []
    for target in report.targets:
        rows = [_row(report, r) for r in report.rows if r.target == target]
        parts.append(f"{target}\n\n{table(head, rows, words=2)}")
    sums = [row for s in report.summaries() for row in _sums(s)]
    parts.append(table(_head("all shaders", ()), sums, words=2))
    return "\n\n".join(parts)


def _head(first: str, last: Sequence[str]) -> tuple[str, ...]:
    from luma.sizes.report import MEASURES

    return (first, "level", *(word for name in MEASURES for word in (name, "change")), *last)


def _row(report: Report, row: Row) -> tuple[object, ...]:
    from luma.sizes.report import MEASURES
    from luma.statistics import CLASSES

    pairs = [(getattr(row, name), percent(report.change(row, name))) for name in MEASURES]
    classes = (row.by_class.get(c, 0) for c in CLASSES)
    return (row.shader, row.opt, *(cell for pair in pairs for cell in pair), *classes)


def _sums(summary: Summary) -> list[tuple[object, ...]]:
    """Totals with the geometric means of the changes beside them."""
    from luma.sizes.report import MEASURES

    pairs = [(summary.totals[name], percent(summary.means[name])) for name in MEASURES]
    name = f"{summary.target} ({summary.shaders})"
    return [(name, summary.opt, *(cell for pair in pairs for cell in pair))]


# ---------------------------------------------------------------- comparing


def _compare(
    paths: tuple[str, str], place: str | None, limit: float | None, session: Session
) -> None:
    from luma.sizes.comparison import compare

    found = compare(*map(_read, paths))
    grown = () if limit is None else found.above(limit)
    if place is not None:
        data = json.dumps(found.to_json(), indent=1).encode() + b"\n"
        if place == STANDARD:
            write_standard(data)
        else:
            write_outputs({Path(place): data}, paths)
    if place != STANDARD:
        click.echo(_differences(found))
    session.show(
        [error("E0816", f"{c.shader} for {c.target} at {c.opt}: {_said(c)}") for c in grown]
    )


def _said(change: Change) -> str:
    return f"{change.measure} {change.before} -> {change.after} ({percent(change.ratio)})"


def _differences(found: Comparison) -> str:
    from luma.sizes.report import MEASURES

    parts = []
    if not found.means:
        parts.append("the reports have no shader in common")
    elif found.changes:
        columns = ("shader", "target", "level", "measure", "before", "after", "change")
        rows = [
            (c.shader, c.target, c.opt, c.measure, c.before, c.after, percent(c.ratio))
            for c in found.changes
        ]
        parts.append(table(columns, rows, words=4))
    else:
        parts.append("nothing has changed")
    means = [
        (m.target, m.opt, m.shaders, *(percent(m.ratios[name]) for name in MEASURES))
        for m in found.means
    ]
    if means:
        head = ("target", "level", "shaders", *MEASURES)
        parts.append(f"geometric means of the changes\n\n{table(head, means, words=2)}")
    for what, cases in (("only in the first", found.gone), ("only in the second", found.new)):
        if cases:
            parts.append(f"{what}: " + ", ".join(" ".join(case) for case in cases))
    return "\n\n".join(parts)
