"""Luma's own shaders for the engine, and what the command line says of LSB files."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from luma.backends.spirv.reader import read as read_spirv

from luma.cli.commands import luma
from luma.lume.lsb_reader import read, refusals
from luma.lume.snippets import make
from tests.harness.validators import validate_spirv

PAGE = Path(__file__).parents[2] / "docs" / "lume.md"

SHADER = """
struct Push
    offset: vec2
    scale: float
    unused: float
end
@group(0) @binding(2) uniform ambient: vec4
@group(1) @binding(0) uniform image: sampler2D
@spec(3) const quality: int = 1
@push_constant uniform push: Push

@entry(fragment)
function shade(uv: vec2) -> (color: vec4)
    let found = sample(image, uv * push.scale + push.offset)
    return { color = found * 0.0 + found + ambient * float(quality) }
end

@entry(vertex)
function place(@location(4) position: vec3) -> (@builtin(position) p: vec4, uv: vec2)
    return { p = vec4(position, 1.0), uv = position.xy }
end

@entry(compute) @workgroup_size(8, 4, 1)
function fill()
end
"""


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(luma, [str(a) for a in arguments])


@pytest.fixture
def shader(tmp_path: Path) -> Path:
    (tmp_path / "a.luma").write_text(SHADER)
    return tmp_path / "a.luma"


@pytest.mark.parametrize("level", ["none", "basic", "aggressive"])
def test_every_entry_point_gets_its_files(shader: Path, tmp_path: Path, level: str) -> None:
    out = tmp_path / "out"
    options = ("--target=spirv", "--lsb", "--all-entries", "--opt", level, "-o", out)
    result = run("compile", shader, *options)
    assert result.exit_code == 0, result.stderr
    names = [f"{n}.spv{s}" for n in ("fill", "place", "shade") for s in ("", ".lsb")]
    assert sorted(p.name for p in out.iterdir()) == names
    for path in out.glob("*.spv"):
        validate_spirv(path.read_bytes())
        assert [e.name for e in read_spirv(path.read_bytes()).entry_points] == ["main"]
        assert refusals(Path(f"{path}.lsb").read_bytes()) == []
    assert run("lume", "lsb", out / "shade.spv.lsb").stdout.splitlines() == [
        "LSB version 1, fragment shader",
        "push constants: 12 bytes accessed",
        "  .offset: vec2 at offset 0, 8 bytes",
        "  .scale: float at offset 8, 4 bytes",
        "  .unused: float at offset 12, 4 bytes",
        "specialization constant 3: int",
        "set 0",
        "  binding 2: uniform_buffer",
        "set 1",
        "  binding 0: sampled_image (2d, sampled)",
        "  binding 1: sampler",
        "input 0: r32g32_sfloat",
    ]
    assert run("lume", "lsb", out / "place.spv.lsb").stdout.splitlines()[1:] == [
        "input 4: r32g32b32_sfloat"
    ]
    assert run("lume", "lsb", out / "fill.spv.lsb").stdout.splitlines()[1:] == [
        "local size: 8 x 4 x 1"
    ]


def test_one_entry_point_of_several(shader: Path) -> None:
    result = run("compile", shader, "--target=spirv", "--lsb")
    assert result.exit_code == 1 and "E0802" in result.stderr
    assert not shader.with_suffix(".spv").exists()
    assert run("compile", shader, "--lsb", "--entry=place", "-o", f"{shader}.spv").exit_code == 0
    assert read(Path(f"{shader}.spv.lsb").read_bytes()).reflection.stage == 1


@pytest.mark.parametrize("options", [("--target=glsl",), ("--target=spirv", "-o", "-"), ()])
def test_a_reflection_needs_spirv_in_a_file(shader: Path, options: tuple[str, ...]) -> None:
    assert run("compile", shader, "--lsb", "--entry=place", *options).exit_code == 2


def test_files_are_printed_as_json(shader: Path, tmp_path: Path) -> None:
    run("compile", shader, "--target=spirv", "--lsb", "--entry=shade")
    path = f"{shader.with_suffix('.spv')}.lsb"
    told = json.loads(run("lume", "lsb", path, "--json", "--check").stdout)
    assert told["stage"] == "fragment"
    assert told["descriptor_sets"][1]["bindings"][0] == {
        "binding": 0,
        "type": "sampled_image",
        "count": 1,
        "dimension": "2d",
        "flags": ["sampled"],
    }


def test_files_that_the_engine_refuses(tmp_path: Path) -> None:
    (tmp_path / "a.lsb").write_bytes(b"rfl\x01" + bytes(12))
    assert run("lume", "lsb", tmp_path / "a.lsb").exit_code == 0
    result = run("lume", "lsb", tmp_path / "a.lsb", "--check")
    assert result.exit_code == 1 and "the engine refuses a section is missing" in result.stderr
    (tmp_path / "b.lsb").write_bytes(b"no LSB")
    for name in ("b.lsb", "nowhere.lsb"):
        result = run("lume", "lsb", tmp_path / name)
        assert result.exit_code == 1 and "error[E08" in result.stderr


def test_the_configurations_on_the_page_make_a_shader(tmp_path: Path) -> None:
    blocks = re.findall(r"^```(json|glsl)\n(.*?)^```", PAGE.read_text(), re.M | re.S)
    shader, template = (text for kind, text in blocks if kind == "json")
    (body,) = (text for kind, text in blocks if kind == "glsl")
    (tmp_path / "tinted.json").write_text(shader)
    (tmp_path / "fullscreen.json").write_text(template)
    (tmp_path / "fullscreen.h").write_text(body)
    (tmp_path / "fullscreen_layout.json").write_text("{}")
    (tmp_path / "color.json").write_text('{"source": "color.h"}')
    (tmp_path / "color.h").write_text("void tint(in vec2 a, in float b, out vec4 c) {}\n")
    made = make(tmp_path / "tinted.json", single=False)
    assert made.diagnostics == ()
    text = made.outputs[Path("tinted.frag")].decode()
    assert "    tint(inUv, float(0.5), outColor);\n    //>FUNCTIONS_color light\n" in text
    assert b'"set":0' in made.outputs[Path("tinted_pipeline.json")]
