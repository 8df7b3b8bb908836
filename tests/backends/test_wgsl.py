"""What a WGSL file is made of: interface, memory, names, constants; Tint checks every text."""

from __future__ import annotations

import re

import pytest

from luma import pipeline
from luma.ir.text import print_module
from tests.backends.wgsl_support import errors_of, from_ir, from_source

COMPUTE = (
    "@entry(compute) @workgroup_size(4) function main(@builtin(local_invocation_index) lane: uint)"
)


def compute(declarations: str, *statements: str, opt: str = "none") -> str:
    """The WGSL of a compute shader that knows its ``lane``."""
    body = "\n".join(f"  {s}" for s in statements)
    return from_source(f"{declarations}\n{COMPUTE}\n{body}\nend\n", opt)


def fragment(declarations: str, color: str, arguments: str = "uv: vec2") -> str:
    """The WGSL of a fragment shader that returns one colour."""
    return from_source(
        f"{declarations}\n@entry(fragment) function main({arguments}) -> (color: vec4)\n"
        f"  return {{ color = {color} }}\nend\n"
    )


def lines_of(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines()]


def matches(pattern: str, text: str) -> bool:
    """Whether the pattern, in which names without an author are open, is somewhere in a text."""
    return re.search(pattern, text) is not None


# ---------------------------------------------------------------- interface


def test_inputs_are_parameters_and_one_output_is_the_result() -> None:
    text = fragment("", "vec4(uv, float(id), 1.0)", "uv: vec2, id: int")
    head = (
        "fn main(@location(0) uv: vec2<f32>,\n"
        "    @location(1) @interpolate(flat) id: i32) -> @location(0) vec4<f32> {"
    )
    assert head in text
    assert "return vec4<f32>(uv, f32(id), 1.0);" in lines_of(text)


VERTEX = """
@varying
struct Across
  @builtin(position) position: vec4
  uv: vec2
  @interpolation(noperspective) straight: float
end
@entry(vertex) function vertex(@builtin(vertex_id) v: int, uv: vec2) -> Across
  return Across { position = vec4(uv, float(v), 1.0), uv = uv, straight = 0.5 }
end
@entry(fragment) function shade(across: Across, @builtin(front_facing) front: bool) -> (c: vec4)
  return { c = vec4(across.uv, across.straight, float(front)) }
end
"""


def test_several_outputs_are_a_struct_and_entry_points_share_a_file() -> None:
    text = from_source(VERTEX)
    assert (
        "struct VertexOutput {\n"
        "    @builtin(position) position: vec4<f32>,\n"
        "    @location(0) uv: vec2<f32>,\n"
        "    @location(1) @interpolate(linear) straight: f32,\n"
        "}\n" in text
    )
    assert "@vertex\nfn vertex(@builtin(vertex_index) vertex_index: u32," in text
    assert "return VertexOutput(vec4<f32>(uv, f32(i32(vertex_index)), 1.0), uv, 0.5);" in text
    assert "@fragment\nfn shade(" in text
    assert "@builtin(front_facing) front: bool" in text


def test_colors_have_four_components() -> None:
    text = from_source(
        "@entry(fragment) function main(uv: vec2)\n"
        "  -> (a: vec3, b: int, @builtin(frag_depth) d: float)\n"
        "  return { a = vec3(uv, 2.0), b = 7, d = uv.x }\nend\n"
    )
    assert "return MainOutput(vec4<f32>(uv, 2.0, 1.0), vec4<i32>(7, 0, 0, 1), uv.x);" in text


def test_entry_point_with_a_reserved_name_is_renamed() -> None:
    text = from_source("@entry(compute) @workgroup_size(8, 2) function pass() end")
    assert "@compute @workgroup_size(8, 2)\nfn pass_1() {\n}" in text


# ---------------------------------------------------------------- memory

LAYOUT = """
struct Inner
  flag: bool
  weight: float
end
struct Block
  first: float
  inner: Inner
  list: [3]float
  pairs: [2]ivec2
  turn: mat3x2
  halves: [2]half
  flags: [2]bvec3
end
uniform block: Block
buffer storage data: Block
"""


