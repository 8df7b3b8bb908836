"""Building shaders as the engine's compiler does: which files of a tree, and what each becomes."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path

from luma.diagnostics import Diagnostic, Level, LumaError
from luma.lume import meta
from luma.lume.files import read_file
from luma.lume.gl import GL_SUFFIXES, to_gl
from luma.lume.glsl import SUFFIXES, compile_glsl
from luma.lume.includes import Stamp, Unit, collect, stamp
from luma.lume.lsb_reader import checked
from luma.lume.optimize import optimize
from luma.lume.problems import NO_GL, SOURCE, TOOL, failure, warning
from luma.lume.reflect import reflect
from luma.lume.settings import Settings
from luma.lume.tools import Toolchain

#: What is not compiled but goes along with what is.
COPIED = ".shader"


@dataclass(frozen=True, slots=True)
class Built:
    """What became of one file.

    ``outputs`` are the files to write, none if there are errors or the file is up to date;
    ``depends`` are the stamps of what it was made of, None of what would change it if it appeared.
    """

    source: Path
    outputs: dict[Path, bytes] = field(default_factory=dict)
    diagnostics: tuple[Diagnostic, ...] = ()
    depends: dict[Path, Stamp | None] = field(default_factory=dict)
    skipped: bool = False

    @property
    def failed(self) -> bool:
        """Whether there are errors."""
        return any(d.level is Level.ERROR for d in self.diagnostics)


def scan(settings: Settings) -> tuple[Path, ...]:
    """The files below the source root that the engine's compiler takes, sorted.

    Raises LumaError (E0850, E0807) if it, or a directory in it, cannot be searched.
    """
    root = settings.root
    if not root.is_dir():
        raise failure(SOURCE, f"'{root}' is not a directory")
    found = [
        Path(folder, name)
        for folder, _, names in os.walk(root, onerror=_unsearchable)
        for name in names
        if os.path.splitext(name)[1].lower() in (*SUFFIXES, COPIED)
    ]
    found = [path for path in found if not _is_copy(path, settings)]
    return tuple(sorted(found, key=lambda p: p.relative_to(root).parts))


def _unsearchable(fault: OSError) -> None:
    raise failure("E0807", f"cannot read '{fault.filename}': {fault.strerror}")


def _is_copy(path: Path, settings: Settings) -> bool:
    """Whether a file is what an earlier build copied: it is not to be copied deeper each time."""
    root, place = (os.path.abspath(p) for p in (settings.root, settings.destination))
    return (
        path.suffix.lower() == COPIED
        and place != root
        and Path(os.path.abspath(path)).is_relative_to(place)
    )


def build_all(
    sources: Sequence[Path], settings: Settings, tools: Toolchain, jobs: int | None = None
) -> Iterator[Built]:
    """Build files on several cores; the results come in the order of the files."""
    with ThreadPoolExecutor(max_workers=jobs or os.cpu_count() or 1) as pool:
        yield from pool.map(lambda source: build(source, settings, tools), sources)


def build(source: Path, settings: Settings, tools: Toolchain) -> Built:
    """Build one file.  Never raises for what is wrong with it or with the tools."""
    known = Built(source, depends={source: stamp(source)})
    try:
        if source.suffix.lower() == COPIED:
            return _copied(known, settings)
        if source.suffix not in SUFFIXES:
            raise failure(SOURCE, *_misnamed(source))
        unit = collect(source, settings.search, source.suffix)
        known = replace(known, depends=unit.depends)
        built = _compiled(known, unit, settings, tools)
    except LumaError as fault:
        built = replace(known, diagnostics=fault.diagnostics)
    return replace(built, diagnostics=tuple(_named(d, source) for d in built.diagnostics))


def _named(found: Diagnostic, source: Path) -> Diagnostic:
    """A diagnostic that tells which shader it is of."""
    if found.span is not None or found.code == TOOL or str(source) in found.message:
        return found
    return replace(found, message=f"'{source}': {found.message}")


def _misnamed(source: Path) -> tuple[str, str]:
    lower = source.suffix.lower()
    if lower in SUFFIXES:
        return f"'{source}': the suffix of a shader is small", f"call it '{source.stem}{lower}'"
    return f"'{source}' is not a shader", f"shaders end in {', '.join(SUFFIXES)}"


def destination(source: Path, settings: Settings) -> Path:
    """Where the outputs of a file go, less their suffixes: as it lies below the source root."""
    path, root = (Path(os.path.abspath(p)) for p in (source, settings.root))
    inside = path.is_relative_to(root)
    return settings.destination / (path.relative_to(root) if inside else source.name)


def left_behind(sources: Iterable[Path], settings: Settings) -> tuple[Diagnostic, ...]:
    """A warning if GLSL for OpenGL lies beside the outputs and is not made anew: it is of an
    earlier build, or of the engine's tool, which always makes it."""
    if settings.gl:
        return ()
    places = [destination(source, settings) for source in sources]
    old = [p for p in places if any(_beside(p, s).exists() for s in GL_SUFFIXES)]
    if not old:
        return ()
    count = f"{len(old)} shader{'s' if len(old) > 1 else ''}"
    message = f"the GLSL for OpenGL of {count} is left as it was, as of '{old[0]}'"
    return (warning(NO_GL, message, "say --gl to make it anew, or delete it"),)


def _beside(place: Path, suffix: str) -> Path:
    return place.with_name(place.name + suffix)


def _copied(known: Built, settings: Settings) -> Built:
    """A file that is copied, if that changes anything."""
    place = destination(known.source, settings)
    try:
        data = read_file(known.source)
        same = place.is_file() and place.read_bytes() == data
    except OSError as fault:
        raise failure("E0807", f"cannot read '{fault.filename}': {fault.strerror}") from None
    return replace(known, outputs={} if same else {place: data}, skipped=same)


def _compiled(known: Built, unit: Unit, settings: Settings, tools: Toolchain) -> Built:
    place = destination(known.source, settings)
    note = meta.note(unit.depends, tools.paths, settings)
    if settings.changed_only and meta.is_current(place, note, _suffixes(settings)):
        return replace(known, skipped=True)
    compiled = compile_glsl(unit, tools.glslang, settings.vulkan)
    if compiled.binary is None:
        return replace(known, diagnostics=compiled.diagnostics)
    made, found = outputs(compiled.binary, settings, tools)
    files = {_beside(place, suffix): data for suffix, data in made.items()}
    files[meta.place(place)] = note
    return replace(known, outputs=files, diagnostics=(*compiled.diagnostics, *found))


def _suffixes(settings: Settings) -> tuple[str, ...]:
    return (".spv", ".spv.lsb", *(GL_SUFFIXES if settings.gl else ()))


def outputs(
    binary: bytes, settings: Settings, tools: Toolchain
) -> tuple[dict[str, bytes], tuple[Diagnostic, ...]]:
    """What a shader's unoptimized SPIR-V becomes, by the suffix of the file, and warnings.

    Raises LumaError for what cannot be reflected, does not fit, or a tool refuses.
    """
    reflected = reflect(binary)
    made = {".spv.lsb": checked(reflected.reflection, settings.lsb_version)}
    found = reflected.warnings
    final = optimize(binary, settings, tools)
    if settings.gl and tools.cross is not None:
        texts, doubts = to_gl(final.named, tools.cross)
        made |= texts
        found += doubts
    return {**made, ".spv": final.binary}, found
