"""What a GLSL file is made of: interface, resources, names, constants, line information."""

from __future__ import annotations

import re

import pytest
from luma.backends import EmitOptions
from luma.backends.glsl import BACKEND

from luma import pipeline
from tests.backends.glsl_support import function_of, print_module

VERTEX = (
    "@entry(vertex) function main(v: vec4) -> (@builtin(position) p: vec4) return { p = v } end"
)


def glsl(source: str, entry: str = "main", *, debug: bool = False) -> str:
    """The GLSL of a Luma source, unoptimized, checked by glslangValidator."""
    module, text, diagnostics = pipeline.front(source, pipeline.Options(), "test.luma")
    assert module is not None, [d.render() for d in diagnostics]
    return print_module(module, entry, debug=debug, source=text)


def fragment(declarations: str, color: str, arguments: str = "uv: vec2") -> str:
    """The GLSL of a fragment shader that returns one colour."""
    return glsl(
        f"{declarations}\n@entry(fragment) function main({arguments}) -> (color: vec4)\n"
        f"  return {{ color = {color} }}\nend\n"
    )


def has_line(text: str, line: str) -> bool:
    return line in text.splitlines()


# ---------------------------------------------------------------- resources


def test_struct_of_a_uniform_is_its_block() -> None:
    text = fragment("struct Scene tint: vec4 k: [3]float end uniform scene: Scene", "scene.tint")
    assert "struct" not in text
    assert "layout(binding = 0, std140) uniform Scene {\n    vec4 tint;\n" in text
    assert has_line(text, "    float k[3];")
    assert has_line(text, "} scene;")
    assert has_line(text, "    color = scene.tint;")


def test_struct_that_is_a_value_too_is_declared_beside_the_block() -> None:
    text = fragment(
        "struct S a: vec4 b: float end uniform s: S\nfunction f(x: S) -> vec4 return x.a * x.b end",
        "f(s)",
    )
    assert "struct S {" in text
    assert "uniform SBlock {" in text
    assert "f(S(s.a, s.b))" in text


def test_plain_uniform_is_the_member_of_a_block_without_a_name() -> None:
    text = fragment("uniform light_dir: vec3", "vec4(light_dir, 1.0)")
    assert "uniform LightDir {\n    vec3 light_dir;\n};" in text
    assert "color = vec4(light_dir, 1.0);" in text


def test_push_constants() -> None:
    text = fragment("@push_constant uniform pc: vec4", "pc")
    assert "layout(push_constant, std430) uniform Pc {" in text


def test_combined_sampler_is_put_together_at_the_texture_slot() -> None:
    text = fragment(
        "uniform a: sampler2D\n@group(2) @binding(3) uniform b: samplerCube\n"
        "function f(t: sampler2D, uv: vec2) -> vec4 return sample(t, uv) end",
        "f(a, uv) + sample(b, vec3(uv, 1.0)) + vec4(vec2(texture_size(a, 0)), 0.0, 0.0)",
    )
    assert has_line(text, "layout(binding = 0) uniform sampler2D a;")
    assert has_line(text, "layout(set = 2, binding = 3) uniform samplerCube b;")
    assert has_line(text, "vec4 f(sampler2D t, vec2 uv) {")
    assert "f(a, uv) + texture(b, vec3(uv, 1.0))" in text
    assert "#extension" not in text


def test_separate_texture_and_sampler() -> None:
    text = fragment(
        "uniform t: texture2D uniform s: sampler\n"
        "function f(t: texture2D, s: sampler, uv: vec2) -> vec4 return sample(t, s, uv) end",
        "f(t, s, uv) + sample_bias(t, s, uv, 1.0) + texel_fetch(t, ivec2(uv), 0)",
    )
    assert has_line(text, "layout(binding = 0) uniform texture2D t;")
    assert has_line(text, "layout(binding = 1) uniform sampler s;")
    assert "texture(sampler2D(t, s), uv, 1.0)" in text
    assert has_line(text, "#extension GL_EXT_samplerless_texture_functions : require")


COMPARED = {
    "sampler2DShadow": ("uv", "vec3(uv, 0.5)", "textureLod(t, {}, 0.0)"),
    "samplerCubeShadow": ("p", "vec4(p, 0.5)", "textureGrad(t, {}, vec3(0.0), vec3(0.0))"),
    "sampler2DArrayShadow": ("p", "vec4(p, 0.5)", "textureGrad(t, {}, vec2(0.0), vec2(0.0))"),
}


