"""The commands of ``luma``: arguments in, files and messages out."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import click

import luma as api
from luma.cli import INPUT_ERROR, INTERNAL_ERROR
from luma.cli.files import STANDARD, read_input, write_outputs, write_standard
from luma.diagnostics import Diagnostic, Level, LumaError
from luma.language.stages import Stage
from luma.pipeline import FP_MODES, OPT_LEVELS, Options, Result, error, front, has_errors
from luma.pipeline import INTERNAL_ERROR as INTERNAL_CODE

Command = TypeVar("Command", bound=Callable[..., Any])


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


def _reading(command: Command) -> Command:
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


def _levels(command: Command) -> Command:
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


def _selecting(command: Command) -> Command:
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


_numbering = click.option(
    "--first-buffer",
    type=click.IntRange(min=0),
    default=0,
    metavar="N",
    help="First buffer index that MSL output gives out; leave those below to vertex buffers.",
)


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(api.__version__, prog_name="luma")
def luma() -> None:
    """Compile Luma shaders to GLSL and SPIR-V.

    IN is a file, or - for standard input.  The exit status is 0 when all is well, 1 when the input
    has errors, 2 for wrong usage and 3 for a fault of the compiler's own.
    """


@luma.command()
@_reading
@_selecting
@_levels
@click.option(
    "--target",
    metavar="NAME",
    help="glsl, hlsl, msl, spirv, wgsl or an installed one "
    "[default: what OUT's suffix says, else glsl].",
)
@click.option("-o", "--output", metavar="OUT", help="File to write, or - for standard output.")
@click.option("--all-entries", is_flag=True, help="One output each entry point, in directory OUT.")
@click.option("--debug", is_flag=True, help="Keep names and line numbers in the output.")
@click.option("--validate", is_flag=True, help="Run the target's validator over the output.")
@_numbering
@click.option("--hash", "show_hash", is_flag=True, help="Print the SHA-256 of the canonical IR.")
@click.option("--deterministic", is_flag=True, help="Accepted for build scripts: always so.")
def compile(
    source: str,
    include_dirs: tuple[str, ...],
    diagnostics: str,
    output: str | None,
    all_entries: bool,
    show_hash: bool,
    deterministic: bool,
    target: str | None,
    **chosen: Any,
) -> None:
    """Compile IN for a target.

    Without -o, text goes to standard output and a binary to IN with the target's suffix.
    """
    reader = Reader(source, include_dirs, diagnostics)
    target = target or _target_of(output)
    options = Options(target=target, include_dirs=include_dirs, **chosen)
    if all_entries and (output is None or output == STANDARD):
        raise click.UsageError("--all-entries needs -o DIR")
    with _Session(reader) as session:
        text = read_input(source)
        if all_entries:
            results = api.compile_all(text, options, name=reader.name)
            session.report(results.values())
            _write_all(Path(str(output)), results, options, show_hash)
        else:
            result = api.compile(text, options, name=reader.name)
            session.report([result])
            _write_one(reader, output, result, options, show_hash)


def _target_of(output: str | None) -> str:
    """The target that an output file's suffix belongs to, or else the default one."""
    from luma import backends

    suffix = "" if output is None else Path(output).suffix
    known = (backends.find(name) for name in backends.names()) if suffix else ()
    return next((b.name for b in known if b.suffix == suffix), Options().target)


def _write_one(
    reader: Reader, output: str | None, result: Result, options: Options, show_hash: bool
) -> None:
    place = _place(reader, output, options)
    if place is None:
        write_standard(result.output)
    else:
        write_outputs({place: result.output})
    if show_hash:
        click.echo(f"{result.hash}  {reader.name}", err=place is None)


def _place(reader: Reader, output: str | None, options: Options) -> Path | None:
    """The file that a compilation writes, or None for standard output."""
    from luma import backends

    backend = backends.find(options.target)
    if output == STANDARD or (output is None and not backend.binary):
        return None
    if output is not None:
        return Path(output)
    if reader.path == STANDARD:
        problem = "a binary from standard input needs a place to go"
        raise LumaError([error("E0809", problem, "say -o FILE, or -o - for standard output")])
    return Path(reader.path).with_suffix(backend.suffix)


