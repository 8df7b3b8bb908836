"""The engine's own shaders and files, where its repository is at hand; none of it is kept here.

Set ``LUMA_GRAPHIC_3D`` to a clone (a bare one will do) of ``openharmony/graphic_graphic_3d``.
"""

from __future__ import annotations

import io
import os
import subprocess
import tarfile
from pathlib import Path

import pytest
from click.testing import CliRunner

from luma.cli.lume_snippets import snippets
from luma.lume.glsl import SUFFIXES
from luma.lume.lsb import write
from luma.lume.lsb_reader import read, refusals
from luma.lume.reflect import reflect
from luma.lume.settings import Settings
from luma.lume.shaders import Built, build_all
from luma.lume.tools import toolchain

CLONE = os.environ.get("LUMA_GRAPHIC_3D")

pytestmark = pytest.mark.skipif(
    CLONE is None,
    reason="LUMA_GRAPHIC_3D names no clone of openharmony/graphic_graphic_3d: the engine's own "
    "shaders are not compared",
)

#: December 2023: sources and what the engine's tool made of them, LSB of version 0.
OLD = "c88670da"

#: A commit whose shaders are compiled; what its own tool makes of them is not in it.
NEW = "edb53dee47de489787f621c9149d1bcf1288aba1"

#: Shaders of NEW that do not compile: two are wrong on purpose, five need headers of others.
BROKEN = 7


def tree(commit: str, folder: Path) -> Path:
    command = ["git", "-C", str(CLONE), "archive", commit, "lume"]
    archive = subprocess.run(command, check=True, capture_output=True).stdout
    with tarfile.open(fileobj=io.BytesIO(archive)) as packed:
        packed.extractall(folder, filter="data")
    return folder / "lume"


def roots(lume: Path, sources: list[Path]) -> dict[Path, list[Path]]:
    """The sources by the root that the engine's build compiles them from."""
    found: dict[Path, list[Path]] = {}
    for source in sources:
        above = (p for p in source.parents if p.name == "shaders" and p.is_relative_to(lume))
        found.setdefault(next(above, source.parent), []).append(source)
    return found


def include_dirs(lume: Path, root: Path) -> tuple[Path, ...]:
    """The engine's interfaces; the tests of its compiler have their own copies."""
    own = next((p / "assets/api" for p in root.parents if (p / "assets/api/Lume3D").is_dir()), None)
    if own is not None:
        return (own / "Lume3D/api", own / "LumeRender/api")
    return (lume / "Lume_3D/api", lume / "LumeRender/api")


def built(lume: Path, sources: list[Path], out: Path, version: int, vulkan: str) -> list[Built]:
    results: list[Built] = []
    for root, inside in roots(lume, sources).items():
        includes = include_dirs(lume, root)
        settings = Settings(root, out, includes, vulkan=vulkan, lsb_version=version)
        results += build_all(inside, settings, toolchain())
    return results


def lsb_of(result: Built) -> bytes:
    return next(data for path, data in result.outputs.items() if path.suffix == ".lsb")


def test_every_lsb_of_2023_is_the_same(tmp_path: Path) -> None:
    lume = tree(OLD, tmp_path)
    golden = {Path(str(p).removesuffix(".spv.lsb")): p for p in sorted(lume.rglob("*.lsb"))}
    assert len(golden) == 38
    for result in built(lume, list(golden), tmp_path / "out", 0, "1.0"):
        assert not result.failed, result.diagnostics
        assert lsb_of(result) == golden[result.source].read_bytes(), result.source


def test_every_shader_that_compiles_gets_a_good_lsb(tmp_path: Path) -> None:
    lume = tree(NEW, tmp_path)
    sources = sorted(p for p in lume.rglob("*") if p.suffix in SUFFIXES)
    assert len(sources) == 137
    results = built(lume, sources, tmp_path / "out", 1, "1.0")
    again = [r.source for r in results if r.failed]
    results = [r for r in results if not r.failed]
    results += built(lume, again, tmp_path / "out", 1, "1.2")
    assert sum(r.failed for r in results) == BROKEN
    for result in results:
        if not result.failed:
            data = lsb_of(result)
            assert write(read(data).reflection) == data and refusals(data) == []


def test_the_sample_of_snippets_makes_a_shader(tmp_path: Path) -> None:
    sample = tree(OLD, tmp_path) / "LumeBinaryCompile/LumeShaderCompiler/test"
    out = tmp_path / "out"
    arguments = ["--source", str(sample), "--destination", str(out), "--check", "--strict"]
    result = CliRunner().invoke(snippets, arguments)
    assert (result.exit_code, result.stderr) == (0, "")
    settings = Settings(out, out)
    (made,) = build_all([out / "my_fullscreen.frag"], settings, toolchain())
    told = {
        (group.set, b.binding): b.descriptor
        for group in read(lsb_of(made)).reflection.sets
        for b in group.bindings
    }
    assert told == {(0, 0): 6, (1, 0): 1, (1, 1): 1, (1, 2): 6}


def test_every_lsb_in_the_repository_reads_back(tmp_path: Path) -> None:
    found = sorted(tree(NEW, tmp_path).rglob("*.lsb"))
    assert found
    for path in found:
        data = path.read_bytes()
        lsb = read(data)
        again = bytearray(write(lsb.reflection, 1 if lsb.shapes else 0))
        again[3] = lsb.version
        assert bytes(again) == data, path


def test_binaries_that_were_not_optimized_give_the_same(tmp_path: Path) -> None:
    """Those of one test asset are as glslang made them."""
    assets = tree(NEW, tmp_path) / "LumeScene/test/unittest/assets/test_data/celia"
    found = sorted(assets.rglob("*.spv"))
    assert len(found) == 5
    for path in found:
        golden = Path(f"{path}.lsb").read_bytes()
        mine = write(reflect(path.read_bytes()).reflection)
        assert mine[4:] == golden[4:], path
