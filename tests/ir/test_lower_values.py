"""Small functions lowered from source and interpreted: they give what the language says."""

from __future__ import annotations

from typing import Any

import pytest

from luma.ir.interpret import Resources, decode, encode, run_fragment, run_function, run_vertex
from luma.language.types import FLOAT, INT, UINT, Array, Field, Struct, Vector
from tests.ir.sources import lowered

MATRIX = ((1.0, 2.0, 3.0), (4.0, 5.0, 6.0), (7.0, 8.0, 9.0))

CASES: tuple[tuple[str, str, tuple[Any, ...], Any], ...] = (
    # -- control flow
    (
        "swap in a loop",
        """function f(n: int) -> vec2
             let a = 1.0 let b = 2.0
             @unroll(9) for i = 0, n do let t = a a = b b = t end
             return vec2(a, b)
           end""",
        (3,),
        (2.0, 1.0),
    ),
    (
        "a loop that never runs keeps the value",
        """function f() -> float let s = 42.0 for i = 1, 0 do s = s + 1.0 end return s end""",
        (),
        42.0,
    ),
    (
        "the stop is not included",
        """function f() -> int let s: int = 0 for i = 0, 10 do s = s * 2 + i end return s end""",
        (),
        1013,
    ),
    (
        "a step that does not divide the range",
        "function f() -> int let s: int = 0 for i = 1, 10, 4 do s = s * 10 + i end return s end",
        (),
        159,
    ),
    (
        "a negative step",
        "function f() -> int let s: int = 0 for i = 5, 0, -2 do s = s * 10 + i end return s end",
        (),
        531,
    ),
    (
        "a uint loop downward",
        """function f(n: uint) -> uint
             let s: uint = 0
             @unroll(9) for i = n, uint(2), -1 do s = s * 10 + i end
             return s
           end""",
        (5,),
        543,
    ),
    (
        "a uint loop downward that steps over zero",
        """function f(n: uint) -> uint
             let s: uint = 0
             @unroll for i = n, 0, -3 do s = s * 10 + i end
             @unroll(9) for i = n, 0, -3 do s = s * 10 + i end
             for i = uint(4), 0, -3 do s = s * 10 + i end
             return s
           end""",
        (5,),
        525241,
    ),
    (
        "bounds near the ends of the types",
        """const TOP: int = 2147483647
           function f() -> int
             let s: int = 0
             for i = TOP - 7, TOP, 3 do s += 1 end
             for i = 8 - TOP, -TOP - 1, -4 do s += 10 end
             for i = uint(4294967290), 4294967295, 2 do s += 100 end
             @unroll(2) for i = TOP - 7, TOP, 3 do s += 1000 end
             @unroll(5) for i = TOP - 7, TOP, 3 do s += 10000 end
             for i = TOP - 2, TOP do s += 100000 end
             for i = TOP, TOP, 5 do s += 1000000 end
             return s
           end""",
        (),
        232333,
    ),
    (
        "unroll limits the iterations",
        """function f(n: int) -> int
             let s: int = 0
             @unroll(3) for i = 0, n do s += 1 end
             @unroll(2) for i = 0, 10 do s += 100 end
             return s
           end""",
        (50,),
        203,
    ),
    (
        "max_iterations limits a while loop",
        """function f() -> int
             let s: int = 0
             @max_iterations(7) while true do s += 1 end
             return s
           end""",
        (),
        7,
    ),
    (
        "bounds are evaluated once",
        """function f() -> int
             let n: int = 3
             let s: int = 0
             @unroll(20) for i = 0, n do n = n + 1 s = s + 1 end
             return s * 100 + n
           end""",
        (),
        306,
    ),
    (
        "a while loop with two updates of its counter",
        """function f() -> int
             let i: int = 0 let s: int = 0
             while i < 10 do i = i + 1 s = s + i i = i + 1 end
             return s * 100 + i
           end""",
        (),
        2510,
    ),
    (
        "a return from nested loops",
        """function f(k: int) -> int
             for i = 0, 4 do
               for j = 0, 4 do
                 if i * 4 + j == k then
                   if j > 1 then return i * 10 + j end
                   return -(i * 10 + j)
                 end
               end
             end
             return 99
           end""",
        (6,),
        12,
    ),
    (
        "a shadowing let reads the outer variable",
        """function f(n: int) -> int
             do let n = n * 2 n = n + 1 if n > 0 then let n = n * 10 n = n + 1 end end
             return n
           end""",
        (4,),
        4,
    ),
    (
        "a variable of a body is new in each iteration",
        """function f() -> int
             let s: int = 0
             for i = 0, 3 do let t: int = 1 t = t + i s = s * 10 + t end
             return s
           end""",
        (),
        123,
    ),
    (
        "elseif",
        """function f(n: int) -> int
             let r: int = 0
             if n < 0 then r = 1 elseif n == 0 then r = 2 elseif n < 5 then r = 3 else r = 4 end
             return r
           end""",
        (3,),
        3,
    ),
    # -- places
    (
        "an array written at run-time indices",
        """function f(n: int) -> float
             let a = [4]float { 1.0, 2.0, 3.0, 4.0 }
             a[n] = 10.0
             a[n + 1] += a[n]
             return a[0] * 1000.0 + a[1] * 100.0 + a[2] * 10.0 + a[3]
           end""",
        (1,),
        1000.0 + 1000.0 + 130.0 + 4.0,
    ),
    (
        "arrays are copied",
        """function f(n: int) -> float
             let a = [2]float { 1.0, 2.0 }
             let b = a
             a[n] = 10.0
             b[0] = 5.0
             return a[0] * 100.0 + b[0]
           end""",
        (0,),
        1005.0,
    ),
    (
        "swizzles written on a value",
        "function f(v: vec4) -> vec4 v.wy = v.xz * 10.0 v.x = 7.0 return v end",
        ((1.0, 2.0, 3.0, 4.0),),
        (7.0, 30.0, 3.0, 10.0),
    ),
    (
        "swizzles of swizzles written",
        "function f(v: vec4) -> vec4 v.wzx.yx = vec2(8.0, 9.0) v.zw[1] += 0.5 return v end",
        ((1.0, 2.0, 3.0, 4.0),),
        (1.0, 2.0, 8.0, 9.5),
    ),
    (
        "a swizzle written at a run-time index",
        "function f(v: vec4, i: int) -> vec4 v.wzx[i] = 9.0 return v end",
        ((1.0, 2.0, 3.0, 4.0), 1),
        (1.0, 2.0, 9.0, 4.0),
    ),
    (
        "a swizzle read at a run-time index",
        "function f(v: vec4, i: int) -> float return v.wzx[i] end",
        ((1.0, 2.0, 3.0, 4.0), 2),
        1.0,
    ),
    (
        "swizzles written in local memory",
        """function f(i: int) -> vec3
             let a = [2]vec3 { vec3(1.0, 2.0, 3.0), vec3(4.0, 5.0, 6.0) }
             a[i].zx = a[i].xy
             a[i].y *= 2.0
             return a[1]
           end""",
        (1,),
        (5.0, 10.0, 4.0),
    ),
    (
        "nested fields written",
        """struct Inner v: vec2 list: [2]int end
           struct Outer a: Inner b: [2]Inner end
           function f(n: int) -> vec4
             let i = Inner { v = vec2(1.0, 2.0), list = [2]int { 3, 4 } }
             let o = Outer { b = [2]Inner { i, i }, a = i }
             o.a.v.y = 20.0
             o.b[1].list[0] += n
             o.b[0].v = o.a.v.yx
             return vec4(o.a.v, float(o.b[1].list[0]), o.b[0].v.x) + vec4(0.0, 0.0, 0.0, i.v.y)
           end""",
        (5,),
        (1.0, 20.0, 8.0, 22.0),
    ),
    (
        "a parameter is a copy",
        """function change(v: vec3) -> float v.x = 100.0 return v.x end
           function f(v: vec3) -> float return change(v) + v.x end""",
        ((1.0, 2.0, 3.0),),
        101.0,
    ),
    # -- matrices
    (
        "matrix elements read at constant and run-time indices",
        """function f(m: mat3, i: int, j: int) -> vec4
             return vec4(m[1][2], m[i][0], m[2][j], m[i][j]) + vec4(m[i].z, 0.0, 0.0, 0.0)
           end""",
        (MATRIX, 2, 1),
        (6.0 + 9.0, 7.0, 8.0, 8.0),
    ),
    (
        "matrix elements written at constant indices",
        """function f(m: mat3) -> mat3
             m[1][2] = 60.0 m[0] = vec3(0.5) m[2].zx = vec2(90.0, 70.0)
             return m
           end""",
        (MATRIX,),
        ((0.5, 0.5, 0.5), (4.0, 5.0, 60.0), (70.0, 8.0, 90.0)),
    ),
    (
        "matrix elements written at run-time indices",
        "function f(m: mat3, i: int) -> mat3 m[i][i] = 0.0 m[0][i] *= 2.0 return m end",
        (MATRIX, 1),
        ((1.0, 4.0, 3.0), (4.0, 0.0, 6.0), (7.0, 8.0, 9.0)),
    ),
    (
        "a matrix cut and filled up",
        "function f(m: mat3) -> mat4x2 return mat4x2(m) + mat4x2(mat2(10.0)) end",
        (MATRIX,),
        ((11.0, 2.0), (4.0, 15.0), (7.0, 8.0), (0.0, 0.0)),
    ),
    (
        "a small matrix made larger",
        "function f() -> mat3 return mat3(mat2(1.0, 2.0, 3.0, 4.0)) end",
        (),
        ((1.0, 2.0, 0.0), (3.0, 4.0, 0.0), (0.0, 0.0, 1.0)),
    ),
    (
        "a diagonal that is not square",
        "function f(x: float) -> mat2x3 return mat2x3(x) end",
        (5.0,),
        ((5.0, 0.0, 0.0), (0.0, 5.0, 0.0)),
    ),
    (
        "a matrix divided",
        "function f(m: mat3) -> mat3 return m / 2.0 end",
        (MATRIX,),
        ((0.5, 1.0, 1.5), (2.0, 2.5, 3.0), (3.5, 4.0, 4.5)),
    ),
    (
        "matrices compared",
        """function f(m: mat3) -> bvec4
             let n = m n[2][1] = 0.0
             return bvec4(m == m, m != m, m == n, m != n)
           end""",
        (MATRIX,),
        (True, False, False, True),
    ),
    (
        "vectors compared",
        """function f(a: ivec3, b: ivec3) -> bvec4
             return bvec4(a == b, a != b, a == a, none(equal(a, b)))
           end""",
        ((1, 2, 3), (1, 5, 3)),
        (False, True, True, False),
    ),
    # -- constants
    (
        "a constant array at a run-time index",
        """const tri: [3]vec2 = [3]vec2 { vec2(0.0, 1.0), vec2(2.0, 3.0), vec2(4.0, 5.0) }
           const K: int = 1
           function f(i: int) -> vec4 return vec4(tri[i], tri[K + 1].y, tri[i].x) end""",
        (1,),
        (2.0, 3.0, 5.0, 2.0),
    ),
    (
        "signs of zero stay",
        "function f() -> float let v = vec2(0.0, -0.0) return 1.0 / v.y end",
        (),
        float("-inf"),
    ),
    (
        "select with one condition for all components",
        "function f(c: bool, a: vec2, b: vec2) -> vec2 return select(c, a, b) end",
        (False, (1.0, 2.0), (3.0, 4.0)),
        (3.0, 4.0),
    ),
)


