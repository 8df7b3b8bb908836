"""Lowering from source: the shape of the IR, and that it always passes the verifier."""

from __future__ import annotations

import pytest

from luma.ir.module import CondBranch, Discard, Function, Module, Return, Unreachable
from luma.language.types import BOOL, FLOAT, Array, Pointer, Sampler, Space, Texture
from tests.ir.sources import entry, lowered, ops


def function(source: str, name: str = "f") -> Function:
    return lowered(source).function(name)


def params(f: Function) -> list[list[str]]:
    """The names of the parameters of each block that has any."""
    return [[f.names.get(p.id, "?") for p in b.params] for b in f.blocks if b.params]


def loops(f: Function) -> list[object]:
    return [b.loop.unroll for b in f.blocks if b.loop is not None]


# ---------------------------------------------------------------- variables and control flow


def test_straight_line_code_has_one_block_and_no_memory() -> None:
    f = function("function f(a: float) -> float let b = a * a b = b + a a = b return a end")
    assert len(f.blocks) == 1
    assert ops(f) == ["mul", "add"]


def test_values_have_the_authors_names() -> None:
    f = function(
        "function f(a: float) -> float let square = a * a let same = square return same + a end"
    )
    assert sorted(f.names.values()) == ["a", "square"]


def test_if_joins_only_what_changed() -> None:
    f = function("""
        function f(c: bool, x: float, y: float) -> float
          let kept = x * 2.0
          let changed = y
          if c then changed = x else kept = kept end
          return kept + changed
        end""")
    assert params(f) == [["changed"]]


def test_loop_carries_only_what_it_changes() -> None:
    f = function("""
        function f(n: float) -> float
          let sum = 0.0
          let still = n
          let dead = 0.0
          for i = 0, 10 do
            dead = float(i)
            still = still
            sum = sum + dead * n
          end
          return sum + still
        end""")
    assert params(f) == [["i", "sum"]]


def test_inner_loop_that_changes_nothing_leaves_no_phis() -> None:
    f = function("""
        function f(x: float) -> float
          let a = x
          for i = 0, 4 do for j = 0, 4 do if i < j then a = a end end end
          return a
        end""")
    assert params(f) == [["i"], ["j"]]


def test_swap_has_two_phis_and_no_copies() -> None:
    f = function("""
        function f() -> vec2
          let a = 1.0 let b = 2.0
          for i = 0, 3 do let t = a a = b b = t end
          return vec2(a, b)
        end""")
    assert params(f) == [["i", "a", "b"]]


def test_code_after_return_is_dropped() -> None:
    f = function("""
        function f(c: bool) -> float
          if c then return 1.0 else return 2.0 end
          return 3.0
        end""")
    assert [type(b.terminator) for b in f.blocks] == [CondBranch, Return, Return, Unreachable]


def test_a_body_that_never_comes_back_still_has_a_continue_block() -> None:
    f = function("""
        function f(n: float) -> float
          let x = 0.0
          for i = 0, 10 do x = x + 1.0 return x end
          return n
        end""")
    assert params(f) == []
    assert len(loops(f)) == 1


def test_discard_ends_the_block() -> None:
    module = lowered("""
        @entry(fragment)
        function shade(uv: vec2) -> (color: vec4)
          if uv.x < 0.5 then
            discard()
          end
          return { color = vec4(uv, 0.0, 1.0) }
        end""")
    assert [type(b.terminator) for b in module.functions[0].blocks] == [
        CondBranch,
        Discard,
        Return,
    ]


def test_unroll_is_a_hint_and_a_limit() -> None:
    f = function("""
        @spec(0) const N: int = 4
        function f(n: int) -> float
          let x = 0.0
          @unroll for i = 0, 4 do x = x + 1.0 end
          @unroll(8) for i = 0, n do x = x + 1.0 end
          @unroll(8) for i = 0, 4 do x = x + 1.0 end
          @unroll(3) for i = 0, 4 do x = x + 1.0 end
          for i = 0, N do x = x + 1.0 end
          return x
        end""")
    assert [getattr(u, "value", u) for u in loops(f)] == ["full", 8, 8, 3, None]
    # Only a loop that might run more often than its limit counts.
    assert params(f) == [["i", "x"], ["i", "?", "x"], ["i", "x"], ["i", "?", "x"], ["i", "x"]]


