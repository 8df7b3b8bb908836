"""``luma lume shaders``: a tree of GLSL to SPIR-V and LSB, once or whenever it changes."""

from __future__ import annotations

import sys
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from luma.cli.files import write_outputs
from luma.cli.session import Reader, Session
from luma.diagnostics import Diagnostic, LumaError

if TYPE_CHECKING:
    from luma.lume.settings import Settings
    from luma.lume.shaders import Built
    from luma.lume.tools import Toolchain

#: Greatest status of a process that tells a number of failures.
MAX_STATUS = 125

_ROOT = "luma.lume.root"


class ToolCommand(click.Command):
    """A command that shows its usage when it is given nothing at all, as the engine's tools do."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if not args:
            click.echo(ctx.get_help())
            ctx.exit(0)
        return super().parse_args(ctx, args)


def set_root(ctx: click.Context, param: click.Parameter, value: str | None) -> str | None:
    """The source root is what the later of --source and --sourceFile says: they come in order."""
    if value is not None:
        ctx.meta[_ROOT] = Path(value) if param.name == "source" else Path(value).parent
    return value


def root(ctx: click.Context) -> Path:
    """The source root: the current directory if nothing says otherwise."""
    found = ctx.meta.get(_ROOT, Path())
    assert isinstance(found, Path)
    return found


path_type = click.Path(path_type=Path)


@click.command(cls=ToolCommand)
@click.option(
    "--source",
    callback=set_root,
    metavar="DIR",
    help="Where the sources are, and, without --destination, the outputs [default: here].",
)
@click.option(
    "--sourceFile",
    "source_file",
    callback=set_root,
    metavar="FILE",
    help="Compile this file only.",
)
@click.option("--destination", type=path_type, metavar="DIR", help="Where the outputs go.")
@click.option(
    "--include",
    "include_dirs",
    type=path_type,
    multiple=True,
    metavar="DIR",
    help="Where headers are besides the source root; repeatable, searched in order.",
)
@click.option("--optimize", is_flag=True, help="Run SPIRV-Tools' performance passes.")
@click.option("--monitor", is_flag=True, help="Keep watching, and compile what changes.")
@click.option(
    "--vulkan",
    type=click.Choice(["1.0", "1.1", "1.2", "1.3"]),
    default="1.0",
    show_default=True,
    help="Version of Vulkan to compile for.",
)
@click.option(
    "--strip-debug-information", "strip", is_flag=True, help="Drop names and lines of the SPIR-V."
)
@click.option(
    "--check-if-changed",
    "changed_only",
    is_flag=True,
    help="Leave alone what is up to date by its .meta file.",
)
@click.option(
    "--gl", is_flag=True, help="Make .spv.gl and .spv.gles too, for OpenGL, by SPIRV-Cross."
)
@click.option(
    "--lsb-version",
    type=click.Choice(["0", "1"]),
    default="1",
    show_default=True,
    help="Version of the reflection files.",
)
@click.option("--jobs", type=click.IntRange(min=1), metavar="N", help="Compilations at once.")
@click.option(
    "--diagnostics",
    type=click.Choice(["text", "json"]),
    default="text",
    help="How errors and warnings are shown on standard error.",
)
@click.pass_context
def shaders(
    ctx: click.Context,
    /,
    source: str | None,
    source_file: str | None,
    destination: Path | None,
    monitor: bool,
    lsb_version: str,
    jobs: int | None,
    diagnostics: str,
    **chosen: Any,
) -> None:
    """Compile GLSL shaders to SPIR-V and reflection: x.frag to x.frag.spv and x.frag.spv.lsb.

    Every .vert, .frag and .comp below the source root is compiled, and .shader files are copied.
    The exit status is the number of files that failed, at most 125.
    """
    from luma.lume.settings import Settings
    from luma.lume.tools import toolchain

    place = root(ctx)
    settings = Settings(place, destination or place, lsb_version=int(lsb_version), **chosen)
    with Session(Reader(str(place), (), diagnostics)) as session:
        needs = settings.optimize or settings.strip
        tools = toolchain(optimizer=needs, cross=settings.gl)
        only = None if source_file is None else Path(source_file)
        if only is not None and not only.is_file():
            raise LumaError([_no_file(only)])
        build = _Build(settings, tools, only, jobs)
        if monitor:
            _watch(build, diagnostics)
            return
        status = build.once(session)
    if status:
        sys.exit(min(status, MAX_STATUS))


def _no_file(path: Path) -> Diagnostic:
    from luma.lume.problems import SOURCE, error

    return error(SOURCE, f"'{path}' is not a file")


class _Build:
    """Builds files, writes what they become, and counts."""

    def __init__(
        self, settings: Settings, tools: Toolchain, only: Path | None, jobs: int | None
    ) -> None:
        self.settings, self.tools, self.only, self.jobs = settings, tools, only, jobs

    def once(self, session: Session) -> int:
        """Build all; how many failed."""
        from luma.lume.shaders import build_all, left_behind, scan

        sources = scan(self.settings) if self.only is None else (self.only,)
        results = []
        with _progress(len(sources)) as bar:
            for built in build_all(sources, self.settings, self.tools, self.jobs):
                results.append(self.written(built))
                bar.update(1)
        # A warning in a header comes from every shader that includes it.
        session.shown += dict.fromkeys(d for built in results for d in built.diagnostics)
        session.shown += left_behind(sources, self.settings)
        failed = [built for built in results if built.failed]
        for built in failed:
            click.echo(f"failed: {click.format_filename(built.source)}")
        click.echo(_summary(results))
        return len(failed)

    def written(self, built: Built) -> Built:
        """A result whose outputs are written and let go, with an error if they cannot be."""
        try:
            for folder in dict.fromkeys(place.parent for place in built.outputs):
                make_directory(folder)
            write_outputs(built.outputs)
        except LumaError as fault:
            return replace(built, diagnostics=(*built.diagnostics, *fault.diagnostics))
        return replace(built, outputs={})


def make_directory(folder: Path) -> None:
    """Make a directory.  Raises LumaError (E0808)."""
    from luma.lume.problems import failure

    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as fault:
        problem = f"cannot make the directory '{folder}': {fault.strerror}"
        raise failure("E0808", problem) from None


def _summary(results: list[Built]) -> str:
    failed = sum(built.failed for built in results)
    skipped = sum(built.skipped for built in results)
    parts = [f"{len(results) - failed - skipped} built"]
    parts += [f"{skipped} up to date"] if skipped else []
    parts += [f"{failed} failed"] if failed else []
    return ", ".join(parts)


def _progress(length: int) -> AbstractContextManager[Any]:
    """A bar on a terminal, nothing elsewhere."""
    if sys.stderr.isatty() and length > 1:
        return click.progressbar(length=length, label="compiling", file=sys.stderr)
    return nullcontext(_NoBar())


class _NoBar:
    def update(self, steps: int) -> None:
        """Show nothing."""


def _watch(build: _Build, diagnostics: str) -> None:
    """Build what changes until the user has had enough."""
    import threading

    from luma.lume.monitor import Monitor, Round

    written: dict[Path, Built] = {}

    def finished(built: Built) -> None:
        written[built.source] = build.written(built)

    def tell(found: Round) -> None:
        told = Session(Reader("", (), diagnostics))
        for built in found.built:
            known = written[built.source]
            said = "failed" if known.failed else "up to date" if known.skipped else "built"
            click.echo(f"{said}: {click.format_filename(known.source)}")
            told.shown += known.diagnostics
        for path in found.removed:
            click.echo(f"removed: {click.format_filename(path)}")
        told.shown += found.diagnostics
        if told.shown:
            told.flush()
        sys.stdout.flush()

    monitor = Monitor(build.settings, build.tools, finished, build.only, build.jobs)
    try:
        for found in monitor.rounds(threading.Event()):
            tell(found)
    except KeyboardInterrupt:
        click.echo("stopped watching")
