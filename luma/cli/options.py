"""Options that commands share, as decorators."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

from luma.language.stages import Stage
from luma.pipeline import FP_MODES, OPT_LEVELS

Command = TypeVar("Command", bound=Callable[..., Any])


def reading(command: Command) -> Command:
    """The arguments that every command has."""
    for option in (
        click.option(
            "--diagnostics",
            type=click.Choice(["text", "json"]),
            default="text",
            help="How errors and warnings are shown on standard error.",
        ),
        click.option(
            "--include-dir",
            "-I",
            "include_dirs",
            multiple=True,
            metavar="DIR",
            help="Where #include <...> looks; repeatable.",
        ),
        click.argument("source", metavar="IN"),
    ):
        command = option(command)
    return command


def levels(command: Command) -> Command:
    """The options that choose the optimization."""
    for option in (
        click.option(
            "--fp",
            type=click.Choice(FP_MODES),
            help="Whether floating-point rewrites may change results "
            "[default: fast with aggressive, else strict].",
        ),
        click.option(
            "--opt",
            type=click.Choice(OPT_LEVELS),
            default="basic",
            show_default=True,
            help="Optimization level.",
        ),
    ):
        command = option(command)
    return command


def selecting(command: Command) -> Command:
    """The options that choose among entry points."""
    for option in (
        click.option("--entry", metavar="NAME", help="Compile the entry point of this name."),
        click.option(
            "--stage",
            type=click.Choice([s.value for s in Stage]),
            help="Compile the entry points of this stage.",
        ),
    ):
        command = option(command)
    return command


numbering = click.option(
    "--first-buffer",
    type=click.IntRange(min=0),
    default=0,
    metavar="N",
    help="First buffer index that MSL output gives out; leave those below to vertex buffers.",
)