def test_while_condition_in_the_header() -> None:
    f = function("function f(x: float) -> float while x < 9.0 do x = x * 2.0 end return x end")
    header = next(b for b in f.blocks if b.loop is not None)
    assert isinstance(header.terminator, CondBranch) and header.terminator.merge is None


def test_while_condition_of_several_blocks_follows_the_header() -> None:
    f = function(
        """
        function f(a: [4]float, n: int) -> int
          let i = 0
          while i < n and a[i] > 0.0 do i = i + 1 end
          return i
        end""".replace("let i", "let i: int")
    )
    assert [op for op in ops(f) if op in ("and", "access")] == ["access"]


# ---------------------------------------------------------------- short circuit


@pytest.mark.parametrize(
    ("right", "eager"),
    [
        ("x > 0.0", True),
        ("x > 0.0 or sin(x) < 0.5", True),
        ("u.flag", True),
        ("u.list[2] > 0.0", True),
        ("vec3(x).y > 0.0", True),
        ("u.list[n] > 0.0", False),
        ("list[n] > 0.0", False),
        ("10 / n > 2", False),
        ("10 % n > 2", False),
        ("int(x) > 2", False),
        ("b[0] > 0.0", False),
        ("bump() > 0", False),
    ],
)
def test_short_circuit_is_eager_where_that_is_unseen(right: str, eager: bool) -> None:
    module = lowered(f"""
        struct U flag: bool list: [4]float end
        uniform u: U
        buffer storage b: []float
        buffer storage counter: [1]int
        function bump() -> int return atomic_add(counter[0], 1) end
        function f(c: bool, x: float, n: int) -> bool
          let list = u.list
          return c and {right}
        end""")
    assert (len(module.function("f").blocks) == 1) == eager


# ---------------------------------------------------------------- places


def test_locals_written_at_run_time_indices_live_in_memory() -> None:
    f = function("""
        function f(i: int) -> float
          let v = vec3(0.0)
          let m = mat2(1.0)
          let a = [3]float { 1.0, 2.0, 3.0 }
          let read = [3]float { 1.0, 2.0, 3.0 }
          let still = [3]float { 1.0, 2.0, 3.0 }
          v[i] = 1.0
          m[i].y = 2.0
          a[1] = read[i]
          still[1] = 2.0
          return v.x + m[0][1] + a[1] + still[0]
        end""")
    local = [i for i in f.instructions() if i.op == "local"]
    assert {f.names[i.id] for i in local} == {"v", "m", "read"}
    assert all(i in f.blocks[0].instrs for i in local)
    assert ops(f).count("insert") == 2


def test_a_parameter_written_at_run_time_indices_is_copied() -> None:
    f = function("function f(v: vec3, i: int) -> vec3 v[i] = 1.0 return v end")
    assert ops(f) == ["local", "store", "access", "store", "load"]


def test_memory_is_loaded_at_the_smallest_part() -> None:
    f = function("""
        struct Inner a: vec3 m: mat3 end
        struct Outer n: float inner: [4]Inner end
        uniform u: Outer
        function f(i: int) -> float
          return u.inner[i].m[2].y + dot(u.inner[0].a.zx, vec2(1.0))
        end""")
    loaded = [i.type for i in f.instructions() if i.op == "load"]
    assert list(map(str, loaded)) == ["float", "vec3"]
    assert [i.imm for i in f.instructions() if i.op == "access"] == [
        (1, None, 1, 2, 1),
        (1, 0, 0),
    ]