@pytest.mark.parametrize("kind", COMPARED)
def test_comparison_packs_the_reference(kind: str) -> None:
    coordinate, packed, elsewhere = COMPARED[kind]
    color = f"vec4(sample_compare(t, {coordinate}, 0.5))"
    declarations = f"uniform t: {kind}"
    text = fragment(declarations, color, "uv: vec2, p: vec3")
    assert f"texture(t, {packed})" in text
    text = glsl(
        f"{declarations}\n@entry(vertex) function main(uv: vec2, p: vec3) -> "
        f"(@builtin(position) clip: vec4) return {{ clip = {color} }} end"
    )
    assert elsewhere.format(packed) in text


def test_buffers_and_shared_memory() -> None:
    text = glsl(
        "struct Bag n: uint items: []vec3 end\n"
        "buffer storage bag: Bag buffer readonly src: []float buffer writeonly dst: [4]float\n"
        "shared total: uint shared tile: [4][2]float\n"
        "@entry(compute) @workgroup_size(4, 2) function main(@builtin(local_invocation_index) i: "
        "uint)\n"
        "  let old = atomic_add(bag.n, 2)\n"
        "  total = atomic_compare_exchange(bag.n, old, 7)\n"
        "  tile[i][1] = src[i]\n"
        "  workgroup_barrier()\n"
        "  storage_barrier()\n"
        "  if int(i) < array_length(bag.items) then bag.items[i].y = tile[0][1] end\n"
        "  dst[i] = float(total)\n"
        "end"
    )
    assert has_line(text, "layout(local_size_x = 4, local_size_y = 2) in;")
    assert "std430) buffer Bag {\n    uint n;\n    vec3 items[];\n} bag;" in text
    assert "std430) readonly buffer Src {" in text
    assert "std430) writeonly buffer Dst {" in text
    assert has_line(text, "shared uint total;")
    assert has_line(text, "shared float tile[4][2];")
    assert "uint old = atomicAdd(bag.n, 2u);" in text
    assert "total = atomicCompSwap(bag.n, old, 7u);" in text
    assert "    barrier();\n    memoryBarrierBuffer();\n    barrier();" in text
    assert "memoryBarrierShared" not in text  # barrier() orders shared memory by itself
    assert "int(i) < bag.items.length()" in text


def _reading(times: int, size: str) -> str:
    reads = " ".join(f"dst[i + {n}] = {n}" for n in range(times))
    return glsl(
        f"buffer storage dst: []uint @entry(compute) @workgroup_size({size}) "
        f"function main(@builtin(local_invocation_index) i: uint) {reads} end"
    )


def test_a_builtin_value_that_is_read_often_has_the_authors_name() -> None:
    text = _reading(4, "64")
    assert has_line(text, "    uint i = gl_LocalInvocationIndex;")
    assert "dst[i + 1u] = 1u;" in text
    assert text.count("gl_LocalInvocationIndex") == 1


def test_one_that_is_read_once_stands_where_it_is_read() -> None:
    text = _reading(1, "64")
    assert "dst[gl_LocalInvocationIndex + 0u] = 0u;" in text
    assert " i = " not in text


@pytest.mark.parametrize(
    ("size", "told"),
    [
        ("1", "local_size_x = 1"),
        ("8, 1, 2", "local_size_x = 8, local_size_z = 2"),
        ("1, 4", "local_size_x = 1, local_size_y = 4"),
    ],
)
def test_sizes_of_one_go_without_saying(size: str, told: str) -> None:
    assert has_line(_reading(1, size), f"layout({told}) in;")


def test_a_block_gives_way_to_names_that_are_there() -> None:
    text = glsl(
        "struct Grid a: vec4 end uniform grid: vec4 buffer storage cells: []Grid "
        "buffer storage Sums: []float "
        "@entry(compute) @workgroup_size(1) function main() cells[0].a = grid Sums[0] = 1.0 end"
    )
    assert "uniform GridBlock {" in text
    assert "buffer Cells {" in text
    assert "buffer SumsBuffer {" in text


def test_whole_buffer_is_copied_by_members() -> None:
    text = glsl(
        "struct S a: float b: [2]vec2 end uniform u: S buffer storage s: S\n"
        "@entry(compute) @workgroup_size(1) function main() s = u end"
    )
    assert "s.a = " in text and "s.b = " in text


# ---------------------------------------------------------------- stage interface


