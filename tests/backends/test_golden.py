"""What every target makes of the test shaders, as a person reviewed it: ``tests/out``.

``LUMA_UPDATE_GOLDEN=1 pytest tests/backends/test_golden.py`` writes the files anew; the difference
is then for a person to read.  SPIR-V is there as spirv-dis tells it, with names.  Where a target
refuses a shader the file has the error instead.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from luma.backends import BUILT_IN, EmitOptions, find

from luma.diagnostics import Level
from luma.ir.module import Module
from tests.harness.cases import shader_files
from tests.harness.compile import lowered, optimized
from tests.harness.validators import disassembled

GOLDEN = Path(__file__).parents[1] / "out"
LEVELS = ("basic", "aggressive")
NAMES = tuple(shader_files())


def text_of(module: Module, target: str) -> tuple[str, str]:
    """The suffix and the text of a target's output, or of its errors."""
    backend = find(target)
    made = backend.emit(module, EmitOptions(debug=target == "spirv"))
    errors = [d.render() for d in made.diagnostics if d.level is Level.ERROR]
    if errors:
        return ".error", "\n\n".join(errors) + "\n"
    if target == "spirv":
        return ".spvasm", disassembled(made.output)
    return backend.suffix, made.output.decode()


def entries(name: str) -> Iterator[str]:
    """The entry points of a shader; ``fullscreen``, which is in many, of one of them."""
    for entry in lowered(name).entry_points:
        if entry.name != "fullscreen" or name == "shadow.luma":
            yield entry.name


def texts(name: str) -> dict[str, str]:
    """The files of a shader, by their names in ``tests/out``."""
    found = {}
    for entry in entries(name):
        for level in LEVELS:
            for target in BUILT_IN:
                module = optimized(name, entry, level, target=target)
                suffix, text = text_of(module, target)
                found[f"{target}/{level}/{Path(name).stem}.{entry}{suffix}"] = text
    return found


def stored(name: str) -> dict[str, str]:
    """The files of a shader that are in ``tests/out``."""
    return {
        path.relative_to(GOLDEN).as_posix(): path.read_text(encoding="utf-8")
        for path in sorted(GOLDEN.glob(f"*/*/{Path(name).stem}.*"))
    }


def update(name: str, made: dict[str, str]) -> None:
    """Write the files of a shader, and none else."""
    for file in stored(name).keys() - made.keys():
        (GOLDEN / file).unlink()
    for file, text in made.items():
        (GOLDEN / file).parent.mkdir(parents=True, exist_ok=True)
        (GOLDEN / file).write_text(text, encoding="utf-8")


@pytest.mark.parametrize("name", NAMES)
def test_golden(name: str) -> None:
    """Every target at the levels that change what the author wrote."""
    made = texts(name)
    if os.environ.get("LUMA_UPDATE_GOLDEN"):
        update(name, made)
    kept = stored(name)
    assert sorted(kept) == sorted(made)
    for file, text in made.items():
        assert kept[file] == text, file


def test_no_golden_file_is_left_over() -> None:
    """Of a shader that is no more."""
    stems = {Path(name).stem for name in NAMES}
    files = [path for path in GOLDEN.rglob("*") if path.is_file()]
    assert [str(path) for path in files if path.name.split(".")[0] not in stems] == []
    assert {len(path.relative_to(GOLDEN).parts) for path in files} == {3}
