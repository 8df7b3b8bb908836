"""Attributes, entry points and their interfaces, bindings."""

from __future__ import annotations

import pytest

from luma.frontend import typed
from luma.language.types import Space
from tests.frontend.checking import codes, module, run

FRAGMENT = "@entry(fragment) function f({}) -> (color: vec4) return {{ color = vec4(1) }} end"
VERTEX = (
    "@entry(vertex) function f({}) -> (@builtin(position) p: vec4) return {{ p = vec4(1) }} end"
)
COMPUTE = "@entry(compute) @workgroup_size({}) function f() end"
WORK = "@entry(compute) @workgroup_size(1) function f({}) end"
OUTPUT = "@entry(vertex) function f() -> (@builtin(position) p: vec4, {}) return {{ p = vec4(1), a = {} }} end"


def fragment(body: str) -> str:
    return f"@entry(fragment) function f(uv: vec2) -> (color: vec4) {body} return {{ color = vec4(uv, 0, 1) }} end"


# fmt: off
SOURCES = [
    # attributes
    (fragment(""), []),
    ("@entry(fragment) @early_depth function f() end", []),
    ("@entri(fragment) function f() end", ["E0401"]),
    ("@entri(fragment) function f(@builtin(frag_coord) p: vec4) -> (c: vec4) return { c = p } end", ["E0401"]),
    ("@entry function f() end", ["E0403"]),
    ("@entry(fragment, vertex) function f() end", ["E0403"]),
    ("@entry(1) function f() end", ["E0403"]),
    ("@entry(pixel) function f() end", ["E0405"]),
    ("@entry(fragmnt) function f() end", ["E0405"]),
    ("@entry(geometry) function f() end", ["E0406"]),
    ("@entry(tessellation_control) function f() end", ["E0406"]),
    ("@entry(tessellation_eval) function f() end", ["E0406"]),
    ("@entry(fragment) @entry(vertex) function f() end", ["E0404"]),
    ("@group(0) function f() end", ["E0402"]),
    ("@entry(vertex) struct S a: float end", ["E0402"]),
    ("@varying function f() end", ["E0402"]),
    ("@location(0) const A: int = 1", ["E0402"]),
    ("struct S @group(1) a: float end", ["E0402"]),
    ("@early_depth() @entry(fragment) function f() end", []),
    ("@early_depth(1) @entry(fragment) function f() end", ["E0403"]),
    ("@entry(vertex) @early_depth function f() end", ["E0428"]),
    ("@early_depth function f() end", ["E0428"]),
    ("@workgroup_size(1) function f() end", ["E0428"]),
    ("function f(@location(0) a: vec4) end", ["E0402"]),
    ("function f(@builtin(vertex_id) a: int) end", ["E0402"]),
    ("const L: int = 3 " + FRAGMENT.format("@location(L) a: vec4"), []),
    (FRAGMENT.format("@location(-1) a: vec4"), ["E0403"]),
    (FRAGMENT.format("@location(1.5) a: vec4"), ["E0309"]),
    (FRAGMENT.format("@location(true) a: vec4"), ["E0403"]),
    (FRAGMENT.format("@location(flat) a: vec4"), ["E0301"]),
    (FRAGMENT.format("@location() a: vec4"), ["E0403"]),
    # facts
    ("struct S @unit a: vec3 @rigid b: mat3 @rigid c: mat4 @affine d: mat4 end", []),
    ("struct S @range(-1.0, 2.0 * 3.0) a: vec2 @range(0, 7) b: int @nonnegative c: float end", []),
    ("struct S @nonnegative @range(-1.0, 1.0) a: float end", []),
    ("struct S @unit a: float end", ["E0430"]),
    ("struct S @unit a: ivec3 end", ["E0430"]),
    ("struct S @rigid a: mat4x3 end", ["E0430"]),
    ("struct S @affine a: mat3 end", ["E0430"]),
    ("struct S @range(0.0, 1.0) a: bool end", ["E0430"]),
    ("struct S @nonnegative a: mat2 end", ["E0430"]),
    ("struct S @range(1.0, 0.0) a: float end", ["E0431"]),
    ("struct S @nonnegative @range(-2.0, -1.0) a: float end", ["E0431"]),
    ("struct S @range(1.0) a: float end", ["E0403"]),
    ("struct S @unit(1.0) a: vec3 end", ["E0403"]),
    ("struct S @unit @unit a: vec3 end", ["E0404"]),
    ("@unit struct S a: vec3 end", ["E0402"]),
    ("@unit uniform a: vec3 @push_constant @range(0, 3) uniform b: ivec2", []),
    ("@nonnegative buffer readonly a: []vec4 @rigid uniform b: [4]mat4", []),
    ("@unit @group(2) @binding(3) uniform a: vec3", []),
    ("struct S @unit a: [2][3]vec3 end", []),
    ("struct S a: vec3 end @unit uniform a: S", ["E0430"]),
    ("@unit uniform a: sampler2D", ["E0430"]),
    ("@unit uniform a: [2]float", ["E0430"]),
    ("@range(2, 1) uniform a: int", ["E0431"]),
    ("@unit @unit uniform a: vec3", ["E0404"]),
    ("@unit buffer a: []vec3", ["E0402"]),
    ("@unit buffer storage a: vec3", ["E0402"]),
    ("@unit buffer writeonly a: vec3", ["E0402"]),
    ("@range(0, 1) shared a: int", ["E0402"]),
    ("@push_constant @unit shared a: vec3", ["E0422", "E0402"]),
    ("@unit const A: vec3 = vec3(1.0)", ["E0402"]),
    ("@unit function f() -> vec3 return vec3(1) end", ["E0402"]),
    ("function f() @unit let a = vec3(1) end", ["E0209"]),
    ("function f() @range(0, 1) for i = 0, 4 do end end", ["E0402"]),
    ("function f(@unit a: vec3, @range(0, 1) b: [2]int, @rigid c: mat3) end", []),
    ("function f(@unit a: float) end", ["E0430"]),
    ("function f(@unit a: sampler2D) end", ["E0430"]),
    ("struct S a: vec3 end function f(@unit a: S) end", ["E0430"]),
    ("function f(@range(1, 0) a: int) end", ["E0431"]),
    ("function f(@unt a: vec3) end", ["E0401"]),
    (FRAGMENT.format("@range(0, 1) a: vec2, @location(3) @nonnegative b: [2]float"), []),
    (FRAGMENT.format("@builtin(frag_coord) @nonnegative a: vec4"), []),
    (FRAGMENT.format("@unit a: float"), ["E0430"]),
    (FRAGMENT.format("@range(1, 0) a: float"), ["E0431"]),
    ("struct S a: vec3 end " + FRAGMENT.format("@unit a: S"), ["E0430"]),
    (OUTPUT.format("@unit a: vec3", "vec3(1)"), ["E0402"]),
    # types that cross
    (FRAGMENT.format("a: vec4, b: float, c: ivec2, d: mat3, e: [3]vec2, g: uint, h: half"), []),
    (FRAGMENT.format("a: bool"), ["E0410"]),
    (FRAGMENT.format("a: bvec2"), ["E0410"]),
    (FRAGMENT.format("a: [2]bool"), ["E0410"]),
    (FRAGMENT.format("a: sampler2D"), ["E0410"]),
    (FRAGMENT.format("a: []float"), ["E0326"]),
    ("struct I a: vec2 end struct S i: I end " + FRAGMENT.format("s: S"), ["E0410"]),
    ("struct I a: vec2 end struct S i: [2]I end " + FRAGMENT.format("s: S"), ["E0410"]),
    ("struct S a: bool end " + FRAGMENT.format("s: S"), ["E0410"]),
    ("@entry(fragment) function f() -> (a: bool) return { a = true } end", ["E0410"]),
    ("@entry(fragment) function f() -> vec4 return vec4(1) end", ["E0418"]),
    ("@entry(fragment) function f() -> (a: vec4, a: vec4) return { a = vec4(1) } end", ["E0304"]),
    ("@entry(fragment) function f() -> (a: vec4) return { b = vec4(1) } end", ["E0314"]),
    ("@entry(fragment) function f() -> (a: vec4) return vec4(1) end", ["E0306"]),
    ("@entry(fragment) function f() -> (a: vec4, b: float) return { b = 1, a = vec4(1) } end", []),
    ("struct O c: vec4 end @entry(fragment) function f() -> O return { c = vec4(1) } end", []),
    ("struct O c: vec4 end @entry(fragment) function f() -> O return O { c = vec4(1) } end", []),
    # locations
    (FRAGMENT.format("@location(3) a: vec4, b: vec4, @location(0) c: vec4, d: vec4"), []),
    (FRAGMENT.format("@location(1) a: vec4, @location(1) b: vec4"), ["E0411"]),
    (FRAGMENT.format("a: mat4, @location(3) b: vec4"), ["E0411"]),
    (FRAGMENT.format("a: [3]vec2, @location(2) b: vec4"), ["E0411"]),
    (FRAGMENT.format("a: vec2, @location(0) b: mat2"), ["E0411"]),
    (FRAGMENT.format("@location(200) a: vec4"), ["E0427"]),
    (FRAGMENT.format("a: [1000000000]vec4"), ["E0427"]),
    (FRAGMENT.format("@location(2147483647) a: vec4"), ["E0427"]),
    ("struct A x: vec4 end struct B y: vec4 end " + FRAGMENT.format("a: A, b: B"), []),
    ("struct A @location(0) x: vec4 end struct B @location(0) y: vec4 end " + FRAGMENT.format("a: A, b: B"), ["E0411"]),
    ("struct A x: vec4 end " + FRAGMENT.format("@location(0) a: A"), ["E0402"]),
    ("@entry(fragment) function f() -> (@location(0) a: vec4, @location(0) b: vec4) "
     "return { a = vec4(1), b = vec4(1) } end", ["E0411"]),
    # builtin values
    (FRAGMENT.format("@builtin(frag_coord) a: vec4, @builtin(front_facing) b: bool, "
                     "@builtin(sample_id) c: int, @builtin(primitive_id) d: int, uv: vec2"), []),
    (VERTEX.format("@builtin(vertex_id) a: int, @builtin(instance_id) b: int, at: vec3"), []),
    (VERTEX.format("@builtin(vertex_index) a: int, @builtin(instance_index) b: int"), []),
    (FRAGMENT.format("@builtin(sample_index) a: int"), []),
    (WORK.format("@builtin(global_invocation_id) a: uvec3, @builtin(local_invocation_id) b: uvec3, "
                 "@builtin(workgroup_id) c: uvec3, @builtin(num_workgroups) d: uvec3, "
                 "@builtin(local_invocation_index) e: uint"), []),
    ("struct I @builtin(global_invocation_id) a: uvec3 end " + WORK.format("i: I"), []),
    ("@entry(fragment) function f() -> (@builtin(frag_depth) d: float, c: vec4) "
     "return { d = 0.5, c = vec4(1) } end", []),
    ("@entry(vertex) function f() -> (@builtin(position) p: vec4, @builtin(point_size) s: float) "
     "return { p = vec4(1), s = 2 } end", []),
    (FRAGMENT.format("@builtin(fragcoord) a: vec4"), ["E0407"]),
    (FRAGMENT.format("@builtin(nonsense) a: vec4"), ["E0407"]),
    (FRAGMENT.format("@builtin(position) a: vec4"), ["E0408"]),
    (FRAGMENT.format("@builtin(vertex_id) a: int"), ["E0408"]),
    (VERTEX.format("@builtin(frag_coord) a: vec4"), ["E0408"]),
    (WORK.format("@builtin(vertex_id) a: int"), ["E0408"]),
    ("@entry(vertex) function f() -> (@builtin(frag_depth) d: float) return { d = 1 } end", ["E0408"]),
    ("@entry(fragment) function f() -> (@builtin(frag_coord) d: vec4) return { d = vec4(1) } end", ["E0408"]),
    (VERTEX.format("@builtin(vertex_id) a: uint"), ["E0409"]),
    (FRAGMENT.format("@builtin(frag_coord) a: vec2"), ["E0409"]),
    (WORK.format("@builtin(global_invocation_id) a: ivec3"), ["E0409"]),
    (VERTEX.format("@builtin(vertex_id) a: int, @builtin(vertex_index) b: int"), ["E0429"]),
    (VERTEX.format("@builtin(vertex_id) @location(1) a: int"), ["E0412"]),
    (VERTEX.format("@builtin(vertex_id) @interpolation(flat) a: int"), ["E0413"]),
    # interpolation
    (FRAGMENT.format("@interpolation(flat) a: vec4, @interpolation(noperspective) b: vec4, "
                     "@interpolation(smooth) c: mat2, @interpolation(flat) d: int"), []),
    (OUTPUT.format("@interpolation(noperspective) a: float", "1"), []),
    (OUTPUT.format("a: uint", "2"), []),
    (FRAGMENT.format("@interpolation(cubic) a: vec4"), ["E0413"]),
    (FRAGMENT.format("@interpolation(smooth) a: ivec2"), ["E0413"]),
    (OUTPUT.format("@interpolation(smooth) a: [2]int", "[2]int { 1, 2 }"), ["E0413"]),
    (VERTEX.format("@interpolation(flat) a: vec4"), ["E0413"]),
    ("@entry(fragment) function f() -> (@interpolation(flat) a: vec4) return { a = vec4(1) } end", ["E0413"]),
    # @varying
    ("@varying struct V @builtin(position) p: vec4 uv: vec2 end "
     "@entry(vertex) function v() -> V return { p = vec4(1), uv = vec2(1) } end "
     "@entry(fragment) function f(i: V) -> (c: vec4) return { c = vec4(i.uv, 0, 1) } end", []),
    ("@varying struct V @builtin(position) p: vec4 uv: vec2 end "
     "@entry(fragment) function f(i: V) -> (c: vec4) return { c = i.p } end", ["E0417"]),
    ("@varying struct V @builtin(position) p: vec4 uv: vec2 end function g(v: V) -> vec4 return v.p end "
     "@entry(fragment) function f(i: V) -> (c: vec4) return { c = g(i) } end", []),
    ("struct V @builtin(position) p: vec4 uv: vec2 end "
     "@entry(fragment) function f(i: V) -> (c: vec4) return { c = i.p } end", ["E0408"]),
    ("@varying struct V @builtin(position) p: vec4 end "
     "@entry(fragment) function f(i: V, @builtin(frag_coord) at: vec4) -> (c: vec4) return { c = at } end", []),
    # workgroups
    (COMPUTE.format("64"), []),
    (COMPUTE.format("8, 8"), []),
    (COMPUTE.format("4, 4, 64"), []),
    ("const N: int = 32 " + COMPUTE.format("N, N / 4"), []),
    ("@entry(compute) function f() end", ["E0414"]),
    ("@entry(vertex) @workgroup_size(1) function f() end", ["E0414"]),
    (COMPUTE.format(""), ["E0403"]),
    (COMPUTE.format("1, 1, 1, 1"), ["E0403"]),
    (COMPUTE.format("0"), ["E0415"]),
    (COMPUTE.format("-1"), ["E0403"]),
    (COMPUTE.format("1025"), ["E0415"]),
    (COMPUTE.format("1, 1, 65"), ["E0415"]),
    (COMPUTE.format("64, 32"), ["E0415"]),
    (COMPUTE.format("x"), ["E0301"]),
    (COMPUTE.format("1.5"), ["E0309"]),
    ("@spec(0) const N: int = 32 " + COMPUTE.format("N"), ["E0505"]),
    (WORK.format("a: uint"), ["E0416"]),
    ("@entry(compute) @workgroup_size(1) function f() -> (a: float) return { a = 1 } end", ["E0416"]),
    # what a stage does not have
    ("uniform t: sampler2D " + fragment("let _a = sample(t, uv) + sample_bias(t, uv, 1) let _b = dfdx(uv) + fwidth(uv) discard()"), []),
    ("uniform t: sampler2D @entry(vertex) function f(uv: vec2) -> (@builtin(position) p: vec4) "
     "return { p = sample(t, uv) } end", ["E0424"]),
    ("uniform t: sampler2D @entry(vertex) function f(uv: vec2) -> (@builtin(position) p: vec4) "
     "return { p = sample_level(t, uv, 0) } end", []),
    ("uniform t: sampler2DShadow @entry(vertex) function f(uv: vec2) -> (@builtin(position) p: vec4) "
     "return { p = vec4(sample_compare(t, uv, 0)) } end", []),
    ("function g() h() end function h() discard() end @entry(compute) @workgroup_size(1) function f() g() end", ["E0424"]),
    ("function g() -> float return dfdx(1.5) end @entry(compute) @workgroup_size(1) function f() let _a = g() end", ["E0424"]),
    ("@entry(compute) @workgroup_size(1) function f() workgroup_barrier() storage_barrier() end", []),
    (fragment("workgroup_barrier()"), ["E0424"]),
    ("function g() storage_barrier() end " + fragment("g()"), ["E0424"]),
    ("shared s: [4]float @entry(compute) @workgroup_size(1) function f() s[0] = 1 s[1] = s[0] end", []),
    ("shared s: [4]float " + fragment("s[0] = 1"), ["E0425"]),
    ("shared s: float function g() -> float return s end " + fragment("let _a = g()"), ["E0425"]),
    ("shared s: uint @entry(compute) @workgroup_size(1) function f() atomic_add(s, 1) end", []),
    ("buffer b: [4]uint @entry(fragment) function f() atomic_add(b[0], 1) b[1] = 2 end", []),
    # bindings
    ("struct S a: float end uniform a: S uniform b: vec4 uniform c: mat4 uniform d: [4]vec4 uniform e: bool", []),
    ("buffer a: []float buffer storage b: [4]vec3 buffer readonly c: mat3 buffer writeonly d: []uint", []),
    ("uniform t: sampler2DShadow uniform u: textureDepthCube uniform v: samplerShadow", []),
    ("shared a: [4]mat4 shared b: float", []),
    ("uniform a: []float", ["E0326"]),
    ("shared a: []float", ["E0326"]),
    ("buffer a: texture2D", ["E0421"]),
    ("shared a: sampler", ["E0421"]),
    ("@push_constant uniform a: sampler2D", ["E0421"]),
    ("uniform a: [2]texture2D", ["E0325"]),
    ("uniform a: missing", ["E0302"]),
    ("shared a: [4]float = 1", ["E0423"]),
    ("uniform a: float = 1", ["E0423"]),
    ("buffer a: float = 1", ["E0423"]),
    ("@group(1) shared a: float", ["E0402"]),
    ("@binding(1) shared a: float", ["E0402"]),
    ("struct P a: vec4 end @push_constant uniform p: P", []),
    ("@push_constant uniform a: vec4 @push_constant uniform b: vec4", ["E0422"]),
    ("@push_constant buffer a: vec4", ["E0422"]),
    ("@push_constant shared a: vec4", ["E0422"]),
    ("@push_constant @group(1) uniform a: vec4", ["E0402"]),
    ("@push_constant @binding(1) uniform a: vec4", ["E0402"]),
    ("@binding(0) uniform a: float @binding(0) uniform b: float", ["E0420"]),
    ("@binding(0) uniform a: float @binding(0) buffer b: float", ["E0420"]),
    ("@binding(0) uniform a: sampler2D @binding(1) uniform b: float", ["E0420"]),
    ("@binding(1) uniform a: float @binding(0) uniform b: sampler2D", ["E0420"]),
    ("uniform a: float @binding(0) uniform b: float", ["E0420"]),
    ("@group(1) @binding(0) uniform a: float @binding(0) uniform b: float", []),
    ("@binding(1) uniform a: float @binding(0) uniform b: float", []),
]
# fmt: on


