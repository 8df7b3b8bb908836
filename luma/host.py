"""What a host must know of a source: by itself, and as compiled for a target."""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import Any

from luma.diagnostics import Level, LumaError
from luma.faults import error, has_errors, run_stage
from luma.ir.module import Module
from luma.options import Options, expect
from luma.pipeline import backend_of, check, lower, optimize_and_emit, parse
from luma.reflection import reflect as reflect_module
from luma.selection import select_entries, selected
from luma.vulkan import vulkan_view


def reflect(
    source: str | bytes | Module,
    name: str = "<string>",
    *,
    target: str | None = None,
    spirv: bool = False,
    **changes: Any,
) -> dict[str, Any]:
    """Entry points, structs, bindings and constants of a source or module, as plain data.

    With a ``target``, also what its output calls each and where it binds them; with ``spirv``, also
    what a Vulkan host creates its layouts from.  ``changes`` are fields of :class:`Options`: how
    the source is read, which entry points are told of, and how the target's output is compiled.
    Raises LumaError if the source has errors or the target cannot do what it says.
    """
    options = replace(Options(), target=target or Options().target, **changes)
    if isinstance(source, str | bytes):
        dirs, reader = options.include_dirs, options.file_reader
        module = lower(check(parse(source, name, include_dirs=dirs, file_reader=reader)))
    else:
        expect(source, Module, "luma.lower")
        module = source
    if options.entry is not None or options.stage is not None:
        module = selected(module, select_entries(module, options))
    told = run_stage("reflection", lambda: reflect_module(module))
    if target is not None:
        told["target"] = _describe(module, options)
    if spirv:
        told["spirv"] = run_stage("reflection", lambda: vulkan_view(module))
    return told


def _describe(module: Module, options: Options) -> dict[str, Any]:
    """What a target's outputs call things: one output, or one an entry point where it must be."""
    chosen = select_entries(module, options)
    alone = backend_of(options.target).single_entry
    outputs = [(entry,) for entry in chosen] if alone else [chosen]
    told = [entry for part in outputs for entry in _entries(selected(module, part), options)]
    return {"name": options.target, "opt": options.opt, "entry_points": told}


def _entries(module: Module, options: Options) -> list[dict[str, Any]]:
    """The entry points of one output."""
    _, emitted = optimize_and_emit(module, None, options)
    if has_errors(emitted.diagnostics):
        raise LumaError([d for d in emitted.diagnostics if d.level is Level.ERROR])
    describe = emitted.describe
    if describe is None:
        problem = f"the backend '{options.target}' does not tell what its output calls things"
        raise LumaError([error("E0812", problem, "leave --target out")])
    return run_stage("reflection", lambda: [_plain(asdict(entry)) for entry in describe()])


def _plain(value: Any) -> Any:
    """The value as JSON gives it back: with lists where there are tuples."""
    match value:
        case dict():
            return {key: _plain(inner) for key, inner in value.items()}
        case list() | tuple():
            return [_plain(inner) for inner in value]
    return value
