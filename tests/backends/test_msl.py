"""What MSL reads like, and what the backend refuses."""

from __future__ import annotations

import re

import pytest
from luma.backends import EmitOptions
from luma.backends.msl import BACKEND, LIMITS, bindings, entry_names

import luma
from luma.codes import CODES
from luma.ir.reach import reached_globals
from tests.backends.msl_support import part, problems_of, text_from, text_of
from tests.harness.cases import read_source
from tests.harness.compile import LEVELS, optimized
from tests.harness.msl.toolchain import compile_texts
from tests.ir.sources import entry, lowered
from tests.run.test_whole_modules import FILES

# ---------------------------------------------------------------- whole files


@pytest.mark.parametrize("level", LEVELS)
def test_files_with_all_their_entry_points_compile(level: str) -> None:
    """One file holds them all."""
    texts = {
        f"file_{number}": text_of(optimized(file, None, level)) for number, file in enumerate(FILES)
    }
    compile_texts(texts)


def test_debug_output_names_the_source() -> None:
    source = entry("let x = float(id.x)\n out[0] = x * 2.0")
    parsed = luma.parse(source, 'a "b".luma')
    module = luma.lower(luma.check(parsed))
    made = BACKEND.emit(module, EmitOptions(debug=True, source=parsed.source))
    assert '#line 5 "a \\"b\\".luma"' in made.output.decode()
    compile_texts({"debug": made.output.decode()})


# ---------------------------------------------------------------- structs and memory


def test_packed_and_padded_members() -> None:
    text = text_from("""
        struct Inner x: float end
        struct Data v: vec3 w: float inner: Inner weights: [3]float m: mat2 end
        uniform data: Data
        buffer storage out: []float
        @entry(compute) @workgroup_size(1)
        function main()
          out[0] = data.v.y + data.w + data.inner.x + data.weights[1] + data.m[1].x + data.m[0][1]
          let v = data.v
          out[1] = v.x
        end""")
    assert part(text, "struct Data") == (
        "struct Data {\n"
        "    packed_float3 v;\n"
        "    float w;\n"
        "    Inner inner;\n"
        "    Padded<float> weights[3];\n"
        "    Padded<float2> m[2];\n"
        "};"
    )
    assert "struct alignas(16) Inner {" in text
    assert "data.v[1] + data.w + data.inner.x + data.weights[1].value" in text
    assert "data.m[1].value.x" in text
    assert "float3(data.v)" in text


def test_one_struct_serves_memory_and_values_where_it_can() -> None:
    text = text_from("""
        struct Pair a: vec4 b: vec4 end
        buffer storage pairs: []Pair
        function swap(p: Pair) -> Pair return Pair { a = p.b, b = p.a } end
        @entry(compute) @workgroup_size(1)
        function main(@builtin(global_invocation_id) id: uvec3)
          pairs[id.x] = swap(pairs[id.x])
        end""")
    assert text.count("struct ") == 1
    assert "Pair swap_result = swap(pairs[id.x]);" in text


def test_a_struct_has_a_form_for_each_layout_that_differs() -> None:
    text = text_from("""
        struct Item v: vec3 s: float flag: bool end
        uniform one: Item
        buffer storage items: []Item
        @entry(compute) @workgroup_size(1)
        function main()
          let item = one
          if item.flag then item.s = 1.0 end
          items[0] = item
        end""")
    assert "struct Item {\n    float3 v;\n    float s;\n    bool flag;\n};" in text
    assert (
        "struct alignas(16) ItemStorage {\n    packed_float3 v;\n    float s;\n    uint flag;\n};"
        in text
    )
    assert "items[0].flag = uint(item.flag);" in text
    assert "one.flag != 0u" in text


def test_arrays_are_values_in_a_wrapper() -> None:
    text = text_from(
        entry(
            """let a = twice([3]float { 1.0, 2.0, float(id.x) })
            out[0] = a[id.y]""",
            """function twice(a: [3]float) -> [3]float
                return [3]float { a[0] * 2.0, a[1] * 2.0, a[2] * 2.0 }
            end""",
        )
    )
    assert "static Array<float, 3> twice(Array<float, 3> a) {" in text
    assert "return Array<float, 3>{{a.items[0] * 2.0, a.items[1] * 2.0, a.items[2] * 2.0}};" in text