@pytest.mark.parametrize(("source", "expected"), SOURCES)
def test_source(source: str, expected: list[str]) -> None:
    assert codes(source) == expected


# ---------------------------------------------------------------- the numbers


def _slots(source: str) -> list[tuple[str, int | None, int | None]]:
    return [(b.name, b.group, b.binding) for b in module(source).bindings]


def test_bindings_count_on_from_the_highest_seen() -> None:
    source = "uniform a: float uniform b: float @binding(10) uniform c: float uniform d: float"
    assert _slots(source) == [("a", 0, 0), ("b", 0, 1), ("c", 0, 10), ("d", 0, 11)]


def test_a_lower_explicit_binding_does_not_move_the_counter_back() -> None:
    source = "@binding(10) uniform a: float @binding(3) uniform b: float uniform c: float"
    assert _slots(source) == [("a", 0, 10), ("b", 0, 3), ("c", 0, 11)]


def test_an_explicit_zero_is_not_an_absent_binding() -> None:
    source = "@group(0) @binding(0) uniform a: float uniform b: float"
    assert _slots(source) == [("a", 0, 0), ("b", 0, 1)]


def test_the_group_is_never_carried_over() -> None:
    source = "@group(0) uniform a: float @group(1) uniform b: float uniform c: float"
    assert _slots(source) == [("a", 0, 0), ("b", 1, 0), ("c", 0, 1)]


