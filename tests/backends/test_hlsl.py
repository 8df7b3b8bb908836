"""What an HLSL file is made of: registers, semantics, buffers, names, constants, lines, limits."""

from __future__ import annotations

import pytest
from luma.backends import EmitOptions
from luma.backends.hlsl import BACKEND

from luma import pipeline
from luma.diagnostics import Level
from tests.backends.hlsl_support import binary_of, print_module


def hlsl(source: str, entry: str = "main", *, debug: bool = False) -> str:
    """The HLSL of a Luma source, unoptimized, checked by DXC."""
    module, text, diagnostics = pipeline.front(source, pipeline.Options(), "test.luma")
    assert module is not None, [d.render() for d in diagnostics]
    return print_module(module, entry, debug=debug, source=text)


def fragment(declarations: str, color: str, arguments: str = "uv: vec2") -> str:
    """The HLSL of a fragment shader that returns one colour."""
    return hlsl(
        f"{declarations}\n@entry(fragment) function main({arguments}) -> (color: vec4)\n"
        f"  return {{ color = {color} }}\nend\n"
    )


def compute(declarations: str, *statements: str) -> str:
    """The HLSL of a compute shader."""
    lines = "\n".join(f"  {statement}" for statement in statements)
    head = "function main(@builtin(global_invocation_id) id: uvec3)\n  let i = int(id.x)\n"
    return hlsl(f"{declarations}\n@entry(compute) @workgroup_size(4) {head}{lines}\nend\n")


def has(text: str, *lines: str) -> bool:
    """Whether the lines are in the text, one behind the other."""
    return "\n".join(lines) in text


# ---------------------------------------------------------------- resources


def test_registers_are_luma_s_bindings() -> None:
    text = fragment(
        "uniform k: float\n@group(2) @binding(5) uniform t: sampler2D\nbuffer readonly b: []vec4",
        "sample(t, uv) * k + b[0]",
    )
    assert has(text, "cbuffer KBlock : register(b0) {", "    float k;", "};")
    assert has(text, "Texture2D t_tex : register(t5, space2);")
    assert has(text, "SamplerState t_samp : register(s6, space2);")
    assert has(text, "StructuredBuffer<float4> b : register(t1);")
    assert "t_tex.Sample(t_samp, uv) * k + b[0]" in text


def test_a_struct_that_needs_no_padding_is_that_of_its_values() -> None:
    text = fragment(
        "struct L a: vec3 b: float end struct S n: int ls: [2]L end uniform s: S\n"
        "function f(l: L) -> vec4 return vec4(l.a, l.b) end",
        "f(s.ls[1])",
    )
    assert has(text, "struct L {", "    float3 a;", "    float b;", "};")
    assert has(text, "struct S {", "    int n;", "    L ls[2];", "};")
    assert "return f(s.ls[1]);" in text


def test_padding_keeps_members_where_they_are() -> None:
    text = fragment("struct S a: float b: vec2 c: [2]float d: float end uniform s: S", "vec4(s.d)")
    assert has(
        text,
        "    float a;",
        "    float pad_0;",
        "    float2 b;",
        "    float4 c[2];",
        "    float d;",
    )


def test_matrices_are_transposed() -> None:
    text = fragment("uniform m: mat3x2", "vec4(m * uv.xyx, (uv * m).xy) + m[1].xyxy")
    assert has(text, "    row_major float3x2 m;")
    assert "float4(mul(uv.xyx, m), mul(m, uv).xy) + m[1].xyxy" in text


def test_elements_that_need_padding_are_wrapped() -> None:
    text = compute("buffer storage b: []vec3", "b[i] += vec3(1.0)")
    assert has(text, "struct BElement {", "    float3 value;", "    float pad_0;", "};")
    assert has(text, "RWStructuredBuffer<BElement> b : register(u0);")
    assert "b[i].value += 1.0;" in text


def test_other_buffers_are_bytes() -> None:
    text = compute(
        "struct Tail n: uint rows: []vec4 end buffer storage b: Tail",
        "b.rows[i + 1].y = float(b.n)",
    )
    assert "RWByteAddressBuffer b : register(u0);" in text
    assert "b.Store<float>(i * 16 + 36, float(b.Load(0)));" in text


