"""``luma lume snippets``: shaders made of templates and snippets."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from luma.cli import INPUT_ERROR
from luma.cli.files import write_outputs
from luma.cli.lume_shaders import ToolCommand, make_directory, path_type, root, set_root
from luma.cli.session import Reader, Session
from luma.diagnostics import LumaError

if TYPE_CHECKING:
    from luma.lume.snippets import Made


@click.command(cls=ToolCommand, context_settings={"ignore_unknown_options": True})
@click.option(
    "--source",
    callback=set_root,
    metavar="DIR",
    help="Where the configurations are, and, without --destination, the outputs [default: here].",
)
@click.option(
    "--sourceFile",
    "source_file",
    callback=set_root,
    metavar="FILE",
    help="Make the shader of this configuration only.",
)
@click.option("--destination", type=path_type, metavar="DIR", help="Where the outputs go.")
@click.option("--strict", is_flag=True, help="Fail if a call does not match its group's list.")
@click.option("--check", is_flag=True, help="Compile the shaders, and tell whose fault errors are.")
@click.option(
    "--include",
    "include_dirs",
    type=path_type,
    multiple=True,
    metavar="DIR",
    help="Where headers are, for --check; repeatable, searched in order.",
)
@click.option(
    "--vulkan",
    type=click.Choice(["1.0", "1.1", "1.2", "1.3"]),
    default="1.0",
    show_default=True,
    help="Version of Vulkan to compile for with --check.",
)
@click.option(
    "--diagnostics",
    type=click.Choice(["text", "json"]),
    default="text",
    help="How errors and warnings are shown on standard error.",
)
@click.argument("ignored", nargs=-1, type=click.UNPROCESSED, metavar="")
@click.pass_context
def snippets(
    ctx: click.Context,
    /,
    source: str | None,
    source_file: str | None,
    destination: Path | None,
    strict: bool,
    check: bool,
    include_dirs: tuple[Path, ...],
    vulkan: str,
    diagnostics: str,
    ignored: tuple[str, ...],
) -> None:
    """Make the shader, and its pipeline layout, of each configuration in a directory.

    The exit status is 1 if a configuration of a shader has errors; the others are made all the
    same.  Other JSON in the directory is left alone.
    """
    from luma.lume.problems import IGNORED, warning
    from luma.lume.snippets import make, scan

    folder = root(ctx)
    place = destination or folder
    results: list[Made] = []
    with Session(Reader(str(folder), (), diagnostics)) as session:
        checking = _checker(place, include_dirs, vulkan) if check else None
        session.shown += [
            warning(IGNORED, f"'{word}' is not an option: ignored") for word in ignored
        ]
        paths = scan(folder) if source_file is None else (Path(source_file),)
        for path in paths:
            shown = click.format_filename(_shown(path, source, source_file))
            click.echo(f'Parsing "{shown}"...')
            made = make(path, single=source_file is not None, strict=strict)
            if checking is not None:
                made = checking(made)
            results.append(made := _written(made, place))
            session.shown += made.diagnostics
    if any(made.failed for made in results):
        sys.exit(INPUT_ERROR)


def _checker(place: Path, include_dirs: tuple[Path, ...], vulkan: str) -> Callable[[Made], Made]:
    """What compiles a shader that was made and adds what is wrong with it."""
    from luma.lume.includes import Search
    from luma.lume.snippets import layout_name
    from luma.lume.snippets.check import check
    from luma.lume.tools import toolchain

    glslang = toolchain().glslang
    search = Search(place, include_dirs)

    def checked(made: Made) -> Made:
        if made.shader is None or made.target is None or made.failed:
            return made
        layout = made.outputs[layout_name(made.target)]
        found = check(made.shader, layout, place / made.target, search, glslang, vulkan)
        return replace(made, diagnostics=(*made.diagnostics, *found))

    return checked


def _shown(path: Path, source: str | None, source_file: str | None) -> str:
    """The path as the engine's tool writes it: with what the user wrote before it."""
    return source_file or os.path.join(source or ".", path.name)


def _written(made: Made, place: Path) -> Made:
    """A result whose outputs are written, or told if they have nowhere to go."""
    if made.shader is not None and made.target is None:
        click.echo("Result:")
        click.echo(made.shader.text.encode("utf-8", "surrogateescape"))
    try:
        outputs = {place / target: data for target, data in made.outputs.items()}
        for folder in dict.fromkeys(path.parent for path in outputs):
            make_directory(folder)
        write_outputs(outputs)
    except LumaError as fault:
        return replace(made, diagnostics=(*made.diagnostics, *fault.diagnostics))
    return made