def test_swizzles_are_stored_component_by_component_in_memory() -> None:
    f = function("""
        buffer writeonly b: []vec4
        function f(v: vec2, i: int) b[i].zx = v end""")
    assert [i.imm for i in f.instructions() if i.op == "access"] == [(None, 2), (None, 0)]
    assert "load" not in ops(f)


def test_swizzles_of_values_are_shuffled() -> None:
    f = function("function f(v: vec3, w: vec2) -> vec3 v.zx = w return v end")
    assert [(i.op, i.imm) for i in f.instructions()] == [("shuffle", (4, 1, 3))]
    f = function("function f(v: vec2, w: vec2) -> vec2 v.yx = w return v end")
    assert [(i.op, i.imm) for i in f.instructions()] == [("shuffle", (1, 0))]
    f = function("function f(v: vec2, w: float) -> vec2 v.y = w return v end")
    assert [(i.op, i.imm) for i in f.instructions()] == [("insert", (1,))]


def test_a_compound_assignment_evaluates_its_place_once() -> None:
    f = function("""
        buffer storage b: [8]float
        buffer storage next: [1]int
        function f() b[atomic_add(next[0], 1)] += 2.0 end""")
    assert ops(f).count("atomic_add") == 1
    (load,) = [i for i in f.instructions() if i.op == "load"]
    (store,) = [i for i in f.instructions() if i.op == "store"]
    assert load.args[0] == store.args[0]


def test_constant_arrays_are_values() -> None:
    f = function("""
        const tri: [3]vec2 = [3]vec2 { vec2(0.0, 1.0), vec2(1.0, 2.0), vec2(3.0, 4.0) }
        function f(i: int) -> vec2 return tri[i] + tri[1] end""")
    assert [i.imm for i in f.instructions() if i.op == "extract"] == [(None,)]
    assert "local" not in ops(f)


# ---------------------------------------------------------------- resources and functions


def test_combined_samplers_are_split() -> None:
    module = lowered("""
        @group(1) @binding(3) uniform t: sampler2D
        uniform s: samplerCubeShadow
        uniform t_tex: float
        function pick(p: sampler2D, uv: vec2) -> vec4
          return sample_level(p, uv, 0.0) + texel_fetch(p, ivec2(0, 0), 0)
        end
        function f(uv: vec2) -> vec4 return pick(t, uv) + vec4(texture_size(t, 0), 0, 0) end
        """)
    found = [(g.name, str(g.type), g.group, g.binding, g.combined) for g in module.globals]
    assert found == [
        ("t_tex_1", "texture2D", 1, 3, "t"),
        ("t_samp", "sampler", 1, 4, "t"),
        ("s_tex", "textureDepthCube", 0, 0, "s"),
        ("s_samp", "samplerShadow", 0, 1, "s"),
        ("t_tex", "float", 0, 2, None),
    ]
    pick = module.function("pick")
    assert [(p.name, p.combined) for p in pick.params] == [
        ("p_tex", "p"),
        ("p_samp", "p"),
        ("uv", None),
    ]
    assert [len(i.args) for i in pick.instructions() if i.op == "sample_level"] == [4]
    assert [len(i.args) for i in pick.instructions() if i.op == "texel_fetch"] == [3]
    call = next(i for i in module.function("f").instructions() if i.op == "call")
    assert len(call.args) == 3


def test_globals_and_structs_keep_their_order_with_nested_structs_first() -> None:
    module = lowered("""
        struct Outer inner: Inner end
        struct Inner x: float end
        shared tile: [64]float
        uniform b: Outer
        buffer storage a: []Outer
        @push_constant uniform pc: Inner
        """)
    assert [s.name for s in module.structs] == ["Inner", "Outer"]
    assert [(g.name, g.space.value, g.binding) for g in module.globals] == [
        ("tile", "workgroup", None),
        ("b", "uniform", 0),
        ("a", "storage", 1),
        ("pc", "push_constant", None),
    ]


