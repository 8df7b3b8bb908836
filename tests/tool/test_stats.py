"""Statistics: the library's and the command's, which must add up."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

import luma
from luma import statistics
from luma.ir.module import Instr, Module
from luma.ir.ops import STRUCTURAL
from luma.language.builtins import OPERATIONS
from luma.language.types import FLOAT, INT, Type

SHADE = """
uniform tint: vec4
@entry(fragment)
function shade(uv: vec2) -> (color: vec4)
    return { color = tint * sin(uv.x) / uv.y }
end
"""
TWO = SHADE + "@entry(fragment) function flat() -> (color: vec4) return { color = tint } end\n"
BAD = "function f() -> float\n    return 1.0 + true\nend\n"


def _ran(folder: Path, *arguments: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "luma", "stats", *arguments]
    return subprocess.run(command, cwd=folder, input=stdin, capture_output=True, text=True)


def test_what_is_counted_is_what_comes_out() -> None:
    for counted in luma.measure(SHADE):
        result = luma.compile(SHADE, target=counted.target, opt=counted.opt)
        assert counted.bytes == len(result.output)
        assert isinstance(result.module, Module)
        instructions = sum(len(b.instrs) + 1 for f in result.module.functions for b in f.blocks)
        assert sum(counted.operations.values()) == instructions
        assert sum(counted.instructions.values()) == instructions
        if counted.target == "spirv":
            assert counted.minified is None and counted.tokens is None
        else:
            assert counted.minified is not None and counted.minified < counted.bytes


def test_every_target_and_level_is_measured_in_order() -> None:
    found = [(s.target, s.opt) for s in luma.measure(SHADE)]
    targets = ["glsl", "hlsl", "msl", "spirv", "wgsl"]
    assert found == [(t, o) for t in targets for o in ("none", "basic", "aggressive")]
    assert luma.measure(SHADE, (), ()) == ()


def test_outputs_of_one_entry_point_are_added_up() -> None:
    (both,) = luma.measure(TWO, ["glsl"], ["basic"])
    parts = luma.compile_all(TWO, target="glsl", opt="basic").values()
    assert both.bytes == sum(len(r.output) for r in parts)
    (one,) = luma.measure(TWO, ["glsl"], ["basic"], entry="flat")
    assert one.bytes < both.bytes


def test_classes_of_instructions() -> None:
    def of(op: str, type: Type = FLOAT) -> str:
        return statistics.class_of(Instr(0, op, type))

    assert of("mul") == "alu" and of("sin") == "transcendental" and of("load") == "memory"
    assert of("sample") == "texture" and of("call") == "control" and of("shuffle") == "data"
    assert of("div") == "transcendental" and of("div", INT) == "alu"
    assert of("atomic_add") == "memory" and of("workgroup_barrier") == "control"
    for op in (*OPERATIONS, *STRUCTURAL):
        assert of(op) in statistics.CLASSES


def test_no_class_names_an_operation_that_does_not_exist() -> None:
    ends = {"branch", "cond_branch", "return", "discard"}
    known = {*OPERATIONS, *STRUCTURAL, *ends}
    for members in statistics._MEMBERS.values():
        assert members <= known


def test_errors_are_raised() -> None:
    with pytest.raises(luma.LumaError):
        luma.measure(BAD)
    with pytest.raises(luma.LumaError):
        luma.measure(SHADE, ["basic"])
    with pytest.raises(ValueError):
        luma.measure(SHADE, ["glsl"], ["most"])


def test_command(tmp_path: Path) -> None:
    (tmp_path / "shade.luma").write_text(SHADE)
    done = _ran(tmp_path, "shade.luma", "--target=glsl", "--opt=basic")
    assert (done.returncode, done.stderr) == (0, "")
    words = done.stdout.split()
    (counted,) = luma.measure(SHADE, ["glsl"], ["basic"])
    assert words[0] == "shade.luma" and str(counted.bytes) in words and "sin" in words


def test_command_in_json(tmp_path: Path) -> None:
    (tmp_path / "shade.luma").write_text(SHADE)
    done = _ran(tmp_path, "shade.luma", "-", "--json", stdin=TWO)
    rows = json.loads(done.stdout)
    assert [r["shader"] for r in rows] == 15 * ["shade.luma"] + 15 * ["<stdin>"]
    assert rows[:15] == [{"shader": "shade.luma", **s.to_json()} for s in luma.measure(SHADE)]


def test_command_counts_what_it_can(tmp_path: Path) -> None:
    (tmp_path / "shade.luma").write_text(SHADE)
    (tmp_path / "bad.luma").write_text(BAD)
    done = _ran(tmp_path, "bad.luma", "missing.luma", "shade.luma", "--json")
    assert done.returncode == 1
    assert "bad.luma:2" in done.stderr and "E0807" in done.stderr
    assert {r["shader"] for r in json.loads(done.stdout)} == {"shade.luma"}


def test_command_tells_which_file_is_wrong(tmp_path: Path) -> None:
    (tmp_path / "empty.luma").touch()
    command = [sys.executable, "-m", "luma", "stats", "empty.luma", "none.luma"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (1, "")
    assert "error[E0803]: 'empty.luma': the source has no entry point" in done.stderr
    assert "error[E0807]: cannot read 'none.luma'" in done.stderr