def test_uniforms_have_std140_and_buffers_std430() -> None:
    text = compute(
        LAYOUT,
        "data.first = block.list[lane] + float(block.pairs[1].y) + block.turn[lane].y",
        "data.inner.flag = block.inner.flag and block.flags[lane].y",
        "data.halves[1] = block.halves[lane]",
        "data.list[0] = data.turn[1].x + (block.turn * vec3(1.0)).x",
    )
    assert (
        "struct InnerUniform {\n    flag: u32,\n    @size(12) weight: f32,\n}\n\n"
        "struct Padded_half {\n    @size(16) value: f16,\n}\n" in text
    )
    assert (
        "struct BlockUniform {\n"
        "    first: f32,\n"
        "    @align(16) inner: InnerUniform,\n"
        "    list: array<vec4<f32>, 3>,\n"
        "    pairs: array<vec4<i32>, 2>,\n"
        "    turn: array<vec4<f32>, 3>,\n"
        "    halves: array<Padded_half, 2>,\n"
        "    flags: array<vec3<u32>, 2>,\n"
        "}" in text
    )
    assert (
        "    list: array<f32, 3>,\n    pairs: array<vec2<i32>, 2>,\n    turn: mat3x2<f32>," in text
    )
    found = lines_of(text)
    assert "data.first = block.list[lane].x + f32(block.pairs[1].y) + block.turn[lane].y;" in found
    assert "let value = block.inner.flag != 0u && block.flags[lane].y != 0u;" in found
    assert "data.inner.flag = u32(value);" in found
    assert "data.halves[1] = block.halves[lane].value;" in found
    assert "mat3x2<f32>(turn[0].xy, turn[1].xy, turn[2].xy) * vec3<f32>(1.0)" in text
    assert text.startswith("enable f16;\n")


def test_struct_that_lies_as_it_is_has_one_declaration() -> None:
    text = compute(
        "struct Light position: vec3 power: float end\n"
        "uniform lights: [4]Light\nbuffer storage out: []Light",
        "let light = lights[lane]",
        "out[lane] = light",
    )
    assert text.count("struct ") == 1
    assert "    let light = lights[lane];\n    out[lane] = light;\n" in text


def test_whole_values_are_converted_by_helpers() -> None:
    text = compute(LAYOUT, "data = block")
    assert "data = pack_Block(unpack_Block(block));" in text
    assert "return Inner(stored.flag != 0u, stored.weight);" in text


def test_long_arrays_are_converted_in_a_loop() -> None:
    text = compute("uniform u: [40]bool\nbuffer storage b: [40]bool", "b = u")
    assert "for (var i = 0; i < 40; i++) {\n        result[i] = stored[i].x != 0u;" in text
    assert "b = pack_bools(unpack_bools(u));" in text


ATOMICS = """
struct Cell
  count: uint
  bins: [2]int
  other: float
end
buffer storage cells: [2]Cell
shared sum: int
"""


def test_places_of_atomics_are_atomic() -> None:
    text = compute(
        ATOMICS,
        "atomic_add(cells[lane].count, 1)",
        "atomic_min(cells[lane].bins[1], 4)",
        "let old = atomic_exchange(sum, int(lane))",
        "sum = sum + old",
        "cells[1] = cells[0]",
    )
    assert "    count: atomic<u32>,\n    bins: array<atomic<i32>, 2>,\n    other: f32,\n" in text
    assert "var<workgroup> sum: atomic<i32>;" in text
    found = lines_of(text)
    assert "atomicAdd(&cells[lane].count, 1u);" in found
    assert "atomicStore(&sum, atomicLoad(&sum) + old);" in found
    assert "atomicStore(&cells[1].count, atomicLoad(&cells[0].count));" in found
    assert any(line.startswith("cells[1].other = ") for line in found)


def test_compare_exchange_is_tried_until_it_counts() -> None:
    text = compute(ATOMICS, "let old = atomic_compare_exchange(sum, 3, int(lane))", "sum = old")
    assert (
        "    var old: i32;\n"
        "    loop {\n"
        "        let attempt = atomicCompareExchangeWeak(&sum, 3, lane_int);\n"
        "        old = attempt.old_value;\n"
        "        if (attempt.exchanged || attempt.old_value != 3) {\n"
        "            break;\n"
        "        }\n"
        "    }\n" in text
    )


def test_specialization_constants_are_overrides() -> None:
    text = compute(
        "@spec(7) const N: int = 4\n@spec(1) const ON: bool = true\nbuffer storage out: []int",
        "out[0] = select(ON, N, 0)",
    )
    assert "@id(7) override N: i32 = 4;\n@id(1) override ON: bool = true;" in text


# ---------------------------------------------------------------- operators and constants

NUMBERS = "buffer storage f: []float\nbuffer storage k: []int\nbuffer storage n: []uint"


