"""Options that commands share, as decorators."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

import click

from luma.cli.configuration import configured_rules
from luma.cli.session import Reader, Session
from luma.language.stages import Stage
from luma.pipeline import FP_MODES, OPT_LEVELS

Command = TypeVar("Command", bound=Callable[..., Any])


_fp = click.option(
    "--fp",
    type=click.Choice(FP_MODES),
    help="Whether floating-point rewrites may change results "
    "[default: fast with aggressive, else strict].",
)


_rules = click.option(
    "--rules",
    "rules",
    multiple=True,
    metavar="FILE.egg",
    help="Rules of yours for the optimizer, after those of pyproject.toml; repeatable.",
)


def including(command: Command) -> Command:
    """The options of every command that reads sources."""
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
    ):
        command = option(command)
    return command


def reading(command: Command) -> Command:
    """The same, and the one source."""
    return click.argument("source", metavar="IN")(including(command))


def levels(command: Command) -> Command:
    """The options that choose the optimization."""
    for option in (
        _fp,
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


def _names(values: tuple[str, ...]) -> tuple[str, ...]:
    """The names in values that may each hold several."""
    return tuple(name.strip() for value in values for name in value.split(",") if name.strip())


def levels_and_targets(command: Command) -> Command:
    """The options that choose several levels and targets at once, and the rules beside them."""
    for option in (
        _rules,
        _fp,
        click.option(
            "--opt",
            type=click.Choice(OPT_LEVELS),
            multiple=True,
            default=OPT_LEVELS,
            help="Optimization level; repeatable [default: all].",
        ),
        click.option(
            "--target",
            "--targets",
            "targets",
            metavar="NAMES",
            multiple=True,
            callback=lambda context, parameter, value: _names(value),
            help="Targets, separated by commas; repeatable [default: the built-in ones].",
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


def rule_files(command: Callable[..., Any]) -> Callable[..., Any]:
    """The option that names rule files; those of the configuration beside the source come first."""

    @_rules
    @wraps(command)
    def run(*args: Any, source: str, diagnostics: str, rules: tuple[str, ...], **rest: Any) -> Any:
        with Session(Reader(source, (), diagnostics), quiet=True):
            rules = tuple(dict.fromkeys((*configured_rules(source), *rules)))
        return command(*args, source=source, diagnostics=diagnostics, rules=rules, **rest)

    return run


numbering = click.option(
    "--first-buffer",
    type=click.IntRange(min=0),
    default=0,
    metavar="N",
    help="First buffer index that MSL output gives out; leave those below to vertex buffers.",
)
