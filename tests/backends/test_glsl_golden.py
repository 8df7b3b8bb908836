"""The GLSL of the test shaders, as a person reviewed it: ``tests/out/glsl``.

``LUMA_UPDATE_GOLDEN=1 pytest tests/backends/test_glsl_golden.py`` writes the files anew; the
difference is then for a person to read.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from luma.backends import EmitOptions
from luma.backends.glsl import BACKEND

from tests.harness.cases import SHADERS
from tests.harness.compile import lowered, optimized
from tests.harness.validators import glsl_to_spirv

GOLDEN = Path(__file__).parents[1] / "out" / "glsl"
NAMES = sorted(path.name for path in SHADERS.glob("*.luma"))


def texts(name: str) -> dict[str, str]:
    """The file's name and the text of each entry point of a shader, valid for glslangValidator."""
    found = {}
    for entry in lowered(name).entry_points:
        module = optimized(name, entry.name, "basic")
        text = BACKEND.emit(module, EmitOptions()).output.decode()
        glsl_to_spirv(text, entry.stage.value)
        found[f"{Path(name).stem}.{entry.name}.glsl"] = text
    return found


@pytest.mark.parametrize("name", NAMES)
def test_golden(name: str) -> None:
    for file, text in texts(name).items():
        path = GOLDEN / file
        if os.environ.get("LUMA_UPDATE_GOLDEN"):
            path.write_text(text, encoding="utf-8")
        assert path.read_text(encoding="utf-8") == text


def test_no_golden_file_is_left_over() -> None:
    wanted = {f"{Path(n).stem}.{e.name}.glsl" for n in NAMES for e in lowered(n).entry_points}
    assert {path.name for path in GOLDEN.iterdir()} == wanted