def test_barriers_atomics_and_array_length_take_places() -> None:
    module = lowered("""
        shared tile: [64]uint
        buffer storage out: []float
        @entry(compute) @workgroup_size(64)
        function main(@builtin(local_invocation_index) id: uint)
          tile[id] = id
          workgroup_barrier()
          atomic_max(tile[0], id)
          out[id] = float(array_length(out))
        end""")
    f = module.functions[0]
    pointers = {i.id: i.type for i in f.instructions() if isinstance(i.type, Pointer)}
    atomic = next(i for i in f.instructions() if i.op == "atomic_max")
    assert pointers[atomic.args[0]].space is Space.WORKGROUP
    length = next(i for i in f.instructions() if i.op == "array_length")
    assert pointers[length.args[0]].pointee == Array(FLOAT, None)


# ---------------------------------------------------------------- entry points


def test_interfaces_are_flat() -> None:
    module = lowered("""
        struct Input position: vec3 bones: mat2 weights: [2]float end
        @varying
        struct Between @builtin(position) at: vec4 uv: vec2 basis: mat2 end
        @entry(vertex)
        function place(input: Input) -> Between
          let r = Between {
            basis = input.bones,
            at = vec4(input.position, input.weights[1]),
            uv = vec2(0.0),
          }
          return r
        end
        @entry(fragment)
        function shade(b: Between) -> (color: vec4) return { color = vec4(b.uv, b.basis[1]) } end
        """)
    place, shade = module.entry_points
    assert [(v.name, str(v.type), v.location) for v in place.inputs] == [
        ("position", "vec3", 0),
        ("bones[0]", "vec2", 1),
        ("bones[1]", "vec2", 2),
        ("weights[0]", "float", 3),
        ("weights[1]", "float", 4),
    ]
    assert [v.builtin for v in place.outputs] == ["position", None, None, None]
    f = module.function("shade")
    assert len(f.params) == len(shade.inputs) == 3
    # The stripped position is zero.
    assert "splat" in ops(f)
    assert [len(b.terminator.values) for b in f.blocks if isinstance(b.terminator, Return)] == [1]


def test_an_entry_point_without_outputs_returns_nothing() -> None:
    module = lowered("@entry(compute) @workgroup_size(1) function main() end")
    assert module.functions[0].results == ()
    assert module.functions[0].blocks[0].terminator == Return()


# ---------------------------------------------------------------- matrices and equality


def test_matrix_sugar_is_taken_apart() -> None:
    f = function("""
        function f(m: mat3, x: float) -> bool
          let a = m / x
          let b = mat3(x)
          let c = mat2x3(mat4x2(1.0))
          return a == b and mat3(c) != m
        end""")
    assert ops(f).count("div") == 3
    assert ops(f).count("all") == 3 and ops(f).count("any") == 3


def test_equality_gives_one_bool() -> None:
    f = function(
        "function f(a: ivec2, b: ivec2, c: bool, d: bool) -> bool "
        "return a == b and a != b and c == d end"
    )
    assert ops(f) == ["eq", "all", "ne", "any", "and", "eq", "and"]


def test_aliases() -> None:
    f = function("function f(a: vec2, b: vec2) -> bool return none(less_than(a, b)) end")
    assert ops(f) == ["lt", "any", "not"]


def test_spans_cover_every_instruction() -> None:
    module: Module = lowered(entry("out[0] = float(id.x) * 2.0"))
    f = module.functions[0]
    assert all(i.id in f.spans for i in f.instructions())
    assert len({i.id for i in f.instructions()}) == len(list(f.instructions()))


def test_types_of_handles() -> None:
    module = lowered("""
        uniform t: texture2D
        uniform s: sampler
        @entry(fragment)
        function shade(uv: vec2) -> (color: vec4) return { color = sample(t, s, uv) } end""")
    handles = [i.type for i in module.functions[0].instructions() if i.op == "global"]
    assert [type(t) for t in handles] == [Texture, Sampler]
    assert BOOL not in handles
