"""IR text to HLSL that DXC takes."""

from __future__ import annotations

from luma.backends import EmitOptions
from luma.backends.hlsl import BACKEND

from luma.ir.module import Module
from luma.ir.reach import select
from luma.ir.text import parse_module
from luma.ir.verify import verify
from luma.source import Source
from tests.harness.hlsl import hlsl_to_spirv
from tests.harness.validators import validate_spirv


def print_module(
    module: Module, entry: str = "main", *, debug: bool = False, source: Source | None = None
) -> str:
    """The HLSL of one entry point of valid IR, checked by DXC as DXIL and as SPIR-V."""
    problems = verify(module)
    assert not problems, problems
    selected = select(module, (entry,))
    emitted = BACKEND.emit(selected, EmitOptions(debug=debug, source=source))
    assert emitted.diagnostics == ()
    text = emitted.output.decode()
    binary_of(text, selected.entry_points[0].stage.value)
    return text


def from_ir(text: str, entry: str = "main") -> str:
    """The HLSL of IR text."""
    return print_module(parse_module(text), entry)


def binary_of(text: str, stage: str = "compute") -> bytes:
    """Valid SPIR-V of HLSL."""
    binary, _ = hlsl_to_spirv(text, stage)
    validate_spirv(binary)
    return binary