def test_varyings_have_one_name_in_both_stages() -> None:
    source = (
        "@varying struct V @builtin(position) position: vec4 uv: vec2 "
        "@interpolation(noperspective) w: float id: uint end\n"
        "@entry(vertex) function vs(uv: vec2, id: uint) -> V\n"
        "  return V { position = vec4(uv, 0.0, 1.0), uv = uv, w = 1.0, id = id }\nend\n"
        "@entry(fragment) @early_depth function fs(v: V, @builtin(front_facing) f: bool) -> "
        "(color: vec4, @builtin(frag_depth) d: float)\n"
        "  let color = vec4(v.uv, v.w, float(v.id))\n"
        "  return { color = select(f, color, color.wzyx), d = 0.5 }\nend\n"
    )
    vertex, shade = glsl(source, "vs"), glsl(source, "fs")
    assert has_line(vertex, "layout(location = 0) in vec2 in_uv;")
    assert has_line(vertex, "layout(location = 0) out vec2 uv;")
    assert has_line(vertex, "layout(location = 1) noperspective out float w;")
    assert has_line(vertex, "layout(location = 2) flat out uint id;")
    assert has_line(shade, "layout(location = 0) in vec2 uv;")
    assert has_line(shade, "layout(location = 1) noperspective in float w;")
    assert has_line(shade, "layout(location = 2) flat in uint id;")
    assert has_line(shade, "layout(location = 0) out vec4 out_color;")
    assert has_line(shade, "layout(early_fragment_tests) in;")
    assert "gl_FragDepth = 0.5;" in shade


def test_early_return_of_an_entry_point_sets_all_outputs() -> None:
    text = glsl(
        "@entry(fragment) function main(uv: vec2) -> (color: vec4, id: int)\n"
        "  if uv.x > 0.5 then return { color = vec4(1.0), id = 1 } end\n"
        "  if uv.y > 0.5 then discard() end\n"
        "  return { color = vec4(uv, 0.0, 1.0), id = 2 }\nend\n"
    )
    assert function_of(text) == (
        "void main() {\n"
        "    if (uv.x > 0.5) {\n"
        "        color = vec4(1.0);\n"
        "        id = 1;\n"
        "        return;\n"
        "    }\n"
        "    if (uv.y > 0.5) {\n"
        "        discard;\n"
        "    }\n"
        "    color = vec4(uv, 0.0, 1.0);\n"
        "    id = 2;\n"
        "}"
    )


# ---------------------------------------------------------------- names and constants


def test_reserved_words_are_renamed_everywhere() -> None:
    text = glsl(
        "struct filter common: float half3: [2]float end\n"
        "uniform input: filter uniform sampler2D_: vec2\n"
        "function partition(active: float) -> float let mix_ = active return mix_ * active end\n"
        "function main_2(gl_x: float, a__b: float) -> float return gl_x - a__b end\n"
        "@entry(fragment) function shade(sample: vec2) -> (output: vec4)\n"
        "  let texture = partition(input.common) + main_2(sample.x, sample.y)\n"
        "  return { output = vec4(texture) }\nend\n",
        "shade",
    )
    assert "} input_1;" in text
    assert "float partition_1(float active_1)" in text
    assert "in vec2 sample_1;" in text
    assert "out vec4 output_1;" in text
    assert "input_1.common_1" in text
    assert "gl_x" not in text and "__" not in text


def test_helper_function_called_main_makes_way_for_the_entry_point() -> None:
    text = glsl(
        "function main(x: float) -> float return x * x + x end\n"
        "@entry(fragment) function shade(x: float) -> (c: vec4) return { c = vec4(main(x)) } end",
        "shade",
    )
    assert "float main_1(float x)" in text
    assert "void main()" in text


def test_specialization_constants() -> None:
    text = fragment(
        "@spec(3) const COUNT: int = -4 @spec(5) const ON: bool = true",
        "vec4(select(ON, float(COUNT), 1.0))",
    )
    assert has_line(text, "layout(constant_id = 3) const int COUNT = -4;")
    assert has_line(text, "layout(constant_id = 5) const bool ON = true;")
    assert "ON ? float(COUNT) : 1.0" in text


def test_constant_array_is_a_constant_of_the_file() -> None:
    text = fragment(
        "const TABLE: [3]float = [3]float { 1.0, 2.0, 4.0 }", "vec4(TABLE[i])", "i: int"
    )
    assert re.search(r"^const float \w+\[3\] = float\[3\]\(1\.0, 2\.0, 4\.0\);$", text, re.M)