def test_local_arrays_are_plain() -> None:
    text = text_from(
        entry(
            """let a = [2][3]float { [3]float { 1.0, 2.0, 3.0 }, [3]float { 4.0, 5.0, 6.0 } }
            a[id.x][id.y] = 7.0
            out[0] = a[id.y][id.x]"""
        )
    )
    assert "float a[2][3] = {{1.0, 2.0, 3.0}, {4.0, 5.0, 6.0}};" in text
    assert "a[id.x][id.y] = 7.0;" in text


def test_structs_with_arrays_go_in_and_out_of_memory() -> None:
    text = text_from("""
        struct Row cells: [2]vec3 count: int end
        buffer storage rows: []Row
        shared kept: Row
        function turned(r: Row) -> Row
          return Row { cells = [2]vec3 { r.cells[1], r.cells[0] }, count = r.count + 1 }
        end
        @entry(compute) @workgroup_size(1)
        function main(@builtin(global_invocation_id) id: uvec3)
          kept = rows[0]
          let r = turned(kept)
          r.cells[id.x & 1] = vec3(1.0)
          rows[1] = r
        end""")
    assert "struct RowStorage {" in text
    assert "kept.cells.items" not in text  # copied as a whole
    assert ".cells.items[id.x & 1u] = float3(1.0);" in text


def test_what_a_store_reads_is_read_before_it_writes() -> None:
    text = text_from("""
        struct Pair a: vec3 b: float c: float end
        buffer storage pairs: []Pair
        @entry(compute) @workgroup_size(1)
        function main(@builtin(global_invocation_id) id: uvec3)
          pairs[0] = Pair { a = pairs[0].a.yzx, b = pairs[0].c, c = pairs[0].b + 1.0 }
          let k = [3]float { 1.0, 2.0, float(id.x) }
          k = [3]float { k[id.x], k[0], 5.0 }
          pairs[1].b = k[id.y]
        end""")
    assert "pairs[0].a = a;" in text.replace("a_1", "a").replace("t;", "a;")
    assert "pairs[0].c = pairs[0].b" not in text
    assert "k[1] = k[0]" not in text


def test_long_arrays_are_copied_by_loops() -> None:
    text = text_from("""
        buffer storage out: [2][40]float
        function turned(a: [2][40]float) -> [2][40]float return [2][40]float { a[1], a[0] } end
        shared kept: [2][40]float
        @entry(compute) @workgroup_size(1)
        function main(@builtin(global_invocation_id) i: uvec3)
          kept[i.x][1] = 2.0
          out = turned(kept)
        end""")
    assert (
        "    for (int i = 0; i < 40; i++) {\n"
        "        out[1][i] = turned_result.items[1].items[i];\n    }" in text
    )


# ---------------------------------------------------------------- names


def test_the_entry_point_main_is_renamed_and_told() -> None:
    module = lowered(entry("out[0] = 1.0"))
    assert "kernel void main0(" in text_of(module)
    assert entry_names(module) == {"main": "main0"}


def test_words_of_metal_are_renamed() -> None:
    text = text_from(
        entry(
            """let level = float(id.x)
            let kernel = level + 1.0
            let float4 = kernel * 2.0
            out[0] = level + kernel + float4""",
        )
    )
    assert "float level_1 = float(id.x);" in text
    assert "float kernel_1 = level_1 + 1.0;" in text


# ---------------------------------------------------------------- bindings

_RESOURCES = """
    @group(1) @binding(5) uniform late: vec4
    @group(0) @binding(7) uniform early: vec4
    @group(0) @binding(9) uniform image: sampler2D
    @group(1) @binding(0) buffer storage out: []vec4
    uniform unused: vec4
    @push_constant uniform pushed: vec4
    function scale(v: vec4) -> vec4 return v * pushed * float(array_length(out)) end
    @entry(compute) @workgroup_size(8)
    function main(@builtin(global_invocation_id) id: uvec3)
      out[id.x] = scale(late + early) + sample_level(image, vec2(0.5), 0.0)
    end"""


def test_indices_are_contiguous_by_class() -> None:
    module = lowered(_RESOURCES)
    table = bindings(module, module.entry_points[0])
    assert table.buffers == {"early": 0, "out": 1, "late": 2, "pushed": 3}
    assert table.textures == {"image_tex": 0} and table.samplers == {"image_samp": 0}
    assert (table.push_constants, table.sizes) == (3, 4)
    text = text_from(_RESOURCES)
    for line in (
        "constant float4& late [[buffer(2)]]",
        "device float4* out [[buffer(1)]]",
        "texture2d<float> image_tex [[texture(0)]]",
        "constant uint* buffer_sizes [[buffer(4)]]",
        "uint out_size = buffer_sizes[1];",
        "static float4 scale(float4 v, device float4* out, constant float4& pushed, uint out_size)",
        "int(out_size / 16u)",
    ):
        assert line in text, line


