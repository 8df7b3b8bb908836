"""Targets: how a module becomes a target's text or binary, and where backends are found.

A backend is found by name through one registry, the entry-point group ``luma.backends``; the
built-in ones come first, so a third party can add a target but not replace one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib import import_module

from luma.diagnostics import Diagnostic, Level
from luma.ir.module import Module
from luma.source import Source, Span

from .description import EntryDescription


@dataclass(frozen=True, slots=True)
class EmitOptions:
    """What a backend is told besides the module.

    ``debug`` asks for names and line information; ``source`` is what spans refer to (None for IR
    that was made without one).  ``reached`` has, where known, the globals that each entry point
    reached before optimization, by its name: what numbers a host binds by must not depend on what
    the optimizer drops.  ``first_buffer`` is the first buffer index to give out, for the targets
    that number buffers themselves (``Backend.numbers_buffers``).  ``precise`` forbids the target's
    own compiler to fuse, reassociate or otherwise round differently, as far as it can be told.
    """

    debug: bool = False
    source: Source | None = None
    reached: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    first_buffer: int = 0
    precise: bool = False


@dataclass(frozen=True, slots=True)
class Emitted:
    """A backend's result; ``output`` is meaningless when a diagnostic is an error.

    ``describe``, where a backend has it, tells what the output calls each thing and where each is
    bound, by entry point.
    """

    output: bytes
    diagnostics: tuple[Diagnostic, ...] = ()
    describe: Callable[[], tuple[EntryDescription, ...]] | None = field(
        default=None, compare=False, repr=False
    )


@dataclass(frozen=True, slots=True)
class Limit:
    """A feature of the language, and what becomes of it in a target, as docs/targets.md tells.

    A backend that has any exports them as ``LIMITS``.
    """

    feature: str
    outcome: str


@dataclass(frozen=True, slots=True)
class Problem:
    """What a target cannot do with a module, where the source asks for it, and what helps."""

    code: str
    message: str
    help: str
    span: Span | None = None
    level: Level = Level.ERROR

    def diagnostic(self, source: Source | None) -> Diagnostic:
        """The problem as it is reported; without a source it has no place."""
        known = self.span is not None and source is not None
        place = source.locate(self.span) if known else None  # type: ignore[union-attr,arg-type]
        return Diagnostic(self.level, self.code, self.message, place, help=self.help)


Emit = Callable[[Module, EmitOptions], Emitted]


@dataclass(frozen=True, slots=True)
class Backend:
    """One target.

    ``emit`` gets a module cut down to the entry points asked for (:func:`luma.ir.reach.select`).
    ``single_entry`` tells that an output holds exactly one entry point, ``numbers_buffers`` that
    it gives buffers indices of its own, from ``EmitOptions.first_buffer`` on.
    """

    name: str
    suffix: str
    binary: bool
    single_entry: bool
    emit: Emit
    numbers_buffers: bool = False


#: The backends that come with Luma: name to "module:attribute", loaded when asked for.
BUILT_IN: dict[str, str] = {
    "glsl": "luma.backends.glsl:BACKEND",
    "hlsl": "luma.backends.hlsl:BACKEND",
    "msl": "luma.backends.msl:BACKEND",
    "spirv": "luma.backends.spirv:BACKEND",
    "wgsl": "luma.backends.wgsl:BACKEND",
}


def names() -> tuple[str, ...]:
    """The names of all installed targets, the built-in ones first."""
    from importlib.metadata import entry_points  # slow to import, and rarely needed

    others = sorted({e.name for e in entry_points(group="luma.backends")} - set(BUILT_IN))
    return (*BUILT_IN, *others)


def find(name: str) -> Backend:
    """The backend called ``name``.  Raises KeyError if there is none."""
    if name in BUILT_IN:
        module, _, attribute = BUILT_IN[name].partition(":")
        found = getattr(import_module(module), attribute)
    else:
        from importlib.metadata import entry_points

        found = next((e.load() for e in entry_points(group="luma.backends", name=name)), None)
    if not isinstance(found, Backend):
        raise KeyError(name)
    return found
