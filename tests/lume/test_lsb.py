"""LSB files of GLSL shaders are, byte for byte, what the shaders' comments expect."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from luma.lume.glsl import compile_glsl
from luma.lume.includes import Search, collect
from luma.lume.lsb import write
from luma.lume.lsb_reader import read, refusals
from luma.lume.reflect import Reflected, reflect
from luma.lume.tools import find
from tests.lume.expected import SHADERS, expected

by_shader = pytest.mark.parametrize("path", SHADERS, ids=lambda p: p.name)


@cache
def binary(path: Path) -> bytes:
    unit = collect(path, Search(path.parent), path.suffix)
    compiled = compile_glsl(unit, find("glslang"), expected(path).vulkan)
    assert compiled.binary is not None, compiled.diagnostics
    return compiled.binary


def reflected(path: Path) -> Reflected:
    return reflect(binary(path))


@by_shader
@pytest.mark.parametrize("version", [0, 1])
def test_the_bytes_are_those_expected(path: Path, version: int) -> None:
    wanted, got = expected(path).lsb(version), write(reflected(path).reflection, version)
    assert got == wanted, f"{read(got)}\n{read(wanted)}"


@by_shader
def test_what_the_engine_does_not_have_is_told(path: Path) -> None:
    assert [d.code for d in reflected(path).warnings] == expected(path).warnings


@by_shader
@pytest.mark.parametrize("version", [0, 1])
def test_what_is_written_reads_back_and_the_engine_takes_it(path: Path, version: int) -> None:
    data = write(reflected(path).reflection, version)
    found = read(data)
    assert (found.version, found.shapes) == (version, version == 1)
    assert write(found.reflection, version) == data
    assert refusals(data) == []


def test_there_are_shaders_for_every_section() -> None:
    assert len(SHADERS) >= 40
