"""The command line: what it prints, what it writes, how it ends."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from luma.cli import commands

GOOD = """
uniform tint: vec4
@entry(vertex)
function place(position: vec3) -> (@builtin(position) p: vec4)
    return { p = vec4(position, 1.0) }
end
@entry(fragment)
function shade(uv: vec2) -> (color: vec4)
    return { color = tint * vec4(uv, 0.0, 1.0) }
end
"""
BAD = "function f() -> float\n    return 1.0 + true\nend\n"
SPIRV = b"\x03\x02\x23\x07"

Run = Callable[..., subprocess.CompletedProcess[bytes]]


@pytest.fixture
def run(tmp_path: Path) -> Run:
    (tmp_path / "good.luma").write_text(GOOD)
    (tmp_path / "bad.luma").write_text(BAD)

    def luma(*arguments: str, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
        command = [sys.executable, "-m", "luma", *arguments]
        return subprocess.run(command, cwd=tmp_path, input=stdin, capture_output=True)

    return luma


def test_text_goes_to_standard_output(run: Run) -> None:
    done = run("compile", "good.luma", "--stage=fragment")
    assert done.returncode == 0 and done.stdout.startswith(b"#version 450"), done.stderr


def test_binary_goes_beside_the_source(run: Run, tmp_path: Path) -> None:
    done = run("compile", "good.luma", "--target=spirv")
    assert (done.returncode, done.stdout) == (0, b""), done.stderr
    assert (tmp_path / "good.spv").read_bytes()[:4] == SPIRV


def test_binary_to_standard_output(run: Run, tmp_path: Path) -> None:
    done = run("compile", "-", "--target=spirv", "-o", "-", stdin=GOOD.encode())
    assert done.returncode == 0 and done.stdout[:4] == SPIRV, done.stderr


def test_binary_from_standard_input_needs_a_place(run: Run) -> None:
    done = run("compile", "-", "--target=spirv", stdin=GOOD.encode())
    assert done.returncode == 1 and b"E0809" in done.stderr


def test_output_file(run: Run, tmp_path: Path) -> None:
    done = run("compile", "good.luma", "--entry=shade", "-o", "out.glsl")
    assert (done.returncode, done.stdout) == (0, b"")
    assert (tmp_path / "out.glsl").read_text().startswith("#version 450")


def test_suffix_chooses_the_target(run: Run, tmp_path: Path) -> None:
    assert run("compile", "good.luma", "-o", "out.spv").returncode == 0
    assert (tmp_path / "out.spv").read_bytes()[:4] == SPIRV
    assert run("compile", "good.luma", "--stage=vertex", "-o", "out.txt").returncode == 0
    assert (tmp_path / "out.txt").read_text().startswith("#version 450")


def test_failed_compilation_leaves_the_output_alone(run: Run, tmp_path: Path) -> None:
    (tmp_path / "out.glsl").write_text("precious")
    done = run("compile", "bad.luma", "-o", "out.glsl")
    assert done.returncode == 1
    assert (tmp_path / "out.glsl").read_text() == "precious"
    assert sorted(p.name for p in tmp_path.iterdir()) == ["bad.luma", "good.luma", "out.glsl"]


def test_several_entry_points_are_listed_for_glsl(run: Run) -> None:
    done = run("compile", "good.luma")
    assert done.returncode == 1
    assert b"E0802" in done.stderr and b"'place' (vertex), 'shade' (fragment)" in done.stderr


def test_all_entries(run: Run, tmp_path: Path) -> None:
    done = run("compile", "good.luma", "--all-entries", "-o", "deep/out")
    assert done.returncode == 0, done.stderr
    assert sorted(p.name for p in (tmp_path / "deep/out").iterdir()) == ["place.glsl", "shade.glsl"]


def test_all_entries_needs_a_directory(run: Run) -> None:
    assert run("compile", "good.luma", "--all-entries").returncode == 2


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["compile", "good.luma", "--entry=nothing"], b"E0801"),
        (["compile", "good.luma", "--target=basic"], b"E0804"),
        (["compile", "missing.luma"], b"E0807"),
        (["check", "."], b"E0807"),
        (["compile", "good.luma", "--stage=vertex", "-o", "no/such/place.glsl"], b"E0808"),
        (["compile", "good.luma", "--stage=vertex", "-o", "."], b"E0808"),
        (["compile", "good.luma", "--all-entries", "-o", "bad.luma"], b"E0808"),
        (["reflect", "bad.luma"], b"error[E"),
        (["reflect", "good.luma", "--target=basic"], b"E0804"),
        (["reflect", "good.luma", "--target=glsl", "--first-buffer=1"], b"E0811"),
        (["compile", "good.luma", "--target=wgsl", "--first-buffer=1"], b"E0811"),
        (["dump-ir", "bad.luma"], b"error[E"),
    ],
)
def test_errors_are_told_with_a_code(run: Run, arguments: list[str], code: bytes) -> None:
    done = run(*arguments)
    assert done.returncode == 1, done.stderr
    assert code in done.stderr and b"Traceback" not in done.stderr and done.stdout == b""


@pytest.mark.parametrize(
    "arguments",
    [
        ["compile"],
        ["compile", "good.luma", "--opt=most"],
        ["fly"],
        ["compile", "good.luma", "--first-buffer=-1"],
        ["check", "-x"],
    ],
)
def test_wrong_usage(run: Run, arguments: list[str]) -> None:
    assert run(*arguments).returncode == 2


def test_diagnostics_have_carets(run: Run) -> None:
    lines = run("check", "bad.luma").stderr.decode().splitlines()
    assert any(line.strip().startswith("--> bad.luma:2:") for line in lines)
    assert any(set(line.split("|")[-1].strip()) == {"^"} for line in lines if "|" in line)
    assert lines[-1] == "1 error"


def test_diagnostics_as_json(run: Run) -> None:
    (found,) = json.loads(run("check", "bad.luma", "--diagnostics=json").stderr)
    assert found["level"] == "error" and found["span"]["line_start"] == 2
    assert json.loads(run("check", "good.luma", "--diagnostics=json").stderr) == []


def test_check_says_nothing_of_a_good_source(run: Run) -> None:
    done = run("check", "good.luma")
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_hash(run: Run) -> None:
    to_file = run("compile", "good.luma", "--target=spirv", "--hash", "-o", "x.spv").stdout
    again = run("compile", "good.luma", "--target=spirv", "--hash", "-o", "-").stderr
    digest, name = to_file.decode().split()
    assert len(digest) == 64 and name == "good.luma"
    assert again.decode().split() == [digest, name]


def test_validate(run: Run) -> None:
    for target, stage in (("glsl", "vertex"), ("glsl", "fragment"), ("spirv", "fragment")):
        arguments = ("good.luma", f"--target={target}", f"--stage={stage}", "--validate")
        done = run("compile", *arguments, "-o", "out")
        assert done.returncode == 0, done.stderr


def test_include_directories(run: Run, tmp_path: Path) -> None:
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / "half.luma").write_text(
        "function halved(x: vec4) -> vec4\n    return x * 0.5\nend\n"
    )
    source = b"#include <half.luma>\n" + GOOD.replace("tint * ", "halved(tint) * ").encode()
    done = run("compile", "-", "--stage=fragment", "--include-dir", "lib", stdin=source)
    assert done.returncode == 0 and b"0.5" in done.stdout, done.stderr
    assert run("check", "-", stdin=source).returncode == 1


def test_dumps(run: Run) -> None:
    assert b"shade" in run("dump-ast", "good.luma").stdout
    text = run("dump-ir", "good.luma", "--opt=none", "--entry=shade").stdout.decode()
    from luma.ir.text import parse_module, print_module

    module = parse_module(text)
    assert print_module(module) == text
    assert [e.name for e in module.entry_points] == ["shade"]


def test_reflect(run: Run) -> None:
    told = json.loads(run("reflect", "good.luma").stdout)
    assert [e["name"] for e in told["entry_points"]] == ["place", "shade"]
    assert "target" not in told and "spirv" not in told


def test_reflect_for_a_target(run: Run) -> None:
    options = ("--target=msl", "--opt=none", "--first-buffer=3", "--stage=fragment")
    told = json.loads(run("reflect", "good.luma", "--spirv", *options).stdout)
    (entry,) = told["target"]["entry_points"]
    (tint,) = entry["bindings"]
    assert tint["place"] == {"table": "buffer", "index": 3}
    text = run("compile", "good.luma", *options).stdout.decode()
    assert "float4& tint [[buffer(3)]]" in text
    ((bound,),) = ([b["name"] for b in s["bindings"]] for s in told["spirv"]["descriptor_sets"])
    assert bound == "tint"


def test_internal_fault_has_its_own_status(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    import luma.ir.lower

    def broken(tree: object) -> None:
        raise ZeroDivisionError("on purpose")

    monkeypatch.setattr(luma.ir.lower, "lower", broken)
    (tmp_path / "good.luma").write_text(GOOD)
    with pytest.raises(SystemExit) as ended:
        commands.luma.main(["compile", str(tmp_path / "good.luma"), "--stage=vertex"])
    assert ended.value.code == 3
