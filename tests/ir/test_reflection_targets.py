"""What reflection says of a target's output is what stands in that output."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from luma.backends import Backend, EmitOptions, Emitted, find

import luma
from luma import backends
from luma.ir.module import Module
from tests.harness.cases import shader_files

Data = dict[str, Any]

ROOT = Path(__file__).parents[2]
SHADERS = [*shader_files().values(), ROOT / "examples" / "pbr.luma"]

#: Names that some target or other reserves, and every kind of binding but push constants.
SOURCE = """
struct Light position: vec3 on: bool weights: [4]float end
struct Scene basis: mat3 half: float lights: [2]Light end
struct Item count: uint device: vec3 end
struct Tail total: int register: []vec3 end
@spec(3) const FANCY = true
@spec(5) const gain = 2.0
uniform scene: Scene
uniform albedo: sampler2D
uniform time: float
uniform texture: texture2D
@group(1) uniform shadow: sampler2DShadow
@group(1) @binding(7) buffer items: []Item
@group(3) @binding(2) buffer points: Tail
@group(3) @binding(4) buffer loose: []vec3
@entry(vertex)
function main(position: vec3, out: uint, @builtin(vertex_id) id: int) ->
    (@builtin(position) p: vec4, uv: vec2, @interpolation(flat) inout: int)
    let x = scene.basis * position * float(id) * gain
    return { p = vec4(x, time), uv = position.xy * float(out), inout = id }
end
@entry(fragment)
function shade(uv: vec2, @interpolation(flat) inout: int) -> (color: vec4, sample: vec2)
    let n = array_length(items) + inout
    if FANCY then return { color = vec4(1.0), sample = uv } end
    let lit = sample_compare(shadow, uv, 0.5) + texel_fetch(texture, ivec2(1), 0).x
    let base = sample(albedo, uv) * float(items[0].count) * scene.half * lit
    return { color = base * float(n) + scene.lights[1].weights[2], sample = loose[1].xy }
end
@entry(compute) @workgroup_size(4, 2)
function kernel(@builtin(global_invocation_id) id: uvec3)
    points.register[id.x] = points.register[id.y] * scene.half
    points.total = array_length(points.register)
end
"""
PUSH = """
struct Push tint: vec4 thread: float pairs: [2]vec2 end
@push_constant uniform push: Push
@entry(fragment)
function pushed(uv: vec2) -> (color: vec4)
    return { color = push.tint * push.thread * push.pairs[int(uv.x)].x * scene.half }
end
"""
#: Memory that some target or other must hold in another form, and structs in several.
ODD = """
struct Cell on: bool small: [3]float m: mat2 end
struct Grid cells: [2]Cell count: uint end
struct Halves a: half b: [3]hvec2 end
uniform cells: [4]Cell
uniform grid: Grid
uniform weights: [6]float
uniform basis: mat3
uniform hs: Halves
buffer store: Grid
buffer words: [8]uint
buffer flags: []bool
uniform only: sampler2D
uniform layered: sampler2DArray
shared tile: [64]Cell
function pick(s: sampler2D, uv: vec2) -> vec4
    return texel_fetch(s, ivec2(uv), 0)
end
@entry(fragment)
function fetch(uv: vec2) -> (color: vec4)
    let read = pick(only, uv) + sample(layered, vec3(uv, 1.0)) + weights[int(uv.x)]
    return { color = read + cells[1].small[2] + (basis * vec3(1.0)).x + float(hs.b[1].x) }
end
@entry(compute) @workgroup_size(64)
function work(@builtin(local_invocation_index) i: uint)
    tile[i] = grid.cells[0]
    workgroup_barrier()
    let c = tile[63 - i]
    store.cells[1] = c
    let old = atomic_add(store.count, 1)
    let old2 = atomic_max(words[2], old)
    flags[i] = c.on and old2 > 2