@pytest.mark.parametrize(("source", "args", "expected"), [c[1:] for c in CASES],
                         ids=[c[0] for c in CASES])  # fmt: skip
def test_value(source: str, args: tuple[Any, ...], expected: Any) -> None:
    assert run_function(lowered(source), "f", args) == expected


# ---------------------------------------------------------------- effects

EFFECTS = """
    buffer storage log: [8]int
    function say(k: int) -> int
      log[0] = log[0] * 10 + k
      return k
    end
    function yes(k: int) -> bool return say(k) > 0 end
    function no(k: int) -> bool return say(k) < 0 end
    struct Pair a: int b: int end
"""


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("let x = say(1) + say(2) * say(3)", 123),
        ("let x = Pair { b = say(1), a = say(2) }", 12),
        ("let x = ivec2(say(1), say(2)).yx", 12),
        ("log[say(1)] = say(2)", 12),
        ("log[say(1)] += say(2)", 12),
        ("log[1 + say(1)] = log[say(2)]", 12),
        ("let x = select(yes(1), say(2), say(3))", 123),
        ("let x = yes(1) and yes(2)", 12),
        ("let x = no(1) and yes(2)", 1),
        ("let x = yes(1) or yes(2)", 1),
        ("let x = no(1) or yes(2)", 12),
        ("let x = (no(1) or yes(2)) and (yes(3) and no(4) or yes(5))", 12345),
        ("let x = yes(1) and no(2) or no(3) and yes(4)", 123),
        ("for i = 0, 2 do say(i + 1) end", 12),
        ("@max_iterations(2) while yes(1) do say(2) end", 1212),
        ("while no(1) do say(2) end", 1),
        ("if no(1) then say(2) elseif yes(3) then say(4) else say(5) end", 134),
        ("let x = float(say(1)) * mat2(float(say(2)))", 12),
        ("let x = mat2(float(say(1))) * float(say(2))", 12),
    ],
)
def test_effects_happen_from_left_to_right_and_when_due(body: str, said: int) -> None:
    source = f"{EFFECTS} function f() {body.replace('@max', chr(10) + '@max')} end"
    log = bytearray(encode(Array(INT, 8), (0,) * 8))
    run_function(lowered(source), "f", (), Resources({"log": log}))
    assert decode(Array(INT, 8), log)[0] == said


