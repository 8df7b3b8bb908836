"""Whole shader files as WGSL, all entry points in one module: Tint takes them."""

from __future__ import annotations

import pytest
from luma.backends import EmitOptions, find

from luma import pipeline
from luma.diagnostics import Level
from tests.harness import wgsl
from tests.harness.cases import read_source, shader_files
from tests.harness.compile import LEVELS, optimized

#: The files that WGSL refuses, and why.
REFUSED = {"particles.luma": "E0731", "shadow.luma": "E0736"}
FILES = tuple(shader_files())


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("file", [f for f in FILES if f not in REFUSED])
def test_all_entry_points_in_one_module(file: str, level: str) -> None:
    """With lines told or not."""
    text, name = read_source(file)
    _, source, _ = pipeline.front(text, pipeline.Options(), name)
    module = optimized(file, None, level)
    for debug in (False, True):
        made = find("wgsl").emit(module, EmitOptions(debug=debug, source=source))
        assert made.diagnostics == ()
        assert all(f"fn {entry.name}(" in made.output.decode() for entry in module.entry_points)
        wgsl.validate(made.output)


@pytest.mark.parametrize("file", REFUSED)
def test_refused_file_says_why(file: str) -> None:
    """At every level the same."""
    for level in LEVELS:
        made = find("wgsl").emit(optimized(file, None, level), EmitOptions())
        errors = [d.code for d in made.diagnostics if d.level is Level.ERROR]
        assert (errors, made.output) == ([REFUSED[file]], b"")
