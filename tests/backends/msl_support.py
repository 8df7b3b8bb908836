"""A Luma source or IR to MSL that clang takes, in both of the harness's modes."""

from __future__ import annotations

from luma.backends import EmitOptions
from luma.backends.msl import BACKEND

from luma.diagnostics import Diagnostic
from luma.ir.module import Module
from luma.ir.verify import verify
from tests.harness.msl.toolchain import compile_texts
from tests.ir.sources import lowered


def text_of(module: Module) -> str:
    """The MSL of a module that has no problems."""
    assert verify(module) == []
    emitted = BACKEND.emit(module, EmitOptions())
    assert emitted.diagnostics == ()
    return emitted.output.decode()


def text_from(source: str) -> str:
    """The MSL of a source, compiled."""
    text = text_of(lowered(source))
    compile_texts({"text": text})
    return text


def problems_of(source: str) -> tuple[Diagnostic, ...]:
    """What the backend says against a source."""
    return BACKEND.emit(lowered(source), EmitOptions()).diagnostics


def part(text: str, start: str) -> str:
    """The lines from the one that starts so to the next closing brace at the margin."""
    lines = text.splitlines()
    first = next(at for at, line in enumerate(lines) if line.startswith(start))
    last = next(at for at in range(first, len(lines)) if lines[at].startswith("}"))
    return "\n".join(lines[first : last + 1])