end
@entry(compute) @workgroup_size(1)
function nothing()
end
"""
ODD_PUSHES = {
    "struct": "@push_constant uniform pc: Grid "
    "@entry(fragment) function p(u: vec2) -> (c: vec4) return { c = vec4(pc.cells[1].m[0].x) } end",
    "vector": "@push_constant uniform pc: vec4 "
    "@entry(fragment) function p(uv: vec2) -> (c: vec4) return { c = pc } end",
    "matrix": "@push_constant uniform pc: mat2 "
    "@entry(fragment) function p(uv: vec2) -> (c: vec4) return { c = (pc * uv).xyxy } end",
}
LEVELS = ("none", "basic")
TEXT_TARGETS = ("glsl", "hlsl", "msl", "wgsl")


def source_for(target: str) -> str:
    return SOURCE if target == "wgsl" else SOURCE + PUSH


def outputs(source: str, name: str, target: str, opt: str, **options: Any) -> dict[str, str]:
    """The text that holds each entry point."""
    if find(target).single_entry:
        made = luma.compile_all(source, target=target, opt=opt, name=name, **options)
    else:
        whole = luma.compile(source, target=target, opt=opt, name=name, **options)
        told = luma.reflect(source, name)
        made = {entry["name"]: whole for entry in told["entry_points"]}
    for result in made.values():
        assert result.success, "\n".join(d.render() for d in result.diagnostics)
    return {entry: result.text for entry, result in made.items()}


def described(source: str, target: str, opt: str, **options: Any) -> dict[str, Data]:
    told = luma.reflect(source, target=target, opt=opt, **options)["target"]
    assert (told["name"], told["opt"]) == (target, opt)
    return {entry["name"]: entry for entry in told["entry_points"]}


# ---------------------------------------------------------------- each target's grammar


def glsl_place(binding: Data, text: str) -> str | None:
    place, name = binding["place"], re.escape(binding["emitted_name"])
    if not place:
        return None
    group = f"set = {place['set']}, " if place["set"] else ""  # the first goes without saying
    head = rf"layout\({group}binding = {place['binding']}(, std\d+)?\) "
    if binding["emitted_type"]:
        return (
            rf"{head}[a-z ]*\b{binding['emitted_type']} {{[^}}]*(}} {name};|\b{name}(\[\d*\])*;\n)"
        )
    kind = "sampler" if "sampler" in binding["descriptor_type"] else "texture"
    return rf"{head}uniform {kind}\w* {name};"


def hlsl_place(binding: Data, text: str) -> str | None:
    place, name = binding["place"], re.escape(binding["emitted_name"])
    space = f", space{place['space']}" if place["space"] else ""
    where = rf" : register\({place['class']}{place['register']}{space}\)"
    return rf"(\b{name}{where};|cbuffer {binding['emitted_type']}{where} {{\s+[^;]*\b{name}\b)"


def msl_place(binding: Data, text: str) -> str | None:
    place, name = binding["place"], re.escape(binding["emitted_name"])
    return rf"\b{name}\)?(\[\d+\])* \[\[{place['table']}\({place['index']}\)\]\]"


def wgsl_place(binding: Data, text: str) -> str | None:
    place, name = binding["place"], re.escape(binding["emitted_name"])
    return rf"@group\({place['group']}\) @binding\({place['binding']}\) var(<[^>]*>)? {name}:"


PLACES: dict[str, Callable[[Data, str], str | None]] = {
    "glsl": glsl_place,
    "hlsl": hlsl_place,
    "msl": msl_place,
    "wgsl": wgsl_place,
}

#: How many places a text claims, to be all told of.
CLAIMS = {
    "glsl": r"layout\([^)]*\bbinding = ",
    "hlsl": r": register\(",
    "msl": r"\[\[(buffer|texture|sampler)\(\d+\)\]\]",
    "wgsl": r"@group\(",
}

ENTRIES = {
    "glsl": r"void {}\(\) {{",
    "hlsl": r"\b{}\(",
    "msl": r"(vertex|fragment|kernel) \w+ {}\(",
    "wgsl": r"@(vertex|fragment|compute)[^\n]*\nfn {}\(",
}

#: An input or output: its semantic and name in the output.
VARIABLES = {
    "glsl": r"layout\({1}\) [^;]*\b{0};",
    "hlsl": r"\b{0} : {1}\b",
    "msl": r"\b{0} \[\[{1}\]\]",
    "wgsl": r"{1} (@interpolate\(\w+\) )?{0}:",
}

CONSTANTS = {
    "glsl": r"layout\(constant_id = {1}\) const \w+ {0} = ",
    "hlsl": r"\[\[vk::constant_id\({1}\)\]\] const \w+ {0} = ",
    "msl": r"constant \w+ {0} \[\[function_constant\({1}\)\]\];",
    "wgsl": r"@id\({1}\) override {0}: ",
}


def body_of(struct: Data, text: str) -> str:
    """What stands between the braces of a struct or block."""
    found = re.search(
        rf"(struct|uniform|buffer)[^\n]* {struct['emitted_name']} {{\n(.*?)\n}}", text, re.S
    )
    assert found is not None, struct
    return found[2]


def entry_text(target: str, entry: Data, text: str) -> str:
    """The part of an MSL file that belongs to an entry point; of the others, all."""
    if target != "msl":
        return text
    start = re.search(ENTRIES["msl"].format(entry["emitted_name"]), text)
    assert start is not None
    return text[start.start() : text.index(") {\n", start.start())]


def agree(target: str, told: Data, entry: Data, text: str) -> None:
    """Everything that reflection says of an entry point stands in the text, and no place more."""
    assert re.search(ENTRIES[target].format(entry["emitted_name"]), text)
    head = entry_text(target, entry, text)
    placed = [*entry["bindings"], *entry["implicit"]]
    patterns = [PLACES[target](binding, text) for binding in placed if binding["place"]]
    for pattern in patterns:
        assert pattern is not None and re.search(pattern, head), pattern
    if target != "wgsl":  # whose file declares each binding once for all entry points
        assert len(re.findall(CLAIMS[target], head)) == len(patterns)
    for struct in entry["structs"]:
        body, at = body_of(struct, text), 0
        for field in struct["fields"]:
            found = re.compile(rf"\b{field['emitted_name']}(\[\d*\])*(;|:)").search(body, at)
            assert found is not None, (struct, field)
            at = found.end()
    for variable in (*entry["inputs"], *entry["outputs"]):
        name, semantic = variable["emitted_name"], variable["semantic"]
        if name and name != semantic:  # GLSL declares no builtin variable
            assert re.search(VARIABLES[target].format(name, re.escape(semantic)), text), variable
        else:
            assert semantic in text or not name or target == "glsl", variable
    ids = {constant["name"]: constant["spec_id"] for constant in told["spec_constants"]}
    for constant in entry["spec_constants"]:
        pattern = CONSTANTS[target].format(constant["emitted_name"], ids[constant["name"]])
        assert re.search(pattern, text), pattern


@pytest.mark.parametrize("opt", LEVELS)
@pytest.mark.parametrize("target", TEXT_TARGETS)
def test_places_and_names_are_those_of_the_text(target: str, opt: str) -> None:
    source = source_for(target)
    told = luma.reflect(source)
    texts = outputs(source, "<string>", target, opt)
    entries = described(source, target, opt)
    assert list(entries) == list(texts) == [entry["name"] for entry in told["entry_points"]]
    for entry in told["entry_points"]:
        one = entries[entry["name"]]
        agree(target, told, one, texts[entry["name"]])
        assert [b["name"] for b in one["bindings"]] == entry["bindings"]
        for way in ("inputs", "outputs"):
            assert [v["name"] for v in one[way]] == [v["name"] for v in entry[way]]


@pytest.mark.parametrize(
    ("target", "push"),
    [("wgsl", ""), *((t, push) for t in ("glsl", "hlsl", "msl") for push in ODD_PUSHES)],
)
def test_memory_in_other_forms(target: str, push: str) -> None:
    source = ODD + ODD_PUSHES.get(push, "")
    told = luma.reflect(source)
    texts = outputs(source, "<string>", target, "none")
    for name, entry in described(source, target, "none").items():
        agree(target, told, entry, texts[name])


def test_a_struct_has_a_name_for_each_form() -> None:
    structs = described(ODD, "wgsl", "none")["work"]["structs"]
    assert [(s["name"], s["layout"], s["emitted_name"]) for s in structs] == [
        ("Cell", "std140", "CellUniform"),
        ("Cell", "std430", "CellStorage"),
        ("Grid", "std140", "GridUniform"),
        ("Grid", "std430", "GridStorage"),
    ]


def shaders() -> Iterator[tuple[Path, str]]:
    for path in SHADERS:
        yield path, path.read_text(encoding="utf-8")


@pytest.mark.parametrize("target", TEXT_TARGETS)
def test_every_shader_is_described(target: str) -> None:
    for path, source in shaders():
        told = luma.reflect(source, str(path))
        try:
            named = luma.reflect(source, str(path), target=target, opt="none")["target"]
        except luma.LumaError as refused:
            code = refused.diagnostics[0].code
            assert code.startswith("E07")
            result = luma.compile(source, target=target, opt="none", name=str(path))
            assert code in {d.code for d in result.diagnostics}
            continue
        texts = outputs(source, str(path), target, "none")
        for entry in named["entry_points"]:
            agree(target, told, entry, texts[entry["name"]])


# ---------------------------------------------------------------- what is special to a target


def binding(entry: Data, name: str) -> Data:
    (found,) = [b for b in entry["bindings"] if b["name"] == name]
    return dict(found)


def test_glsl_puts_combined_samplers_together() -> None:
    entry = described(source_for("glsl"), "glsl", "none")["shade"]
    texture, sampler = binding(entry, "albedo_tex"), binding(entry, "albedo_samp")
    assert texture["descriptor_type"] == sampler["descriptor_type"] == "combined_image_sampler"
    assert texture["emitted_name"] == sampler["emitted_name"] == "albedo"
    assert (texture["place"], sampler["place"]) == ({"set": 0, "binding": 1}, {})
    assert binding(entry, "texture")["descriptor_type"] == "sampled_image"


def test_reserved_names() -> None:
    assert described(SOURCE, "msl", "none")["main"]["emitted_name"] == "main0"
    entry = described(SOURCE, "glsl", "none")["main"]
    assert (entry["emitted_name"], entry["inputs"][1]["emitted_name"]) == ("main", "out_1")
    shade = described(SOURCE, "msl", "none")["shade"]
    (scene,) = [s for s in shade["structs"] if s["name"] == "Scene"]
    assert {f["name"]: f["emitted_name"] for f in scene["fields"]}["half"] == "half_1"


def test_hlsl_push_constants_have_a_space_of_their_own() -> None:
    entry = described(SOURCE + PUSH, "hlsl", "none")["pushed"]
    assert binding(entry, "push")["place"] == {"class": "b", "register": 0, "space": 1}


def test_msl_counts_each_class_by_itself() -> None:
    shade = described(SOURCE + PUSH, "msl", "none")["shade"]
    places = {b["name"]: tuple(b["place"].values()) for b in shade["bindings"]}
    assert places == {
        "scene": ("buffer", 0),
        "albedo_tex": ("texture", 0),
        "albedo_samp": ("sampler", 0),
        "texture": ("texture", 1),
        "shadow_tex": ("texture", 2),
        "shadow_samp": ("sampler", 1),
        "items": ("buffer", 1),
        "loose": ("buffer", 2),
    }
    (sizes,) = shade["implicit"]
    assert (sizes["kind"], sizes["place"]) == ("buffer_sizes", {"table": "buffer", "index": 3})
    pushed = described(SOURCE + PUSH, "msl", "none")["pushed"]
    assert binding(pushed, "push")["place"] == {"table": "buffer", "index": 1}


def test_msl_leaves_buffers_free_for_vertices() -> None:
    free = 5
    source = SOURCE + PUSH
    told = luma.reflect(source)
    moved = described(source, "msl", "none", first_buffer=free)
    texts = outputs(source, "<string>", "msl", "none", first_buffer=free)
    usual = described(source, "msl", "none")
    for name, entry in moved.items():
        agree("msl", told, entry, texts[name])
        for new, old in zip(entry["bindings"], usual[name]["bindings"], strict=True):
            away = free if new["place"]["table"] == "buffer" else 0
            assert new["place"]["index"] == old["place"]["index"] + away
    assert re.search(r"\[\[buffer\([0-4]\)\]\]", texts["shade"]) is None


def test_only_msl_numbers_buffers() -> None:
    for target in ("glsl", "hlsl", "wgsl", "spirv"):
        result = luma.compile(SOURCE, target=target, entry="kernel", opt="none", first_buffer=1)
        assert [d.code for d in result.diagnostics if d.level is luma.Level.ERROR] == ["E0811"]
    with pytest.raises(ValueError, match="first_buffer"):
        luma.compile(SOURCE, target="msl", first_buffer=-1)


def test_too_many_buffers_count_those_left_free() -> None:
    result = luma.compile(SOURCE, target="msl", opt="none", first_buffer=30)
    assert "E0721" in {d.code for d in result.diagnostics}


def test_optimization_moves_nothing() -> None:
    source = "uniform a: vec4 uniform b: vec4 @entry(fragment) function f() -> (c: vec4) "
    source += "return { c = a * 0.0 * 0.0 + b - b + b } end"
    for target in TEXT_TARGETS:
        places = {
            opt: binding(described(source, target, opt)["f"], "b")["place"]
            for opt in ("none", "basic", "aggressive")
        }
        assert places["none"] == places["basic"] == places["aggressive"]


def test_selected_entry_points_alone() -> None:
    told = luma.reflect(SOURCE, target="msl", opt="none", entry="kernel", spirv=True)
    assert [e["name"] for e in told["entry_points"]] == ["kernel"]
    assert [e["name"] for e in told["target"]["entry_points"]] == ["kernel"]
    assert [e["name"] for e in told["spirv"]["entry_points"]] == ["kernel"]
    assert [b["name"] for b in told["bindings"]] == ["scene", "points"]


def test_a_target_that_refuses_says_so() -> None:
    with pytest.raises(luma.LumaError) as refused:
        luma.reflect(SOURCE + PUSH, target="wgsl", opt="none")
    assert [d.code for d in refused.value.diagnostics] == ["E0731"]
    with pytest.raises(luma.LumaError) as unknown:
        luma.reflect(SOURCE, target="basic")
    assert [d.code for d in unknown.value.diagnostics] == ["E0804"]


def keys(data: object) -> set[str]:
    if isinstance(data, dict):
        return set(data).union(*(keys(value) for value in data.values()))
    return set().union(*(keys(item) for item in data)) if isinstance(data, list) else set()


def test_every_key_is_documented() -> None:
    page = (ROOT / "docs" / "reflection.md").read_text(encoding="utf-8")
    used: set[str] = set()
    for target in (*TEXT_TARGETS, "spirv"):
        told = luma.reflect(source_for(target), target=target, opt="none", spirv=True)
        assert json.loads(json.dumps(told)) == told
        used |= keys(told)
    assert {key for key in used if f"`{key}`" not in page} == set()


def test_a_backend_that_tells_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def emit(module: Module, options: EmitOptions) -> Emitted:
        return Emitted(b"")

    listing = Backend("listing", ".txt", binary=False, single_entry=False, emit=emit)
    monkeypatch.setattr(backends, "find", lambda name: listing)
    with pytest.raises(luma.LumaError) as refused:
        luma.reflect(SOURCE, target="listing", opt="none")
    assert [d.code for d in refused.value.diagnostics] == ["E0812"]