def test_a_combined_sampler_takes_two_slots() -> None:
    source = (
        "uniform a: sampler2D uniform b: float @binding(7) uniform c: sampler2D buffer d: float"
    )
    assert _slots(source) == [("a", 0, 0), ("b", 0, 2), ("c", 0, 7), ("d", 0, 9)]


def test_shared_memory_and_push_constants_have_no_slots() -> None:
    found = module("shared s: float @push_constant uniform p: vec4 uniform u: float").bindings
    assert [(b.name, b.binding, b.space) for b in found] == [
        ("s", None, Space.WORKGROUP),
        ("p", None, Space.PUSH_CONSTANT),
        ("u", 0, Space.UNIFORM),
    ]


def test_access_of_bindings() -> None:
    found = module(
        "uniform u: float buffer a: float buffer storage b: float buffer readonly c: float "
        "buffer writeonly d: float shared s: float uniform t: sampler"
    ).bindings
    read, write, both = typed.Access
    assert [b.access for b in found] == [read, both, both, read, write, both, read]
    assert found[-1].space is Space.HANDLE


def _io(variables: tuple[typed.IOVariable, ...]) -> list[tuple[str, int | str | None, object]]:
    return [(v.name, v.builtin or v.location, v.path) for v in variables]


def _entry(source: str, name: str = "f") -> typed.EntryPoint:
    return next(e for e in module(source).entry_points if e.name == name)