def test_no_number_changes_for_what_the_optimizer_drops() -> None:
    source = """
        uniform first: vec4
        uniform second: vec4
        buffer storage out: []vec4
        @entry(compute) @workgroup_size(1)
        function main()
          let _dropped = first
          out[0] = second
        end"""
    before = lowered(source)
    after = luma.optimize(before, "basic")
    options = EmitOptions(reached=reached_globals(before))
    text = BACKEND.emit(after, options).output.decode()
    assert "second [[buffer(1)]]" in text and "out [[buffer(2)]]" in text
    assert "first" not in text


def test_globals_reach_helpers_as_parameters() -> None:
    text = text_from("""
        shared tile: [4]float
        buffer storage out: []float
        function put(i: uint, v: float) tile[i] = v end
        function both(i: uint) put(i, 1.0) put(i + 1, 2.0) end
        @entry(compute) @workgroup_size(2)
        function main(@builtin(local_invocation_index) i: uint)
          both(i * 2)
          workgroup_barrier()
          out[i] = tile[3 - i]
        end""")
    assert "static void put(uint i, float v, threadgroup float* tile) {" in text
    assert "    threadgroup float tile[4];" in text
    assert "both(i * 2u, tile);" in text


# ---------------------------------------------------------------- stages

_COMPARING = """
    uniform shadow: sampler2DShadow
    function lit(uv: vec2) -> float return sample_compare(shadow, uv, 0.5) end
    function twice(uv: vec2) -> float return lit(uv) * 2.0 end
    @entry(vertex)
    function place(at: vec2) -> (@builtin(position) p: vec4, light: float)
      return { p = vec4(at, 0.0, 1.0), light = twice(at) }
    end
    @entry(fragment)
    function shade(light: float, @builtin(frag_coord) at: vec4) -> (color: vec4)
      return { color = vec4(light + twice(at.xy)) }
    end"""


def test_a_function_that_compares_is_told_apart_by_stage() -> None:
    text = text_from(_COMPARING)
    assert "shadow_tex.sample_compare(shadow_samp, uv, 0.5)" in part(text, "static float lit(")
    assert "0.5, level(0.0))" in part(text, "static float lit_level_0(")
    assert "lit_level_0(" in part(text, "static float twice_level_0(")
    assert "twice_level_0(" in part(text, "vertex ")
    assert "twice(" in part(text, "fragment ")


def test_stage_interfaces() -> None:
    text = text_from("""
        @entry(vertex)
        function place(@builtin(vertex_id) v: int, at: vec2, n: ivec2)
            -> (@builtin(position) p: vec4, kind: ivec2, @interpolation(noperspective) s: float)
          return { p = vec4(at, float(v), 1.0), kind = n, s = at.x }
        end
        @entry(fragment) @early_depth
        function shade(kind: ivec2, @interpolation(noperspective) s: float)
            -> (@location(2) color: vec4, @builtin(frag_depth) depth: float)
          if s < 0.5 then discard() end
          return { color = vec4(float(kind.x)), depth = s }
        end""")
    for line in (
        "    float2 at [[attribute(0)]];",
        "    int2 kind [[user(locn0)]] [[flat]];",
        "    float s [[user(locn1)]] [[center_no_perspective]];",
        "    float4 color [[color(2)]];",
        "    float depth [[depth(any)]];",
        "[[early_fragment_tests]]\nfragment ShadeOutput shade(ShadeInput in [[stage_in]]) {",
        "    out.p = float4(in.at, float(int(v)), 1.0);",
        "        discard_fragment();\n        return {};",
    ):
        assert line in text, line


@pytest.mark.parametrize(
    ("stage", "outputs", "value", "result"),
    [
        ("fragment", "color: vec4", "vec4(a)", "float4"),
        ("fragment", "color: uint", "uint(a)", "uint"),
        ("fragment", "@location(1) color: vec4", "vec4(a)", "MainOutput"),
        ("fragment", "@builtin(frag_depth) color: float", "a", "MainOutput"),
        ("vertex", "@builtin(position) color: vec4", "vec4(a)", "float4"),
    ],
)
def test_one_output_that_msl_takes_for_granted_is_the_result(
    stage: str, outputs: str, value: str, result: str
) -> None:
    text = text_from(
        f"@entry({stage}) function main(a: float) -> ({outputs}) return {{ color = {value} }} end"
    )
    plain = result != "MainOutput"
    assert re.search(rf"^{stage} {result} \w+\(", text, re.M)
    assert ("Output {" in text) is not plain
    assert ("return {" in text) is not plain