def test_a_compound_assignment_reads_its_place_before_the_value() -> None:
    source = """
        buffer storage b: [2]int
        function change() -> int b[0] = 100 return 5 end
        function f() b[0] += change() end"""
    memory = bytearray(encode(Array(INT, 2), (1, 2)))
    run_function(lowered(source), "f", (), Resources({"b": memory}))
    assert decode(Array(INT, 2), memory) == (6, 2)


def test_memory_is_written_where_it_must_and_nowhere_else() -> None:
    item = Struct("Item", (Field("v", Vector(FLOAT, 3)), Field("n", UINT)))
    source = """
        struct Item v: vec3 n: uint end
        buffer storage items: []Item
        function f(i: int, v: vec2)
          items[i].v.zx = v
          items[i].n += 1
          items[i + 1] = items[i]
          items[0].v[i] = 9.0
        end"""
    before = (((1.0, 2.0, 3.0), 4), ((5.0, 6.0, 7.0), 8), ((0.0, 0.0, 0.0), 0))
    memory = bytearray(encode(Array(item, 3), before))
    run_function(lowered(source), "f", (1, (70.0, 50.0)), Resources({"items": memory}))
    assert decode(Array(item, 3), memory) == (
        ((1.0, 9.0, 3.0), 4),
        ((50.0, 6.0, 70.0), 9),
        ((50.0, 6.0, 70.0), 9),
    )


