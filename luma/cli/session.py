"""What surrounds a command: where the source comes from, and how it tells what went wrong."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import click

from luma.cli import INPUT_ERROR, INTERNAL_ERROR
from luma.cli.files import STANDARD
from luma.diagnostics import Diagnostic, Level, LumaError
from luma.faults import INTERNAL_ERROR as INTERNAL_CODE
from luma.faults import has_errors


@dataclass(frozen=True, slots=True)
class Reader:
    """Where the source comes from and how diagnostics are shown."""

    path: str
    include_dirs: tuple[str, ...]
    diagnostics: str

    @property
    def name(self) -> str:
        """The name that diagnostics show."""
        return "<stdin>" if self.path == STANDARD else self.path


class Session:
    """Shows diagnostics once and turns errors into the exit status."""

    def __init__(self, reader: Reader, *, quiet: bool = False) -> None:
        """A ``quiet`` session says nothing if all is well: another one follows."""
        self.reader, self.quiet = reader, quiet
        self.shown: list[Diagnostic] = []

    def __enter__(self) -> Session:
        return self

    def report(self, results: Any) -> None:
        """Show what compilations found; leave if there are errors."""
        found: dict[Diagnostic, None] = {}
        for result in results:
            found |= dict.fromkeys(result.diagnostics)
        self.show(tuple(found))

    def show(self, found: Sequence[Diagnostic]) -> None:
        """Show diagnostics; leave if there are errors."""
        self.shown += found
        if has_errors(found):
            self.leave()

    def leave(self) -> None:
        """Show what there is and exit with the status of errors."""
        self.flush()
        broken = any(d.code == INTERNAL_CODE for d in self.shown)
        sys.exit(INTERNAL_ERROR if broken else INPUT_ERROR)

    def flush(self) -> None:
        """Write what there is to standard error."""
        if self.reader.diagnostics == "json":
            import json

            click.echo(json.dumps([d.to_json() for d in self.shown], indent=2), err=True)
            return
        for diagnostic in self.shown:
            click.echo(diagnostic.render() + "\n", err=True)
        errors = sum(d.level is Level.ERROR for d in self.shown)
        if errors:
            click.echo(f"{errors} error{'s' if errors > 1 else ''}", err=True)

    def __exit__(self, kind: Any, fault: BaseException | None, trace: Any) -> None:
        if isinstance(fault, LumaError):
            self.shown += fault.diagnostics
            self.leave()
        if fault is None and not self.quiet:
            self.flush()
