"""The commands of ``luma``: arguments in, files and messages out."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any

import click

import luma as api
from luma.cli.files import STANDARD, read_input, write_outputs, write_standard
from luma.cli.lsb import for_engine
from luma.cli.options import levels, numbering, reading, rule_files, selecting
from luma.cli.session import Reader, Session
from luma.diagnostics import LumaError
from luma.faults import error
from luma.pipeline import Options, Result, front

#: Commands that live in modules of their own, loaded when asked for: name to "module:attribute".
ELSEWHERE: dict[str, str] = {
    "bench": "luma.cli.bench:bench",
    "explain": "luma.cli.explain:explain",
    "lume": "luma.cli.lume:lume",
    "rules": "luma.cli.rules:rules",
    "stats": "luma.cli.stats:stats",
}


class _Group(click.Group):
    """A group that imports a command's module only when that command is run or listed."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted({*super().list_commands(ctx), *ELSEWHERE})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in ELSEWHERE:
            return super().get_command(ctx, cmd_name)
        module, _, attribute = ELSEWHERE[cmd_name].partition(":")
        found = getattr(import_module(module), attribute)
        assert isinstance(found, click.Command)
        return found


@click.group(cls=_Group, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(api.__version__, prog_name="luma")
def luma() -> None:
    """Compile Luma shaders to GLSL, HLSL, MSL, SPIR-V and WGSL.

    IN is a file, or - for standard input.  The exit status is 0 when all is well, 1 when the input
    has errors, 2 for wrong usage and 3 for a fault of the compiler's own.
    """


@luma.command()
@reading
@selecting
@levels
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
@numbering
@rule_files
@click.option("--lsb", is_flag=True, help="Write the reflection that the Lume engine reads too.")
@click.option("--hash", "show_hash", is_flag=True, help="Print the SHA-256 of the canonical IR.")
@click.option("--deterministic", is_flag=True, help="Accepted for build scripts: always so.")
def compile(
    source: str,
    include_dirs: tuple[str, ...],
    diagnostics: str,
    output: str | None,
    all_entries: bool,
    lsb: bool,
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
    if lsb and (target != "spirv" or output == STANDARD):
        raise click.UsageError("--lsb goes with --target=spirv and a file")
    with Session(reader) as session:
        text = read_input(source)
        if all_entries:
            results = api.compile_all(text, options, name=reader.name)
            session.report(results.values())
            files: dict[str, bytes] = {}
            if lsb:
                results, files = for_engine(text, results, options, reader.name, session)
            _write_all(reader, Path(str(output)), results, options, show_hash, files)
        else:
            result = api.compile(text, options, name=reader.name)
            session.report([result])
            files = {}
            if lsb:
                only = {"": result}
                only, files = for_engine(text, only, options, reader.name, session)
                result = only[""]
            _write_one(reader, output, result, options, show_hash, files.get(""))


def _target_of(output: str | None) -> str:
    """The target that an output file's suffix belongs to, or else the default one."""
    from luma import backends

    suffix = "" if output is None else Path(output).suffix
    known = (backends.find(name) for name in backends.names()) if suffix else ()
    return next((b.name for b in known if b.suffix == suffix), Options().target)


def _write_one(
    reader: Reader,
    output: str | None,
    result: Result,
    options: Options,
    show_hash: bool,
    lsb: bytes | None,
) -> None:
    place = _place(reader, output, options)
    if place is None:
        write_standard(result.output)
    else:
        beside = {} if lsb is None else {_lsb_name(place): lsb}
        write_outputs({place: result.output, **beside}, (reader.path, *options.rules))
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


def _lsb_name(place: Path) -> Path:
    """Where the engine looks for the reflection of a binary."""
    return place.with_name(place.name + ".lsb")


def _write_all(
    reader: Reader,
    folder: Path,
    results: dict[str, Result],
    options: Options,
    show_hash: bool,
    lsbs: dict[str, bytes],
) -> None:
    from luma import backends

    suffix = backends.find(options.target).suffix
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as fault:
        problem = f"cannot make the directory '{folder}': {fault.strerror}"
        raise LumaError([error("E0808", problem)]) from None
    outputs = {folder / f"{entry}{suffix}": r.output for entry, r in results.items()}
    beside = {_lsb_name(folder / f"{entry}{suffix}"): data for entry, data in lsbs.items()}
    write_outputs({**outputs, **beside}, (reader.path, *options.rules))
    if show_hash:
        for entry, result in results.items():
            click.echo(f"{result.hash}  {folder / (entry + suffix)}")


@luma.command()
@reading
def check(source: str, include_dirs: tuple[str, ...], diagnostics: str) -> None:
    """Parse and type-check IN, and report what is wrong with it."""
    reader = Reader(source, include_dirs, diagnostics)
    with Session(reader) as session:
        parsed = api.parse(read_input(source), reader.name, include_dirs=include_dirs)
        session.show(api.check(parsed).diagnostics)


@luma.command("dump-ast")
@reading
def dump_ast(source: str, include_dirs: tuple[str, ...], diagnostics: str) -> None:
    """Print the syntax tree of IN."""
    reader = Reader(source, include_dirs, diagnostics)
    with Session(reader) as session:
        parsed = api.parse(read_input(source), reader.name, include_dirs=include_dirs)
        session.show(parsed.diagnostics)
        from luma.frontend.dump import dump
        from luma.stack import run_deep

        click.echo(run_deep(lambda: dump(parsed.tree)))


@luma.command("dump-ir")
@reading
@selecting
@levels
@rule_files
@click.option("--target", metavar="NAME", help="Choose forms as for this target [default: none].")
def dump_ir(
    source: str,
    include_dirs: tuple[str, ...],
    diagnostics: str,
    opt: str,
    target: str | None,
    **chosen: Any,
) -> None:
    """Print the IR of IN, optimized."""
    reader = Reader(source, include_dirs, diagnostics)
    with Session(reader) as session:
        options = Options(include_dirs=include_dirs, opt=opt, **chosen)
        module, _, found = front(read_input(source), options, reader.name)
        session.show(found)
        from luma.ir.text import print_module
        from luma.pipeline import kept_functions
        from luma.selection import select_entries, selected

        if module is None:
            return
        if options.entry is not None or options.stage is not None:
            module = selected(module, select_entries(module, options), kept_functions(options))
        module = api.optimize(module, opt, fp=options.fp, target=target, rules=options.rules)
        click.echo(print_module(module), nl=False)


@luma.command()
@reading
@selecting
@levels
@numbering
@click.option("--target", metavar="NAME", help="Tell also what a target's output calls things.")
@click.option("--spirv", is_flag=True, help="Tell also what a Vulkan host needs, in its terms.")
def reflect(
    source: str, include_dirs: tuple[str, ...], diagnostics: str, target: str | None, **chosen: Any
) -> None:
    """Print entry points, bindings, structs and constants of IN as JSON.

    With --target, the output is described that `luma compile` makes of the same options.
    """
    reader = Reader(source, include_dirs, diagnostics)
    with Session(reader) as session:
        parsed = api.parse(read_input(source), reader.name, include_dirs=include_dirs)
        checked = api.check(parsed)
        session.show(checked.diagnostics)
        import json

        told = api.reflect(api.lower(checked), target=target, **chosen)
        click.echo(json.dumps(told, indent=2))