def _write_all(folder: Path, results: dict[str, Result], options: Options, show_hash: bool) -> None:
    from luma import backends

    suffix = backends.find(options.target).suffix
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as fault:
        problem = f"cannot make the directory '{folder}': {fault.strerror}"
        raise LumaError([error("E0808", problem)]) from None
    write_outputs({folder / f"{entry}{suffix}": r.output for entry, r in results.items()})
    if show_hash:
        for entry, result in results.items():
            click.echo(f"{result.hash}  {folder / (entry + suffix)}")


@luma.command()
@_reading
def check(source: str, include_dirs: tuple[str, ...], diagnostics: str) -> None:
    """Parse and type-check IN, and report what is wrong with it."""
    reader = Reader(source, include_dirs, diagnostics)
    with _Session(reader) as session:
        parsed = api.parse(read_input(source), reader.name, include_dirs=include_dirs)
        session.show(api.check(parsed).diagnostics)


@luma.command("dump-ast")
@_reading
def dump_ast(source: str, include_dirs: tuple[str, ...], diagnostics: str) -> None:
    """Print the syntax tree of IN."""
    reader = Reader(source, include_dirs, diagnostics)
    with _Session(reader) as session:
        parsed = api.parse(read_input(source), reader.name, include_dirs=include_dirs)
        session.show(parsed.diagnostics)
        from luma.frontend.dump import dump
        from luma.stack import run_deep

        click.echo(run_deep(lambda: dump(parsed.tree)))


@luma.command("dump-ir")
@_reading
@_selecting
@_levels
def dump_ir(
    source: str, include_dirs: tuple[str, ...], diagnostics: str, opt: str, **chosen: Any
) -> None:
    """Print the IR of IN, optimized."""
    reader = Reader(source, include_dirs, diagnostics)
    with _Session(reader) as session:
        options = Options(include_dirs=include_dirs, opt=opt, **chosen)
        module, _, found = front(read_input(source), options, reader.name)
        session.show(found)
        from luma.ir.reach import select
        from luma.ir.text import print_module
        from luma.pipeline import select_entries

        if module is None:
            return
        if options.entry is not None or options.stage is not None:
            names = tuple(e.name for e in select_entries(module, options))
            module = select(module, names)
        click.echo(print_module(api.optimize(module, opt, fp=options.fp)), nl=False)


@luma.command()
@_reading
@_selecting
@_levels
@_numbering
@click.option("--target", metavar="NAME", help="Tell also what a target's output calls things.")
@click.option("--spirv", is_flag=True, help="Tell also what a Vulkan host needs, in its terms.")
def reflect(
    source: str, include_dirs: tuple[str, ...], diagnostics: str, target: str | None, **chosen: Any
) -> None:
    """Print entry points, bindings, structs and constants of IN as JSON.

    With --target, the output is described that `luma compile` makes of the same options.
    """
    reader = Reader(source, include_dirs, diagnostics)
    with _Session(reader) as session:
        parsed = api.parse(read_input(source), reader.name, include_dirs=include_dirs)
        checked = api.check(parsed)
        session.show(checked.diagnostics)
        import json

        told = api.reflect(api.lower(checked), target=target, **chosen)
        click.echo(json.dumps(told, indent=2))


class _Session:
    """Shows diagnostics once and turns errors into the exit status."""

    def __init__(self, reader: Reader) -> None:
        self.reader = reader
        self.shown: list[Diagnostic] = []

    def __enter__(self) -> _Session:
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
        self.flush()
        broken = any(d.code == INTERNAL_CODE for d in self.shown)
        sys.exit(INTERNAL_ERROR if broken else INPUT_ERROR)

    def flush(self) -> None:
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
        if fault is None:
            self.flush()
