"""Whole shader files: valid and complete, also on targets where no case executes them."""

from __future__ import annotations

import pytest
from luma.backends import EmitOptions, find

from luma import pipeline
from luma.diagnostics import Level
from tests.harness import wgsl
from tests.harness.cases import discover, read_source, shader_files
from tests.harness.compile import LEVELS, emitted, lowered, optimized, to_spirv
from tests.harness.msl.toolchain import compile_texts
from tests.harness.validators import glsl_to_spirv, validate_spirv

FILES = tuple(shader_files())
EXECUTED = frozenset(s for case in discover() for s in (case.source, case.fragment_source))
ONLY_COMPILED = [file for file in FILES if file not in EXECUTED]


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


@pytest.mark.parametrize("file", ONLY_COMPILED)
@pytest.mark.parametrize("target", ["spirv", "glsl", "hlsl", "wgsl"])
def test_what_no_case_executes_is_valid(target: str, file: str) -> None:
    """Says the target's own judge, of every entry point at every level."""
    for entry in lowered(file).entry_points:
        for level in LEVELS:
            if target == "wgsl":
                wgsl.validate(emitted(file, entry.name, target, level))
            else:
                to_spirv(file, entry.name, entry.stage.value, target, level)


def test_what_no_case_executes_is_valid_metal() -> None:
    """In one go, as the compiler is slow to start."""
    compile_texts(
        {
            f"{file.removesuffix('.luma')}_{entry.name}_{level}": emitted(
                file, entry.name, "msl", level
            ).decode()
            for file in ONLY_COMPILED
            for entry in lowered(file).entry_points
            for level in LEVELS
        }
    )