@pytest.mark.parametrize(
    ("statement", "line"),
    [
        ("k[0] = k[1] << k[2]", "k[0] = k[1] << (u32(k[2]) & 31u);"),
        ("k[0] = (k[1] << 3) >> 1", "k[0] = (k[1] << 3u) >> 1u;"),
        ("n[0] = n[1] << 40", "n[0] = n[1] << 8u;"),
        ("k[0] = k[1] & k[2] | k[3]", "k[0] = (k[1] & k[2]) | k[3];"),
        ("k[0] = k[1] % -2147483648", "k[0] = k[1] % i32(-2147483648);"),
        ("k[0] = int((k[0] < k[1]) == (k[2] > k[3]))",
         "k[0] = i32((k[0] < k[1]) == (k[2] > k[3]));"),
        ("f[0] = f[1] % f[2]", "f[0] = f_1 - f_2 * floor(f_1 / f_2);"),
        ("f[0] = select(isnan(f[1]), 1.0, 2.0)",
         "f[0] = select(2.0, 1.0, (bitcast<u32>(f[1]) & 0x7fffffffu) > 0x7f800000u);"),
        ("k[0] = find_msb(n[1])", "k[0] = i32(firstLeadingBit(n[1]));"),
        ("f[0] = 0.5 + 0.25", "f[0] = 0.75;"),
        ("f[0] = 3.4028234663852886e38", "f[0] = 3.4028234663852886e38;"),
        ("let v = vec3(f[0]) v.zx = vec2(f[1], f[2]) f[0] = dot(v, v)",
         "v = vec3<f32>(f[2], v.y, f[1]);"),
        ("let v = bvec2(f[0] < f[1], f[2] > f[3]) k[0] = int(v.x)",
         "let v = vec2<bool>((f[0] < f[1]), f[2] > f[3]);"),
        ("let m = mat2(f[0]) m = -m f[0] = m[k[0]].x",
         "let m = mat2x2<f32>(-vec2<f32>(f_0, 0.0), -vec2<f32>(0.0, f_0));"),
    ],
)  # fmt: skip
def test_operator(statement: str, line: str) -> None:
    assert line in lines_of(compute(NUMBERS, statement))


@pytest.mark.parametrize(
    ("statement", "pattern"),
    [
        ("f[0] = f[1] % f[2]", r"f\[0\] = (\w+) - (\w+) \* floor\(\1 / \2\);"),
        ("let m = mat2(f[0]) m = -m f[0] = m[k[0]].x",
         r"let m = mat2x2<f32>\(-vec2<f32>\((\w+), 0\.0\), -vec2<f32>\(0\.0, \1\)\);"),
    ],
)  # fmt: skip
def test_operator_that_wgsl_lacks(statement: str, pattern: str) -> None:
    assert matches(pattern, compute(NUMBERS, statement))


def test_what_has_no_constant_value_is_computed_when_the_shader_runs() -> None:
    text = compute(NUMBERS, "f[0] = sin(1.0)", "f[1] = f[2] / 0.0")
    assert "    var value = 1.0;\n    f[0] = sin(value);" in text
    assert "f[1] = f[2] / 0.0;" in lines_of(text)


def test_infinity_comes_from_the_bits_of_a_variable() -> None:
    module, _, _ = pipeline.front(
        f"{NUMBERS}\n{COMPUTE}\n  f[0] = 1.5\nend\n", pipeline.Options(), "test.luma"
    )
    assert module is not None
    text = from_ir(print_module(module).replace("const 1.5", "const inf"))
    assert "var<private> infinity_bits = 0x7f800000u;" in text
    assert "f[0] = bitcast<f32>(infinity_bits);" in text


def test_division_by_a_zero_that_was_found_late() -> None:
    text = compute(
        NUMBERS + "\nfunction over(a: int, b: int) -> int return a / b end",
        "k[0] = over(k[1], 0)",
        opt="aggressive",
    )
    assert "k[1] / 0" not in text


# ---------------------------------------------------------------- control flow and textures


def test_loops_variables_and_constants_read_as_written() -> None:
    text = compute(
        NUMBERS + "\nconst WEIGHTS: [3]float = [3]float { 0.25, 0.5, 0.25 }",
        "let sum = 0.0",
        "for i = 0, 3 do sum += f[i] * WEIGHTS[i] end",
        "let twice = sum * 2.0",
        "f[lane] = twice * twice",
    )
    assert "const WEIGHTS = array<f32, 3>(0.25, 0.5, 0.25);" in text
    assert (
        "    var sum = 0.0;\n"
        "    for (var i = 0; i < 3; i++) {\n"
        "        sum += f[i] * WEIGHTS[i];\n"
        "    }\n"
        "    let twice = sum * 2.0;\n"
        "    f[lane] = twice * twice;\n" in text
    )