# ---------------------------------------------------------------- stages


def test_vertex_inputs_and_outputs_find_their_places() -> None:
    source = """
        struct Input m: mat2 list: [2]float end
        struct Output uv: vec2 @builtin(position) at: vec4 grid: mat2 end
        @entry(vertex)
        function place(@builtin(vertex_id) id: int, i: Input) -> Output
          return Output {
            grid = i.m * 2.0,
            uv = vec2(i.list[1], float(id)),
            at = vec4(i.m[0], i.m[1]),
          }
        end"""
    (_, second) = run_vertex(
        lowered(source),
        "place",
        {0: [(0.0, 0.0), (1.0, 2.0)], 1: [(0.0, 0.0), (3.0, 4.0)], 2: [0.0, 5.0], 3: [0.0, 6.0]},
        count=2,
    )
    assert second == {
        0: (6.0, 1.0),
        "position": (1.0, 2.0, 3.0, 4.0),
        1: (2.0, 4.0),
        2: (6.0, 8.0),
    }


def test_fragment_with_discard_and_early_returns() -> None:
    source = """
        @entry(fragment)
        function shade(x: float) -> (color: vec4)
          if x < 1.0 then discard() end
          if x < 2.0 then return { color = vec4(2.0) } end
          return { color = vec4(x) }
        end"""
    (row,) = run_fragment(lowered(source), "shade", {0: [[0.5, 1.5, 3.0]]}, width=3)
    assert row == [None, {0: (2.0,) * 4}, {0: (3.0,) * 4}]


# ---------------------------------------------------------------- size


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("return x" + " + 1.0" * 900, 900.0),
        ("let y = x > 0.5 " + "or x < 0.0 " * 400 + "return select(y, 1.0, 0.0)", 0.0),
        ("for i = 0, 1 do " * 120 + "x = x + 1.0 " + "end " * 120 + "return x", 1.0),
        ("if x < 1.0 then " * 150 + "x = x + 1.0 " + "end " * 150 + "return x", 1.0),
        ("if x > 1.0 then x = 1.0 " + "elseif x > 2.0 then x = 2.0 " * 400 + "end return x", 0.0),
        ("if x < 1.0 then x = x + 0.5 end " * 400 + "return x", 1.0),
    ],
    ids=["sum", "or", "loops", "ifs", "elseifs", "many ifs"],
)
def test_long_and_deep_code(source: str, expected: float) -> None:
    module = lowered(f"function f(x: float) -> float {source} end")
    assert run_function(module, "f", (0.0,)) == expected