def test_no_local_hides_a_constant_array() -> None:
    text = fragment(
        "const T: [3]float = [3]float { 1.0, 2.0, 4.0 }\n"
        "function f(x: float, i: int) -> float let T = T[i] * x T += x return T * T end",
        "vec4(f(2.0, i))",
        "i: int",
    )
    assert has_line(text, "const float T[3] = float[3](1.0, 2.0, 4.0);")
    assert "float T_1 = T[i] * x;" in text


def test_half_needs_its_extensions() -> None:
    text = fragment("uniform k: half", "vec4(float(k * half(2.5)))")
    assert has_line(text, "#extension GL_EXT_shader_16bit_storage : require")
    assert has_line(text, "#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require")
    assert "2.5hf" in text
    assert "#extension" not in glsl(VERTEX)


def test_derivatives_of_halves_are_those_of_floats() -> None:
    text = fragment(
        "",
        "vec4(hvec4(dfdx(h), fwidth(dfdy(v)))) * float(fwidth(h * half(2.0)))",
        "h: half, v: hvec3",
    )
    assert "float16_t(dFdx(float(h)))" in text
    assert "f16vec3(fwidth(vec3(f16vec3(dFdy(vec3(v))))))" in text
    assert "float16_t(fwidth(float(h * 2.0hf)))" in text


def test_signed_remainder_has_the_sign_of_the_dividend() -> None:
    text = fragment(
        "", "vec4(float(i % j), float(u % uint(j)), 0.0, 0.0)", "i: int, j: int, u: uint"
    )
    assert "i - j * (i / j)" in text
    assert "u % uint(j)" in text


def test_derivatives_are_not_moved_into_a_choice() -> None:
    text = fragment("uniform t: sampler2D", "select(uv.x > 0.5, sample(t, uv), vec4(0.0))")
    body = function_of(text).splitlines()
    assert body[1].strip().startswith("vec4 t_texel = texture(t, uv);")
    assert body[2].strip() == "color = uv.x > 0.5 ? t_texel : vec4(0.0);"


def test_conditions_short_circuit_and_read_as_written() -> None:
    text = glsl(
        "buffer storage b: []float\n"
        "@entry(compute) @workgroup_size(1)\n"
        "function main(@builtin(global_invocation_id) id: uvec3)\n"
        "  let i = int(id.x)\n"
        "  if i < array_length(b) and b[i] > 0.0 or not (i > 3 and b[0] == 1.0) then\n"
        "    b[0] = 1.0\n"
        "  end\n"
        "end"
    )
    assert "if ((i < b.length() && b[i] > 0.0) || !(i > 3 && b[0] == 1.0)) {" in text, text


def test_two_entry_points_are_an_error() -> None:
    source = f"{VERTEX}\n{VERTEX.replace('main', 'other')}"
    module, _, _ = pipeline.front(source, pipeline.Options(), "test.luma")
    assert module is not None
    emitted = BACKEND.emit(module, EmitOptions())
    assert [d.code for d in emitted.diagnostics] == ["E0802"]


# ---------------------------------------------------------------- line information


def test_debug_output_names_lines_by_number() -> None:
    text = glsl(
        "uniform k: vec4\n\n@entry(fragment) function main(uv: vec2) -> (color: vec4)\n"
        "  let c = k * 2.0\n  if uv.x > 0.5 then\n    c = c + c\n  end\n"
        "  return { color = c }\nend\n",
        debug=True,
    )
    assert has_line(text, "// 0: test.luma")
    lines = text.splitlines()
    at = lines.index("    vec4 c = k * 2.0;")
    assert lines[at - 1].strip() == "#line 4 0"
    at = lines.index("    if (uv.x > 0.5) {")
    assert lines[at - 1].strip() == "#line 5 0"


@pytest.mark.parametrize("level", ["none", "basic", "aggressive"])
def test_a_variable_that_starts_with_a_constant_has_its_own_line(level: str) -> None:
    source = (
        "buffer storage data: []float\n"
        "function sum(n: int) -> float\n"
        "    let total = 0.0\n"
        "    @unroll(1000) for i = 0, n do\n"
        "        total += data[i]\n"
        "    end\n"
        "    return total\n"
        "end\n"
        "@entry(compute) @workgroup_size(1) function main()\n"
        "    data[0] = 0.0\n"
        "    data[1] = sum(int(data[2]))\n"
        "end\n"
    )
    made = pipeline.compile(source, target="glsl", opt=level, debug=True)
    lines = [line.strip() for line in made.output.decode().splitlines()]
    assert lines[lines.index("float total = 0.0;") - 1] == "#line 3 0"


def test_no_line_information_unless_asked_for() -> None:
    assert "#line" not in glsl(VERTEX)
