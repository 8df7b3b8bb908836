"""Reflection of a module: interfaces, bindings, and layouts worked out by hand from the rules."""

from __future__ import annotations

import json
from pathlib import Path

from luma.ir.text import parse_module
from luma.reflection import reflect
from tests.ir.sources import lowered

MODULE = parse_module("""\
struct Light { position: vec3, intensity: float, on: bool, color: vec3 }
struct Scene { lights: [2]Light, weights: [3]float, basis: mat3, grid: [4][2]mat2x3 }
struct Particles { count: uint, items: []Light }
struct Push { tint: vec4, scale: float }

uniform @scene: Scene group(0) binding(0)
handle @albedo_tex: texture2D group(0) binding(1) combined("albedo")
handle @albedo_samp: sampler group(0) binding(2) combined("albedo")
handle @plain: texture3D group(0) binding(3)
handle @shadow_tex: textureDepth2D group(1) binding(4) combined("shadow")
handle @shadow_samp: samplerShadow group(1) binding(5) combined("shadow")
storage @particles: Particles read_write group(2) binding(0)
storage @positions: []vec3 group(2) binding(1)
uniform @time: float group(2) binding(2)
workgroup @tile: [64]float read_write
push_constant @pc: Push

spec @COUNT: int id(3) = 4
spec @FANCY: bool id(4) = true

entry compute sim = @sim workgroup(8, 4, 1) {
  in "id": uvec3 builtin(global_invocation_id)
}

entry fragment shade = @shade {
  in "uv": vec2 location(0) interpolation(smooth)
  out "color": vec4 location(0)
}

function @sim(%0 "id": uvec3) {
b0:
  %1: ptr<storage, Particles> = global @particles
  %2: ptr<workgroup, [64]float> = global @tile
  return
}

function @shade(%0 "uv": vec2) -> (vec4) {
b0:
  %1: texture2D = global @albedo_tex
  %2: sampler = global @albedo_samp
  %3: vec4 = sample %1, %2, %0
  return %3
}
""")
TOLD = reflect(MODULE)


def struct(name: str, layout: str) -> dict[str, object]:
    (found,) = [s for s in TOLD["structs"] if (s["name"], s["layout"]) == (name, layout)]
    return dict(found)


def offsets(name: str, layout: str) -> list[int]:
    fields = struct(name, layout)["fields"]
    assert isinstance(fields, list)
    return [field["offset"] for field in fields]


def binding(name: str) -> dict[str, object]:
    (found,) = [b for b in TOLD["bindings"] if b["name"] == name]
    return dict(found)


def test_it_is_json_and_always_the_same() -> None:
    assert json.loads(json.dumps(TOLD)) == TOLD
    assert reflect(MODULE) == TOLD


def test_entry_points() -> None:
    sim, shade = TOLD["entry_points"]
    assert (sim["name"], sim["stage"], sim["workgroup"]) == ("sim", "compute", [8, 4, 1])
    assert sim["bindings"] == ["particles"]
    assert sim["inputs"] == [
        {
            "name": "id",
            "type": "uvec3",
            "location": -1,
            "builtin": "global_invocation_id",
            "interpolation": "",
        }
    ]
    assert (shade["workgroup"], shade["bindings"]) == ([0, 0, 0], ["albedo_tex", "albedo_samp"])
    assert shade["outputs"][0]["location"] == 0
    assert shade["inputs"][0]["interpolation"] == "smooth"


def test_structs_under_each_layout_they_are_used_under() -> None:
    assert [(s["name"], s["layout"]) for s in TOLD["structs"]] == [
        ("Light", "std140"),
        ("Light", "std430"),
        ("Scene", "std140"),
        ("Particles", "std430"),
        ("Push", "std430"),
    ]
    assert offsets("Light", "std140") == [0, 12, 16, 32]
    assert struct("Light", "std140")["size"] == 48
    assert offsets("Scene", "std140") == [0, 96, 144, 192]
    assert struct("Scene", "std140")["size"] == 192 + 4 * 2 * 2 * 16
    assert offsets("Particles", "std430") == [0, 16]
    assert offsets("Push", "std430") == [0, 16]
    assert struct("Push", "std430")["size"] == 32