# ---------------------------------------------------------------- operations


def test_specialization_constants_have_their_defaults() -> None:
    text = text_from("@spec(3) const count: int = 4\n" + entry("out[0] = float(count)"))
    assert "constant int count_given [[function_constant(3)]];" in text
    assert (
        "constant int count = is_function_constant_defined(count_given) ? count_given : 4;" in text
    )


def test_operations_that_metal_spells_differently() -> None:
    text = text_from(
        entry(
            """let x = float(id.x)
            let n = int(id.x)
            out[0] = round(x) + inversesqrt(x) + pow(x, 1.5) + mod(x, 3.0) + atan2(x, 2.0)
            out[1] = float(find_msb(id.x) + find_lsb(n) + bit_count(n)) + x % 2.0
            out[2] = float(n << n) + length(mix(vec2(x), vec2(1.0), 0.5))
            let big = n + -2147483648
            out[3] = float(big)
            if isnan(x) then out[4] = 1.0 end"""
        )
    )
    for piece in (
        "rint(x)", "rsqrt(x)", "powr(x, 1.5)", "atan2(x, 2.0)", "31 - int(clz(id.x))",
        "n << (n & 31)",
        "31 - int(clz(n & -n))", "popcount(n)", "mix(float2(x), float2(1.0), float2(0.5))",
        "(-2147483647 - 1)", "(as_type<uint>(x) & 0x7fffffffu) > 0x7f800000u",
    ):  # fmt: skip
        assert piece in text, piece


def test_compare_exchange_tries_again() -> None:
    text = text_from("""
        buffer storage place: int
        shared here: int
        @entry(compute) @workgroup_size(1)
        function main()
          here = atomic_compare_exchange(place, 1, 2)
          atomic_compare_exchange(here, 3, 4)
        end""")
    assert "static int compare_exchange(device atomic_int* place, " in text
    assert "static int compare_exchange_1(threadgroup atomic_int* place, " in text
    assert "here = compare_exchange((device atomic_int*)&place, 1, 2);" in text
    assert "compare_exchange_1((threadgroup atomic_int*)&here, 3, 4);" in text


# ---------------------------------------------------------------- what is refused


def test_too_many_buffers() -> None:
    buffers = "\n".join(f"uniform u{i}: vec4" for i in range(31))
    total = " + ".join(f"u{i}.x" for i in range(31))
    (found,) = problems_of(f"{buffers}\n{entry(f'out[0] = {total}')}")
    assert found.code == "E0721" and "needs 32 buffers" in found.message


def test_too_many_samplers() -> None:
    images = "\n".join(f"uniform s{i}: sampler2D" for i in range(17))
    total = " + ".join(f"sample_level(s{i}, vec2(0.0), 0.0).x" for i in range(17))
    (found,) = problems_of(f"{images}\n{entry(f'out[0] = {total}')}")
    assert found.code == "E0721" and "17 samplers" in found.message


def test_numbers_out_of_range() -> None:
    found = problems_of("""
        @entry(vertex) function v(@location(31) at: vec4) -> (@builtin(position) p: vec4)
          return { p = at }
        end
        @entry(fragment) function f() -> (@location(8) color: vec4)
          return { color = vec4(1.0) }
        end""")
    assert [d.code for d in found] == ["E0722", "E0722"]
    found = problems_of("@spec(65536) const n: float = 1.0\n" + entry("out[0] = n"))
    assert [d.code for d in found] == ["E0722"]


def test_a_vertex_stage_without_a_position() -> None:
    source = "@entry(vertex) function v(at: vec4) -> (c: vec4) return { c = at } end"
    assert [d.code for d in problems_of(source)] == ["E0723"]


def test_the_limits_name_codes_that_exist() -> None:
    words = " ".join(limit.outcome for limit in LIMITS).split()
    codes = [word for word in words if word.startswith("E07")]
    assert codes and all(code in CODES for code in codes)


def test_output_is_the_same_each_time() -> None:
    text, name = read_source("particles.luma")
    assert text_from(text) == text_of(luma.lower(luma.check(luma.parse(text, name))))
