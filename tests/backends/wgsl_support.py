"""IR text or a Luma source to WGSL that Tint takes."""

from __future__ import annotations

from luma.backends import EmitOptions, Emitted
from luma.backends.wgsl import BACKEND

from luma import pipeline
from luma.ir.module import Module
from luma.ir.text import parse_module
from luma.ir.verify import verify
from luma.source import Source
from tests.harness import wgsl


def emit(module: Module, source: Source | None = None, *, debug: bool = False) -> Emitted:
    """What the backend makes of valid IR."""
    problems = verify(module)
    assert not problems, problems
    made: Emitted = BACKEND.emit(module, EmitOptions(debug=debug, source=source))
    return made


def print_module(module: Module, source: Source | None = None, *, debug: bool = False) -> str:
    """The WGSL of valid IR, checked by Tint."""
    made = emit(module, source, debug=debug)
    assert made.diagnostics == (), [d.render() for d in made.diagnostics]
    wgsl.validate(made.output)
    return made.output.decode()


def from_ir(text: str) -> str:
    """The WGSL of IR text."""
    return print_module(parse_module(text))


def from_source(source: str, opt: str = "none", *, debug: bool = False) -> str:
    """The WGSL of a Luma source."""
    module, text, diagnostics = pipeline.front(source, pipeline.Options(), "test.luma")
    assert module is not None, [d.render() for d in diagnostics]
    return print_module(pipeline.optimize(module, opt), text, debug=debug)


def errors_of(source: str) -> list[str]:
    """The codes of the errors by which the backend refuses a Luma source."""
    module, text, diagnostics = pipeline.front(source, pipeline.Options(), "test.luma")
    assert module is not None, [d.render() for d in diagnostics]
    return [d.code for d in emit(module, text).diagnostics]
