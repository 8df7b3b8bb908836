"""Whole shader files, all entry points in one module: valid and complete."""

from __future__ import annotations

import pytest
from luma.backends import EmitOptions, find

from luma import pipeline
from luma.diagnostics import Level
from tests.harness.cases import SHADERS, read_source
from tests.harness.compile import LEVELS, emitted, lowered, optimized
from tests.harness.validators import glsl_to_spirv, validate_spirv

FILES = sorted(path.name for path in SHADERS.glob("*.luma"))


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("file", FILES)
def test_spirv_of_all_entry_points_is_valid(file: str, level: str) -> None:
    """One module holds them all."""
    validate_spirv(emitted(file, None, "spirv", level))


@pytest.mark.parametrize("target", ["spirv", "glsl"])
@pytest.mark.parametrize("file", FILES)
def test_debug_output_is_valid(file: str, target: str) -> None:
    """Names and line numbers do no harm."""
    text, name = read_source(file)
    _, source, _ = pipeline.front(text, pipeline.Options(), name)
    for entry in lowered(file).entry_points:
        module = optimized(file, entry.name, "basic")
        made = find(target).emit(module, EmitOptions(debug=True, source=source))
        assert not [d for d in made.diagnostics if d.level is Level.ERROR]
        if target == "glsl":
            validate_spirv(glsl_to_spirv(made.output.decode(), entry.stage.value))
        else:
            validate_spirv(made.output)


@pytest.mark.parametrize("file", FILES)
def test_shaders_are_free_of_warnings(file: str) -> None:
    """They are examples of good style."""
    text, name = read_source(file)
    _, _, diagnostics = pipeline.front(text, pipeline.Options(), name)
    assert [d.render() for d in diagnostics] == []