def test_bools_are_uints_in_memory() -> None:
    text = compute("buffer storage b: []bool", "b[i] = not b[i + 1]")
    assert "RWStructuredBuffer<uint> b" in text
    assert "b[i] = (uint)(!(b[i + 1] != 0));" in text


def test_push_constants_have_a_space_of_their_own() -> None:
    source = "struct P a: vec4 end @push_constant uniform p: P\n@group(1) uniform k: vec4"
    text = fragment(source, "p.a + k")
    assert has(text, "#ifdef __spirv__", "[[vk::push_constant]]", "#endif")
    assert "ConstantBuffer<P> p : register(b0, space2);" in text


def test_push_constants_that_direct3d_cannot_lay_out_are_words() -> None:
    text = fragment(
        "struct P a: [3]float b: mat2 end @push_constant uniform p: P", "vec4(p.a[1], p.b[1], 0.0)"
    )
    assert has(text, "struct PWords {", "    uint4 words[2];", "};")
    assert "asfloat(p.words[0].y)" in text
    assert "asfloat(p.words[1].zw)" in text


# ---------------------------------------------------------------- stages


def test_outputs_come_in_the_order_of_locations_with_the_position_last() -> None:
    text = hlsl(
        "@entry(vertex) function main(p: vec4, @builtin(vertex_id) v: int)\n"
        "  -> (@builtin(position) at: vec4, @location(1) b: vec2, @location(0) a: int)\n"
        "  return { at = p, a = v, b = p.xy }\nend"
    )
    assert has(
        text,
        "struct VertexOutput {",
        "    nointerpolation int a : TEXCOORD0;",
        "    float2 b : TEXCOORD1;",
        "    float4 at : SV_Position;",
        "};",
    )
    assert "VertexOutput main(float4 p : TEXCOORD0, uint v : SV_VertexID) {" in text


def test_frag_coord_has_luma_s_w() -> None:
    text = fragment("", "at", "@builtin(frag_coord) at: vec4")
    assert "float4 main(float4 at : SV_Position) : SV_Target0 {" in text
    assert "return float4(at.xyz, 1.0 / at.w);" in text
    text = fragment("", "vec4(at.xy, 0.0, 1.0)", "@builtin(frag_coord) at: vec4")
    assert "return float4(at.xy, 0.0, 1.0);" in text


def test_unused_builtin_inputs_are_left_out() -> None:
    text = fragment("", "vec4(uv, 0.0, 1.0)", "uv: vec2, @builtin(front_facing) f: bool")
    assert "float4 main(float2 uv : TEXCOORD0) : SV_Target0 {" in text


def test_early_depth() -> None:
    text = hlsl(
        "@entry(fragment) @early_depth function main() -> (c: vec4) return {c = vec4(1.0)} end"
    )
    assert has(
        text, "[earlydepthstencil]", "float4 main() : SV_Target0 {", "    return (float4)1.0;"
    )


# ---------------------------------------------------------------- names, constants, literals


def test_names_of_hlsl_are_escaped_where_they_clash() -> None:
    text = fragment(
        "function lit(x: float) -> float return x end\n"
        "function lerp(clip: float) -> float return clip end",
        "vec4(lit(uv.x) + lerp(uv.y))",
    )
    assert "float lit_1(float x)" in text
    assert "(float clip) {" in text
    assert "float lerp(" not in text


def test_specialization_constants_are_defaults_in_dxil() -> None:
    text = fragment("@spec(3) const N: int = 4", "vec4(float(N))")
    assert has(
        text,
        "#ifdef __spirv__",
        "[[vk::constant_id(3)]] const int N = 4;",
        "#else",
        "static const int N = 4;",
        "#endif",
    )


def test_constant_arrays_are_outside_functions() -> None:
    text = compute(
        "const SQUARES: [4]float = [4]float { 0.0, 1.0, 4.0, 9.0 }\nbuffer storage b: []float",
        "b[i] = SQUARES[i % 4]",
    )
    assert "static const float SQUARES[4] = { 0.0, 1.0, 4.0, 9.0 };" in text


