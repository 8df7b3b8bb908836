"""``luma stats``: what the outputs of sources are made of."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from luma.cli.configuration import configured_rules
from luma.cli.files import read_input
from luma.cli.options import including, levels_and_targets
from luma.cli.session import Reader, Session
from luma.cli.tables import table
from luma.diagnostics import Diagnostic, LumaError

if TYPE_CHECKING:
    from luma.statistics import Statistics


@click.command()
@click.argument("sources", metavar="FILES...", nargs=-1, required=True)
@including
@levels_and_targets
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def stats(
    sources: tuple[str, ...],
    include_dirs: tuple[str, ...],
    diagnostics: str,
    targets: tuple[str, ...],
    opt: tuple[str, ...],
    rules: tuple[str, ...],
    as_json: bool,
    **chosen: Any,
) -> None:
    """Count what FILES become: bytes, tokens, instructions by class, operations by kind.

    A file that has errors is reported and the others are counted; the exit status is then 1.
    """
    from luma.statistics import measure

    reader = Reader(sources[0], include_dirs, diagnostics)
    with Session(reader) as session:
        counted: dict[str, tuple[Statistics, ...]] = {}
        problems: list[Diagnostic] = []
        for source in sources:
            name = Reader(source, include_dirs, diagnostics).name
            try:
                counted[name] = measure(
                    read_input(source),
                    targets or None,
                    opt,
                    name=name,
                    include_dirs=include_dirs,
                    rules=tuple(dict.fromkeys((*configured_rules(source), *rules))),
                    **chosen,
                )
            except LumaError as failed:
                problems += (_named(d, source) for d in failed.diagnostics)
        if as_json or counted:
            click.echo(_json(counted) if as_json else _text(counted))
        session.show(problems)


def _named(problem: Diagnostic, source: str) -> Diagnostic:
    """A problem that tells which source it is of."""
    if problem.span is not None or source in problem.message:
        return problem
    return replace(problem, message=f"'{source}': {problem.message}")


def _json(counted: dict[str, tuple[Statistics, ...]]) -> str:
    import json

    rows = [{"shader": name, **s.to_json()} for name, every in counted.items() for s in every]
    return json.dumps(rows, indent=2)


def _text(counted: dict[str, tuple[Statistics, ...]]) -> str:
    return "\n\n".join(_of_source(*row) for row in counted.items())


def _of_source(name: str, counted: Sequence[Statistics]) -> str:
    from luma.statistics import CLASSES

    head = ("target", "level", "bytes", "minified", "tokens", *CLASSES)
    rows = (
        (s.target, s.opt, s.bytes, s.minified, s.tokens, *(s.instructions[c] for c in CLASSES))
        for s in counted
    )
    return f"{name}\n\n{table(head, rows, words=2)}\n\n{_operations(counted)}"


def _operations(counted: Sequence[Statistics]) -> str:
    """The operations by level; by target too where targets differ in them."""
    columns: dict[str, Counter[str]] = {}
    for opt in dict.fromkeys(s.opt for s in counted):
        by_target = {s.target: Counter(s.operations) for s in counted if s.opt == opt}
        alike = len({tuple(sorted(c.items())) for c in by_target.values()}) == 1
        for target, operations in by_target.items():
            columns[opt if alike else f"{opt} {target}"] = operations
    names = sorted({name for operations in columns.values() for name in operations})
    return table(("operation", *columns), ((n, *(c[n] for c in columns.values())) for n in names))
