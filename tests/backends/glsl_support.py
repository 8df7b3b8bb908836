"""IR text or a Luma source to GLSL that glslangValidator takes."""

from __future__ import annotations

from luma.backends import EmitOptions
from luma.backends.glsl import BACKEND

from luma.ir.module import Module
from luma.ir.reach import select
from luma.ir.text import parse_module
from luma.ir.verify import verify
from luma.source import Source
from tests.harness.validators import glsl_to_spirv

#: The start of a compute shader that reads ``src`` and writes ``out``.
COMPUTE = """\
storage @src: []float group(0) binding(0)
storage @out: []float read_write group(0) binding(1)
entry compute main = @main {
  in "id": uvec3 builtin(global_invocation_id)
}
"""


def print_module(
    module: Module, entry: str = "main", *, debug: bool = False, source: Source | None = None
) -> str:
    """The GLSL of one entry point of valid IR, checked by glslangValidator."""
    problems = verify(module)
    assert not problems, problems
    selected = select(module, (entry,))
    emitted = BACKEND.emit(selected, EmitOptions(debug=debug, source=source))
    assert emitted.diagnostics == ()
    text = emitted.output.decode()
    glsl_to_spirv(text, selected.entry_points[0].stage.value)
    return text


def from_ir(text: str, entry: str = "main") -> str:
    """The GLSL of IR text."""
    return print_module(parse_module(text), entry)


def function_of(text: str, name: str = "main") -> str:
    """One function's lines, without the others."""
    lines = text.splitlines()
    start = next(
        at for at, line in enumerate(lines) if f" {name}(" in line and line.endswith("{")
        and not line.startswith(" ")
    )  # fmt: skip
    end = next(at for at in range(start, len(lines)) if lines[at] == "}")
    return "\n".join(lines[start : end + 1])


def body_of(instructions: str) -> str:
    """The statements of a compute shader's main, from IR instructions after ``COMPUTE``.

    The instructions may use %0, the invocation's id, and number their values from %1.
    """
    text = f'{COMPUTE}function @main(%0 "id": uvec3) {{\n{instructions}}}\n'
    lines = function_of(from_ir(text)).splitlines()
    return "\n".join(line.removeprefix("    ") for line in lines[1:-1])