def test_locations_are_counted_and_builtins_skipped() -> None:
    entry = _entry(
        VERTEX.format(
            "a: vec3, @builtin(vertex_id) i: int, b: vec2, @location(7) c: float, d: vec4"
        )
    )
    assert _io(entry.inputs) == [
        ("a", 0, (0,)),
        ("i", "vertex_id", (1,)),
        ("b", 1, (2,)),
        ("c", 7, (3,)),
        ("d", 8, (4,)),
    ]
    assert _io(entry.outputs) == [("p", "position", (0,))]


def test_matrices_and_arrays_are_flattened() -> None:
    entry = _entry(FRAGMENT.format("m: mat2x3, a: [2]vec2, n: [2]mat2, b: float"))
    assert _io(entry.inputs) == [
        ("m[0]", 0, (0, 0)),
        ("m[1]", 1, (0, 1)),
        ("a[0]", 2, (1, 0)),
        ("a[1]", 3, (1, 1)),
        ("n[0][0]", 4, (2, 0, 0)),
        ("n[0][1]", 5, (2, 0, 1)),
        ("n[1][0]", 6, (2, 1, 0)),
        ("n[1][1]", 7, (2, 1, 1)),
        ("b", 8, (3,)),
    ]


@pytest.mark.parametrize(
    ("fields", "help"),
    [
        ("a: vec4, @location(0) b: vec4", "leave `@location` out to have the next one"),
        ("@location(1) a: mat4, @location(0) b: vec4, c: vec4", "write `@location(5)` before it"),
    ],
)
def test_the_help_for_a_taken_location_helps(fields: str, help: str) -> None:
    _, found = run(FRAGMENT.format(fields))
    assert [d.help for d in found if d.code == "E0411"] == [help]