def test_strides() -> None:
    fields = struct("Scene", "std140")["fields"]
    assert isinstance(fields, list)
    strides = [(f["array_stride"], f["matrix_stride"]) for f in fields]
    assert strides == [(48, 0), (16, 0), (0, 16), (64, 16)]


def test_buffers() -> None:
    scene = binding("scene")
    assert (scene["type"], scene["struct_name"], scene["size"]) == ("uniform_buffer", "Scene", 448)
    assert (scene["layout"], scene["descriptor_type"]) == ("std140", "uniform_buffer")
    particles = binding("particles")
    assert (particles["type"], particles["access"]) == ("storage_buffer", "read_write")
    assert (particles["size"], particles["runtime_stride"]) == (16, 48)
    positions = binding("positions")
    assert (positions["size"], positions["array_size"], positions["struct_name"]) == (0, 0, "")
    assert (positions["array_stride"], positions["runtime_stride"]) == (16, 16)
    assert (binding("time")["size"], binding("time")["value_type"]) == (4, "float")


def test_textures_and_samplers() -> None:
    names = ("albedo_tex", "albedo_samp", "plain", "shadow_tex", "shadow_samp")
    assert [binding(n)["combined_id"] for n in names] == [0, 0, -1, 1, 1]
    assert [binding(n)["type"] for n in names[:3]] == ["texture", "sampler", "texture"]
    assert binding("albedo_samp")["descriptor_type"] == "sampler"
    assert binding("albedo_tex")["descriptor_type"] == "sampled_image"
    assert all(b["name"] != "tile" for b in TOLD["bindings"])
    keys = [list(b) for b in TOLD["bindings"]]
    assert {frozenset(k) for k in keys} == {frozenset(keys[0])}


def test_constants() -> None:
    (push,) = TOLD["push_constants"]
    assert (push["name"], push["struct_name"], push["size"]) == ("pc", "Push", 32)
    assert TOLD["spec_constants"] == [
        {"name": "COUNT", "spec_id": 3, "type": "int", "default": "4"},
        {"name": "FANCY", "spec_id": 4, "type": "bool", "default": "true"},
    ]


def keys(data: object) -> set[str]:
    if isinstance(data, dict):
        return set(data).union(*(keys(value) for value in data.values()))
    return set().union(*(keys(item) for item in data)) if isinstance(data, list) else set()


def test_every_key_is_documented() -> None:
    page = (Path(__file__).parents[2] / "docs" / "reflection.md").read_text(encoding="utf-8")
    assert {key for key in keys(TOLD) if f"`{key}`" not in page} == set()


def test_from_source() -> None:
    told = reflect(
        lowered("""
        struct Camera view: mat4 eye: vec3 exposure: float end
        uniform camera: Camera
        uniform albedo: sampler2D
        @group(1) buffer lights: []vec4
        @entry(fragment)
        function shade(uv: vec2, id: int) -> (color: vec4)
          return { color = sample(albedo, uv) * camera.exposure * lights[id] }
        end""")
    )
    bound = [(b["name"], b["group"], b["binding"]) for b in told["bindings"]]
    assert bound == [
        ("camera", 0, 0),
        ("albedo_tex", 0, 1),
        ("albedo_samp", 0, 2),
        ("lights", 1, 0),
    ]
    (entry,) = told["entry_points"]
    assert entry["bindings"] == ["camera", "albedo_tex", "albedo_samp", "lights"]
    assert [(v["name"], v["location"], v["interpolation"]) for v in entry["inputs"]] == [
        ("uv", 0, "smooth"),
        ("id", 1, "flat"),
    ]
    (camera,) = told["structs"]
    assert [f["offset"] for f in camera["fields"]] == [0, 64, 76]
