"""``luma explain``: why the optimized code is what it is."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from luma.cli.files import read_input
from luma.cli.options import levels, reading, rule_files, selecting
from luma.cli.session import Reader, Session
from luma.cli.tables import table
from luma.diagnostics import LumaError
from luma.faults import error
from luma.pipeline import Options

if TYPE_CHECKING:
    from luma.explanation import Derivation, Explanation, FunctionExplanation, RuleUse

_WIDTH = 100

#: How many names are listed where none was meant.
_NAMES = 12


@click.command()
@reading
@selecting
@levels
@rule_files
@click.option("--target", default="glsl", metavar="NAME", help="The target to compile for [glsl].")
@click.option("--why", "asked", metavar="NAME", help="Only how this value, or line, came about.")
@click.option("--all", "everything", is_flag=True, help="Show also rules that no code rests on.")
@click.option("--brief", is_flag=True, help="Leave out the IR before and after.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def explain(
    source: str,
    include_dirs: tuple[str, ...],
    diagnostics: str,
    asked: str | None,
    everything: bool,
    brief: bool,
    as_json: bool,
    **chosen: Any,
) -> None:
    """Tell what optimization does to IN: passes, rules that fired, and what each saved.

    With --why, show the chain of rules behind a value that has a name in the source, or behind the
    values of a line.
    """
    reader = Reader(source, include_dirs, diagnostics)
    with Session(reader):
        from luma.explanation import explain as explain_source

        options = Options(include_dirs=include_dirs, **chosen)
        told = explain_source(read_input(source), options, name=reader.name)
        if asked is not None:
            derivations = _named(told, asked)
            click.echo(_json_of(derivations) if as_json else "\n\n".join(map(_why, derivations)))
        elif as_json:
            import json

            click.echo(json.dumps(told.to_json(), indent=2))
        else:
            click.echo("\n\n".join(_sections(told, reader.name, everything, brief)))


def _named(told: Explanation, asked: str) -> tuple[Derivation, ...]:
    found = told.why(asked)
    if found:
        return found
    import difflib

    names = told.names()
    near = difflib.get_close_matches(asked, names, 1)
    shown = ", ".join(names[:_NAMES]) + (", ..." if len(names) > _NAMES else "")
    others = f"there is {shown}" if names else "no value has a name"
    help = f"did you mean '{near[0]}'?" if near else f"{others}; or give a line of the source"
    raise LumaError([error("E0813", f"no value has the name or the line '{asked}'", help)])


def _json_of(derivations: tuple[Derivation, ...]) -> str:
    import json
    from dataclasses import asdict

    return json.dumps([asdict(d) for d in derivations], indent=2)


# ---------------------------------------------------------------- all of it


def _sections(told: Explanation, name: str, everything: bool, brief: bool) -> Iterator[str]:
    yield (
        f"{name}: level {told.opt}, {told.fp} floating point; "
        f"{told.target} {told.bytes_before} -> {told.bytes_after} bytes"
    )
    if told.passes:
        yield _passes(told)
    for function in told.functions:
        yield _function(function, everything)
        if not brief:
            yield f"before\n{textwrap.indent(function.before, '  ')}"
            yield f"after\n{textwrap.indent(function.after, '  ')}"
    if told.notes:
        yield "\n".join(f"note: {note}" for note in told.notes)


def _passes(told: Explanation) -> str:
    rows = [
        (step.name, function, *sizes)
        for step in told.passes
        for function, sizes in step.changed.items()
    ]
    quiet = [step.name for step in told.passes if not step.changed]
    shown = table(("pass", "function", "before", "after"), rows, words=2)
    return shown + (f"\nof no effect: {', '.join(quiet)}" if quiet else "")


def _function(function: FunctionExplanation, everything: bool) -> str:
    head = (
        f"function {function.name}{', then inlined' * function.inlined}: "
        f"{function.instructions_before} -> {function.instructions_after} instructions"
    )
    if not function.rules:
        return f"{head}; no rule fired"
    head += f"; rules: cost {function.cost_before} -> {function.cost_after}"
    shown = [r for r in function.rules if everything or r.used]
    hidden = len(function.rules) - len(shown)
    lines = [head]
    if shown:
        columns = ("rule", "ruleset", "fired", "changed", "used", "saved", "")
        lines.append(table(columns, map(_row, shown), words=2, last_left=True))
    if hidden:
        lines.append(f"{hidden} more fired, but the code does not rest on them (see --all)")
    return "\n".join(lines)


def _row(use: RuleUse) -> tuple[object, ...]:
    summary = textwrap.shorten(use.summary, 60, placeholder=" ...")
    return use.name, use.ruleset, use.fired, use.changed, use.used, use.saved, summary


# ---------------------------------------------------------------- one value


def _why(told: Derivation) -> str:
    lines = [f"{told.name}  ({told.line or told.function})"]
    if told.source and told.outcome != "input":
        lines.append(_wrapped("  ", f"= {told.source}"))
    for step in told.steps:
        indent = "    " + "  " * step.depth
        way = ", from right to left" if step.backward else ""
        lines.append(f"{indent}by {step.rule}{way}")
        lines.append(_wrapped(f"{indent}  ", f"   {step.before}"))
        lines.append(_wrapped(f"{indent}  ", f"-> {step.after}"))
    note = f": {told.note}" if told.note else ""
    lines.append(f"  {told.outcome}{note}")
    if told.result and told.outcome in ("rewritten", "constant"):
        lines.append(_wrapped("  ", f"= {told.result}"))
    return "\n".join(lines)


def _wrapped(indent: str, text: str) -> str:
    lead = indent + text[: len(text) - len(text.lstrip())]
    rest = lead + "   "
    return textwrap.fill(
        text.lstrip(), max(_WIDTH, len(rest) + 40), initial_indent=lead, subsequent_indent=rest,
        break_long_words=False,
    )  # fmt: skip