def test_structs_and_plain_parameters_share_one_count() -> None:
    source = "struct S a: vec2 @location(4) b: vec2 end " + FRAGMENT.format(
        "x: float, s: S, y: float"
    )
    assert _io(_entry(source).inputs) == [
        ("x", 0, (0,)),
        ("a", 1, (1, 0)),
        ("b", 4, (1, 1)),
        ("y", 5, (2,)),
    ]


VARYING = (
    "@varying struct V @builtin(position) p: vec4 uv: vec2 n: int end "
    "@entry(vertex) function v() -> V return { p = vec4(1), uv = vec2(1), n = 1 } end "
    "@entry(fragment) function f(i: V) -> (c: vec4) return { c = vec4(i.uv, 0, float(i.n)) } end"
)


def test_varying_structs_lose_their_builtins_in_the_fragment_stage() -> None:
    vertex, fragment = _entry(VARYING, "v"), _entry(VARYING, "f")
    assert _io(vertex.outputs) == [("p", "position", (0,)), ("uv", 0, (1,)), ("n", 1, (2,))]
    assert _io(fragment.inputs) == [("uv", 0, (0, 1)), ("n", 1, (0, 2))]


def test_integers_are_flat_and_the_rest_is_smooth() -> None:
    vertex, fragment = _entry(VARYING, "v"), _entry(VARYING, "f")
    assert [v.interpolation for v in vertex.outputs] == [None, "smooth", "flat"]
    assert [v.interpolation for v in fragment.inputs] == ["smooth", "flat"]
    assert [v.interpolation for v in fragment.outputs] == [None]
    chosen = _entry(
        FRAGMENT.format("@interpolation(noperspective) a: vec2, @interpolation(flat) b: vec2")
    )
    assert [v.interpolation for v in chosen.inputs] == ["noperspective", "flat"]


def test_aliases_become_the_names_of_the_table() -> None:
    entry = _entry(VERTEX.format("@builtin(vertex_index) i: int"))
    assert [v.builtin for v in entry.inputs] == ["vertex_id"]


def test_tuple_results_become_structs() -> None:
    found = module("struct f_output a: float end " + FRAGMENT.format(""))
    assert [s.name for s in found.structs] == ["f_output", "f_output_"]
    assert str(found.functions[0].result) == "f_output_"


def test_workgroup_sizes_and_flags() -> None:
    assert _entry(COMPUTE.format("8, 4")).workgroup_size == (8, 4, 1)
    assert _entry(FRAGMENT.format("")).workgroup_size == (1, 1, 1)
    assert _entry("@entry(fragment) @early_depth function f() end").early_depth