def test_numbers_to_be_shifted_have_a_type() -> None:
    text = compute("buffer storage b: []int", "b[i] = (1 << i) + (i << 40)")
    assert "b[i] = ((int)1 << i) + (i << 8);" in text


# ---------------------------------------------------------------- expressions and statements


def test_vector_choices_are_made_by_component() -> None:
    text = fragment("", "vec4(select(less_than(uv, vec2(0.5)), uv, uv.yx), 0.0, 1.0)")
    assert has(
        text,
        "    bool2 uv_below_half = uv < 0.5;",
        "    return float4(uv_below_half.x ? uv.x : uv.y, uv_below_half.y ? uv.y : uv.x, 0.0, 1.0);",  # noqa: E501
    )


def test_atomics_give_the_old_value_by_a_variable() -> None:
    text = compute(
        "buffer storage b: []int\nshared s: uint",
        "let old = atomic_add(b[i], 2)",
        "atomic_max(s, id.x)",
        "workgroup_barrier()",
        "b[0] = old",
    )
    assert has(text, "    int old;", "    InterlockedAdd(b[i], 2, old);")
    assert "InterlockedMax(s, id.x);" in text
    assert "GroupMemoryBarrierWithGroupSync();" in text


def test_effects_on_the_right_of_and_stay_in_a_branch() -> None:
    text = compute(
        "buffer storage b: []int\nfunction touch(i: int) -> bool\n  b[i] = 1\n  return i > 2\nend",
        "if i > 1 and touch(i) then b[i] = 3 end",
    )
    assert "&&" not in text


def test_texture_functions() -> None:
    text = fragment(
        "uniform t: sampler2DArray\nuniform d: sampler2DShadow",
        "texel_fetch(t, ivec3(1, 2, 3), 0)\n"
        " + vec4(vec3(texture_size(t, 1)), sample_compare(d, uv, 0.5))",
    )
    assert "t_tex.Load(int4(int3(1, 2, 3), 0))" in text
    assert "int3 texture_size(Texture2DArray image, int level) {" in text
    assert "d_tex.SampleCmp(d_samp, uv, 0.5)" in text
    assert "Texture2D<float> d_tex" in text


def test_inverse_is_a_function_of_the_file() -> None:
    text = fragment("uniform m: mat2", "vec4(inverse(m) * uv, 0.0, 1.0)")
    assert "float2x2 inverse_mat2(float2x2 m_1) {" in text
    assert "mul(uv, inverse_mat2(m))" in text


def test_line_directives_name_the_file() -> None:
    text = hlsl(
        "@entry(fragment) function main(uv: vec2) -> (c: vec4)\n  let x = uv.x * 3.0\n"
        "  return { c = vec4(x, x, x, 1.0) }\nend",
        debug=True,
    )
    assert has(text, '#line 2 "test.luma"', "    float x = uv.x * 3.0;")


# ---------------------------------------------------------------- limits


def test_num_workgroups_is_refused() -> None:
    found = pipeline.compile(
        "buffer storage b: []uint @entry(compute) @workgroup_size(1)\n"
        "function main(@builtin(num_workgroups) n: uvec3) b[0] = n.x end",
        pipeline.Options(target="hlsl"),
    )
    assert [d.code for d in found.diagnostics] == ["E0711"]
    assert found.output == b""


def test_point_size_is_for_spirv_only() -> None:
    source = (
        "@entry(vertex) function main(p: vec4) -> (@builtin(position) at: vec4,\n"
        "  @builtin(point_size) size: float) return { at = p, size = 2.0 } end"
    )
    module, _, _ = pipeline.front(source, pipeline.Options(), "test.luma")
    assert module is not None
    emitted = BACKEND.emit(module, EmitOptions())
    assert [(d.code, d.level) for d in emitted.diagnostics] == [("W0991", Level.WARNING)]
    text = emitted.output.decode()
    assert has(text, '    [[vk::builtin("PointSize")]]', "#endif", "    float size : PSIZE;")
    binary_of(text, "vertex")


@pytest.mark.parametrize("number", ["1.0", "-0.0", "3.4028234e38", "1e-40", "16777216.0"])
def test_floats_read_back(number: str) -> None:
    assert "main" in fragment("", f"vec4({number})")
