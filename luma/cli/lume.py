"""``luma lume``: the Lume engine's shader tools, and the same under the engine's own names."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path

import click

from luma.cli import guarded, status_of
from luma.cli.lume_shaders import shaders
from luma.cli.lume_snippets import snippets
from luma.cli.session import Reader, Session
from luma.diagnostics import Diagnostic, LumaError


@click.group()
def lume() -> None:
    """Shaders of the Lume engine: GLSL to SPIR-V with reflection, and shaders made of snippets."""


lume.add_command(shaders)
lume.add_command(snippets)


@lume.command()
@click.argument("file", metavar="FILE.lsb", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.option("--check", is_flag=True, help="Fail if the engine would refuse the file.")
def lsb(file: Path, as_json: bool, check: bool) -> None:
    """Print the reflection in FILE.lsb as text."""
    from luma.cli.files import read_input
    from luma.lume.lsb_reader import read, refusals
    from luma.lume.lsb_text import as_data, as_text
    from luma.lume.problems import LSB, error

    with Session(Reader(str(file), (), "text")) as session:
        data = read_input(str(file))
        try:
            found = read(data)
        except LumaError as fault:
            raise LumaError([_of(d, file) for d in fault.diagnostics]) from None
        click.echo(json.dumps(as_data(found), indent=2) if as_json else as_text(found))
        if check:
            refused = [error(LSB, f"the engine refuses {r}") for r in refusals(data)]
            session.show([_of(d, file) for d in refused])


def _of(problem: Diagnostic, file: Path) -> Diagnostic:
    """A problem that tells which file it is of."""
    return replace(problem, message=f"'{click.format_filename(file)}': {problem.message}")


def shader_compiler() -> None:
    """``LumeShaderCompiler``: exits with 1 after its help, as the engine's does."""
    guarded(lambda: _as_of_engine(shaders, "LumeShaderCompiler", help_status=1))


def snippet_compiler() -> None:
    """``LumeSnippetCompiler``."""
    guarded(lambda: _as_of_engine(snippets, "LumeSnippetCompiler", help_status=0))


def _as_of_engine(command: click.Command, name: str, help_status: int) -> None:
    """Run a command with the engine's statuses: 1 for wrong usage too."""
    status = min(status_of(command, name), 1)
    sys.exit(help_status if "--help" in sys.argv[1:] else status)
