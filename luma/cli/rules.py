"""``luma rules``: rules of the optimizer listed, checked and tested."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import click

from luma.cli.files import read_input
from luma.cli.session import Reader, Session
from luma.diagnostics import LumaError
from luma.faults import error, has_errors, run_stage
from luma.optimizer.rulefiles.check import NeedsLibraries, Report, check
from luma.optimizer.rulefiles.read import RuleFile, known_by_us, ours, read
from luma.optimizer.rulefiles.tree import Rule

_files = click.argument("files", metavar="FILE...", nargs=-1)
_diagnostics = click.option(
    "--diagnostics",
    type=click.Choice(["text", "json"]),
    default="text",
    help="How errors and warnings are shown on standard error.",
)
_COLUMNS = ("name", "ruleset")
_json = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


@click.group()
def rules() -> None:
    """List, check and test rules of the optimizer."""


@rules.command("list")
@_files
@_json
@_diagnostics
def list_rules(files: tuple[str, ...], as_json: bool, diagnostics: str) -> None:
    """List Luma's rules, or those of FILE...: name, class, ruleset, what they do, where."""
    with Session(Reader("rules", (), diagnostics)) as session:
        found: Sequence[RuleFile] = _read(files, session) if files else ours()
        rows = [_row(rule) for file in found for rule in file.rules]
        if as_json:
            click.echo(json.dumps(rows, indent=2))
            return
        widths = [max((len(str(row[key])) for row in rows), default=0) for key in _COLUMNS]
        for row in rows:
            name, ruleset = str(row["name"]), str(row["ruleset"])
            place = f"{row['file']}:{row['line']}"
            click.echo(
                f"{name:{widths[0]}}  {row['class']:5}  {ruleset:{widths[1]}}  "
                f"{row['comment']}  ({place})"
            )


def _row(rule: Rule) -> dict[str, object]:
    return {
        "name": rule.name,
        "class": "fast" if rule.fast else "exact",
        "ruleset": rule.ruleset,
        "comment": rule.summary,
        "file": rule.file,
        "line": rule.line,
    }


def _texts(files: Sequence[str]) -> list[tuple[str, str]]:
    """The files' names and texts.  Raises LumaError (E0807, E0101)."""
    found = []
    for name in files:
        try:
            found.append((name, read_input(name).decode("utf-8-sig")))
        except UnicodeDecodeError:
            raise LumaError([error("E0101", f"'{name}' is not UTF-8")]) from None
    return found


def _read(files: Sequence[str], session: Session) -> list[RuleFile]:
    known = known_by_us()
    found: list[RuleFile] = []
    for name, text in _texts(files):
        file = read(name, text, known)
        session.show(file.diagnostics)
        found.append(file)
        known = file.known
    return found


@rules.command("check")
@_files
@click.option(
    "--points",
    type=click.IntRange(min=1000),
    default=100_000,
    show_default=True,
    metavar="N",
    help="How many values to try rules about floats on, for each width.",
)
@_json
@_diagnostics
def check_rules(files: tuple[str, ...], points: int, as_json: bool, diagnostics: str) -> None:
    """Check the rules of FILE...: their form, names, types, growth, and whether they are true.

    Rules about bools and integers are proved; rules about floats are tried on special values and
    random ones, a fast rule on ordinary ones.  A rule that is not true is shown with values.
    """
    if not files:
        raise click.UsageError("say which files to check")
    with Session(Reader("rules", (), diagnostics)) as session:
        texts = _texts(files)
        report = run_stage("checking rules", lambda: _checked(texts, points))
        if as_json:
            click.echo(json.dumps(_told(report), indent=2))
        else:
            _show(report)
        session.show(report.diagnostics)


def _checked(texts: Sequence[tuple[str, str]], points: int) -> Report:
    try:
        return check(texts, points)
    except NeedsLibraries as missing:
        problem = f"checking rules needs {missing}, which is not installed"
        help = "pip install 'luma-shader[rules]'"
        raise LumaError([error("E0913", problem, help)]) from None


def _told(report: Report) -> dict[str, Any]:
    return {
        "rules": [{**_row(f.rule), "verdict": f.verdict} for f in report.findings],
        "diagnostics": [d.to_json() for d in report.diagnostics],
    }


def _show(report: Report) -> None:
    width = max((len(f.rule.name) for f in report.findings), default=0)
    for file in report.files:
        click.echo(f"{file.name}: {len(file.rules)} rule{'s' * (len(file.rules) != 1)}")
        for finding in report.findings:
            if finding.rule.source is file.source:
                click.echo(f"  {finding.rule.name:{width}}  {finding.verdict}")


@rules.command("test")
@_files
@_diagnostics
def test_rules(files: tuple[str, ...], diagnostics: str) -> None:
    """Run the cases in the comments of FILE...: `; test: before => after`.

    What stands before the arrow is compiled with the files' rules and has to become what stands
    after it.
    """
    if not files:
        raise click.UsageError("say which files to test")
    from luma.rule_cases import run_cases

    with Session(Reader("rules", (), diagnostics)) as session:
        found = _read(files, session)
        results = run_stage("testing rules", lambda: run_cases(found))
        for result in results:
            click.echo(f"{'ok' if result.problem is None else 'FAILED':6}  {result.case}")
        problems = tuple(r.problem for r in results if r.problem is not None)
        session.show(problems)
        if not results and not has_errors(problems):
            click.echo("there are no cases")
