"""From a case's Luma source to SPIR-V, by way of a target and an optimization level."""

from __future__ import annotations

from functools import lru_cache

from luma.backends import EmitOptions, find

from luma import pipeline
from luma.diagnostics import Diagnostic, Level, LumaError
from luma.ir.module import Module
from luma.ir.verify import verify
from luma.optimizer.targets import NEUTRAL, selection_of
from tests.harness.cases import CORPUS, read_source
from tests.harness.hlsl import hlsl_to_spirv
from tests.harness.slang import slang_to_spirv
from tests.harness.validators import glsl_to_spirv, validate_spirv

LEVELS = pipeline.OPT_LEVELS


class CompileError(Exception):
    """Luma refused a source that a test expects it to take, or made invalid IR of it."""


def _raise_errors(diagnostics: tuple[Diagnostic, ...]) -> None:
    errors = [d.render() for d in diagnostics if d.level is Level.ERROR]
    if errors:
        raise CompileError("\n\n".join(errors))


@lru_cache(maxsize=256)
def lowered(source: str) -> Module:
    """The unoptimized IR of a case's source, verified."""
    text, name = read_source(source)
    options = pipeline.Options(include_dirs=(str(CORPUS),))
    try:
        module, _, diagnostics = pipeline.front(text, options, name)
    except LumaError as error:
        raise CompileError(str(error)) from error
    _raise_errors(diagnostics)
    assert module is not None
    _verify(module, "lowering")
    return module


def _verify(module: Module, after: str) -> None:
    problems = verify(module)
    if problems:
        raise CompileError(f"invalid IR after {after}:\n" + "\n".join(problems))


def optimized(
    source: str, entry: str | None, level: str, fp: str | None = None, target: str | None = None
) -> Module:
    """The IR of one entry point (None: all) at a level, for a target if that matters, verified."""
    chooses = selection_of(target) is not NEUTRAL
    return _optimized(source, entry, level, fp, target if chooses else None)


@lru_cache(maxsize=64)
def _optimized(
    source: str, entry: str | None, level: str, fp: str | None, target: str | None
) -> Module:
    from luma.ir.reach import select

    module = lowered(source)
    names = tuple(e.name for e in module.entry_points if entry in (None, e.name))
    if not names:
        raise CompileError(f"the source has no entry point {entry}")
    try:
        done = pipeline.optimize(select(module, names), level, fp=fp, target=target)
    except LumaError as error:
        raise CompileError(str(error)) from error
    _verify(done, f"optimization ({level})")
    return done


def emitted(
    source: str, entry: str | None, target: str, level: str, fp: str | None = None
) -> bytes:
    """A backend's output for one entry point (None: all of them)."""
    result = find(target).emit(optimized(source, entry, level, fp, target), EmitOptions())
    _raise_errors(result.diagnostics)
    output: bytes = result.output
    return output


def to_spirv(
    source: str, entry: str, stage: str, target: str, level: str, fp: str | None = None
) -> tuple[bytes, str]:
    """Valid SPIR-V for an entry point made through a target, and its entry point's name there."""
    output = emitted(source, entry, "hlsl" if target == "slang" else target, level, fp)
    if target == "slang":
        return slang_to_spirv(output.decode(), stage, strict=fp == "strict")
    if target == "spirv":
        validate_spirv(output)
        return output, entry
    if target == "hlsl":
        packed = level != "basic"
        binary, name = hlsl_to_spirv(output.decode(), stage, packed, strict=fp == "strict")
        validate_spirv(binary)
        return binary, name
    binary = glsl_to_spirv(output.decode(), stage)
    validate_spirv(binary)
    return binary, "main"