def test_discard_goes_on_as_a_helper() -> None:
    text = from_source(
        "uniform t: sampler2D\n@entry(fragment) function main(uv: vec2) -> (c: vec4)\n"
        "  if uv.x < 0.5 then discard() end\n  return { c = sample(t, uv) }\nend\n"
    )
    assert "    if (uv.x < 0.5) {\n        discard;\n    }\n    return textureSample(" in text


def test_discard_leaves_a_loop() -> None:
    text = from_source(
        "@entry(fragment) function main(uv: vec2) -> (c: vec4)\n"
        "  for i = 0, 8 do\n    if uv.x < float(i) then discard() end\n  end\n"
        "  return { c = vec4(1.0) }\nend\n"
    )
    assert "            discard;\n            return vec4<f32>();\n" in text


TEXTURES = """
uniform layers: sampler2DArray
uniform shadow: sampler2DShadow
function look(t: sampler2DArray, at: vec3) -> vec4 return sample_level(t, at, 1.0) end
function lit(t: sampler2DShadow, at: vec2) -> float return sample_compare(t, at, 0.5) end
@entry(vertex) function vertex(at: vec3) -> (@builtin(position) p: vec4)
  return { p = look(layers, at) * lit(shadow, at.xy) }
end
@entry(fragment) function shade(@builtin(frag_coord) at: vec4) -> (c: vec4)
  let size = texture_size(layers, 0)
  return { c = texel_fetch(layers, ivec3(1, 2, size.z - 1), 0) * lit(shadow, at.xy) }
end
"""


def test_textures() -> None:
    text = from_source(TEXTURES)
    assert "@group(0) @binding(0) var layers_tex: texture_2d_array<f32>;" in text
    assert "@group(0) @binding(3) var shadow_samp: sampler_comparison;" in text
    found = lines_of(text)
    assert "return textureSampleLevel(t_tex, t_samp, at.xy, i32(round(at.z)), 1.0);" in found
    assert "return textureSampleCompare(t_tex, t_samp, at, 0.5);" in found
    assert "return textureSampleCompareLevel(t_tex, t_samp, at, 0.5);" in found
    assert "lit_level(shadow_tex, shadow_samp, at.xy)" in text
    assert "vec3<u32>(textureDimensions(layers_tex, 0), textureNumLayers(layers_tex))" in text


def test_debug_output_tells_lines() -> None:
    text = from_source(VERTEX, debug=True)
    assert "// test.luma:9\n    return VertexOutput(" in text


def test_names_that_wgsl_reserves() -> None:
    text = compute(
        "struct S filter: float length: float end\nbuffer storage array: []S",
        "let var_ = array[0].filter",
        "let texture = array[0].length + var_",
        "array[1].length = texture * texture",
    )
    assert "    filter_1: f32,\n    length: f32," in text
    assert "var<storage, read_write> array_1: array<S>;" in text


# ---------------------------------------------------------------- what cannot be had

_VERTEX = "@entry(vertex) function main(p: vec4) -> (@builtin(position) q: vec4"


@pytest.mark.parametrize(
    ("code", "source"),
    [
        ("E0731", "@push_constant uniform pc: vec4\n" + _VERTEX + ") return { q = p + pc } end"),
        ("E0732", _VERTEX + ", @builtin(point_size) s: float) return { q = p, s = 1.0 } end"),
        ("E0732", "@entry(fragment) function main(@builtin(primitive_id) i: int) -> (c: vec4)"
                  " return { c = vec4(float(i)) } end"),
        ("E0733", "@early_depth @entry(fragment) function main() -> (c: vec4)"
                  " return { c = vec4(1.0) } end"),
        ("E0734", "buffer storage b: [4]vec4\n" + _VERTEX + ") return { q = p + b[0] } end"),
        ("E0735", "@entry(vertex) function main(p: vec4) -> (q: vec4) return { q = p } end"),
        ("E0736", "@entry(fragment) function main(v: float) -> (c: vec4)\n  let d = 0.0\n"
                  "  if v > 0.0 then d = dfdx(v) end\n  return { c = vec4(d) } end"),
    ],
)  # fmt: skip
def test_refused(code: str, source: str) -> None:
    assert errors_of(source) == [code]
