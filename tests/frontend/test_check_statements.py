"""Variables, assignments, control flow, functions and constants; and the warnings."""

from __future__ import annotations

import pytest

from luma.diagnostics import Level
from tests.frontend.checking import codes, in_function

# fmt: off
ACCEPTED = [
    # variables
    "let q = 1.0  q = 2  q = x  q += 1  q -= x  q *= 2  q /= x  q %= 3",
    "i = 3  i += j  n *= 2  n %= 7  h += 1  v3 = v3  v3 *= 2  v3 += v3  v3 /= x",
    "m3 *= m3  m3 *= 2  m3 += m3  m3 /= x  v3 *= m3",
    "if b then let q = x  q = 2 end  do let q = i  q = 2 end  let q = b  q = c",
    "let q = i  if b then let q = q * 2  q = 1 end",
    "let x = x * 2  x = 1",
    "for x = 0, 4 do touch(x) end",
    "v3.x = 1  v3.zy = v2  v3.xy += 1  v4.rgb *= x  v4.wzyx = v4",
    "a[1] = 2  a[i] = x  a[i] += 1  p.at = v2  p.at.y = 1  pp[i].at.xy = v2  m3[0] = v3  m3[i][j] = 1",
    "m3[1].xz = v2  v3[i] = 1  a = [4]float { 1, 2, 3, 4 }",
    "data[i] = x  tail.items[n].at.x = 1  tail.count += 1  target[0] = v4  target[i].x = 1  counters[1] = 3",
    "let step = 1.0  let length = length(v2)  let distance = step + length  distance += step",
    "let sample = 1.0  let q = sample_level(tex, v2, sample)  sample = q.x",
    # branches and loops
    "if b then touch(1) elseif c then touch(2) else touch(3) end",
    "for q = 0, 10 do touch(q) end  for q = 10, 0, -1 do touch(q) end  for q = 0, FOUR, 2 do touch(q) end",
    "for q = 0, STEPS do touch(q) end  for q = STEPS - 1, STEPS * 2 do touch(q) end",
    "for q = 0, UFOUR do let r: uint = q  n = r end  for q = UFOUR, 8 do n = q end",
    "for q = 0, 4, FOUR / 2 do touch(q) end  for q = -4, 4 do touch(q) end",
    "@unroll for q = 0, i do touch(q) end  @unroll(16) for q = 0, n do n = q end",
    "@unroll for q = 0, 4 do touch(q) end  @unroll(FOUR) for q = i, j, 2 do touch(q) end",
    "@max_iterations(16) while b do touch(1) end  @max_iterations(FOUR) while true do touch(2) end",
    "for q = 0, 4 do for r = 0, 4 do touch(q + r) end end",
    "for q = 0, int(max(STEPS, 4)) do touch(q) end",
    "touch(i)  half_of(x)  return",
]

REFUSED = [
    # variables
    ("let q: float", ["E0324"]),
    ("let q", ["E0324"]),
    ("let q: float  let r = q + 1", ["E0324"]),
    ("let q = 1  let q = 2", ["E0304"]),
    ("q = 1", ["E0301"]),
    ("let q = q", ["E0301"]),
    ("if b then let q = 1 end  q = 2", ["E0301"]),
    ("for q = 0, 4 do end  touch(q)", ["E0301"]),
    ("i = x", ["E0306"]),
    ("x = i", ["E0306"]),
    ("v3 = v2", ["E0306"]),
    ("v3.xy = v3", ["E0306"]),
    ("v3.xy = 1", ["E0306"]),
    ("p.at = 1", ["E0306"]),
    ("i += x", ["E0307"]),
    ("i += 1.5", ["E0309"]),
    ("x += v3", ["E0306"]),
    ("x += b", ["E0307"]),
    ("b += 1", ["E0307"]),
    ("p += p", ["E0307"]),
    ("m32 *= m2", ["E0307"]),
    ("v2 *= m32", ["E0306"]),
    ("m3 *= v3", ["E0306"]),
    ("m3 += 1", ["E0307"]),
    # what is a place
    ("for q = 0, 4 do q = 2 end", ["E0322"]),
    ("for q = 0, 4 do q += 1 end", ["E0322"]),
    ("FOUR = 3", ["E0322"]),
    ("TABLE[1] = 3", ["E0322"]),
    ("STEPS += 3", ["E0322"]),
    ("v3.xx = v2", ["E0322"]),
    ("v3.xzx += 1", ["E0322"]),
    ("half_of(x).y = 1", ["E0315"]),
    ("vec3(x).y = 1", ["E0322"]),
    ("sample_level(tex, v2, 0).x = 1", ["E0322"]),
    ("half_of = 1", ["E0305"]),
    ("Point = 1", ["E0305"]),
    ("tint = v4", ["E0323"]),
    ("point.at.x = 1", ["E0323"]),
    ("source[0] = v4", ["E0323"]),
    ("source[0].x += 1", ["E0323"]),
    ("let q = target[0]", ["E0323"]),
    ("let q = target[0].x + 1", ["E0323"]),
    ("target[0] += v4", ["E0323"]),
    ("target[0].x *= 2", ["E0323"]),
    ("atomic_add(source[0], 1)", ["E0323"]),
    ("data = data", ["E0326"]),
    ("tail.items = tail.items", ["E0326"]),
    ("data += 1", ["E0326"]),
    # conditions and loops
    ("if i then end", ["E0510"]),
    ("if bv2 then end", ["E0510"]),
    ("if missing then elseif x then end", ["E0301", "E0510"]),
    ("@max_iterations(4) while i do end", ["E0510"]),
    ("for q = 0, i do end", ["E0511"]),
    ("for q = i, 4 do end", ["E0511"]),
    ("let q: int = 4  for r = 0, q do end", ["E0511"]),
    ("for q = 0, 4 do for r = q, 4 do end end", ["E0511"]),
    ("for q = 0, array_length(data) do end", ["E0511"]),
    ("for q = 0, int(tint.x) do end", ["E0511"]),
    ("for q = 0, 4, 0 do end", ["E0512"]),
    ("for q = 0, 4, FOUR - 4 do end", ["E0512"]),
    ("for q = 0, 4, i do end", ["E0505"]),
    ("for q = 0, 4, STEPS do end", ["E0505"]),
    ("for q = 0, 4, 0.5 do end", ["E0309"]),
    ("for q = 0, 4, true do end", ["E0512"]),
    ("for q = 0.5, 4 do end", ["E0309"]),
    ("for q = x, 4 do end", ["E0513"]),
    ("for q = 0, v2 do end", ["E0513"]),
    ("for q = b, c do end", ["E0513"]),
    ("for q = FOUR, UFOUR do end", ["E0513"]),
    ("for q = missing, 4 do touch(q) end", ["E0301"]),
    ("@max_iterations(4) for q = 0, 4 do end", ["E0514"]),
    ("@unroll @max_iterations(4) while b do end", ["E0514"]),
    ("@unroll(0) for q = 0, 4 do end", ["E0516"]),
    ("@max_iterations(0) while b do end", ["E0516"]),
    ("@unroll(i) for q = 0, i do end", ["E0505"]),
    ("@unroll(STEPS) for q = 0, i do end", ["E0505"]),
    ("@unroll(1, 2) for q = 0, i do end", ["E0403"]),
    ("@max_iterations while b do end", ["E0403"]),
    ("@unrol for q = 0, i do end", ["E0401", "E0511"]),
    ("@location(1) for q = 0, 4 do end", ["E0402"]),
    ("@unroll @unroll for q = 0, 4 do end", ["E0404"]),
]

WHOLE = [
    # functions: order, paths, recursion
    ("function f() -> float return g() end function g() -> float return 1 end", []),
    ("function f(x: float) -> float if x > 0 then return 1 else return 2 end end", []),
    ("function f(x: float) -> float if x > 0 then return 1 elseif x < 0 then return 2 end return 3 end", []),
    ("function f(x: float) -> float do return x end end", []),
    ("function f(x: float) -> float for i = 0, 4 do if x > 1 then return x end end return 0 end", []),
    ("function f(x: float) -> float if x > 0 then return 1 end discard() end", []),
    ("function f() end function g() f() return end", []),
    ("struct S a: float end function f() -> S return { a = 1 } end", []),
    ("function f() -> [4]float return [4]float { 1, 2, 3, 4 } end function g() -> float return f()[1] end", []),
    ("function f(t: texture2D, s: sampler, c: sampler2D, uv: vec2) -> vec4 "
     "return sample(t, s, uv) + sample(c, uv) end", []),
    ("uniform t: texture2D uniform s: sampler uniform c: sampler2D "
     "function g(a: sampler2D, b: texture2D, d: sampler) -> vec4 return f(b, d, a) end "
     "function f(t: texture2D, s: sampler, c: sampler2D) -> vec4 return sample(t, s, vec2(0)) + sample(c, vec2(1)) end "
     "function h() -> vec4 return g(c, t, s) end", []),
    ("function f() -> float end", ["E0501"]),
    ("function f(x: float) -> float if x > 0 then return 1 end end", ["E0501"]),
    ("function f(x: float) -> float if x > 0 then return 1 else x = 2 end end", ["E0501"]),
    ("function f(x: float) -> float if x > 0 then x = 1 else return 2 end end", ["E0501"]),
    ("function f(x: float) -> float for i = 0, 4 do return x end end", ["E0501"]),
    ("function f(x: float) -> float @max_iterations(3) while true do return x end end", ["E0501"]),
    ("function f() -> float return end", ["E0504"]),
    ("function f() -> float return 1 + end", ["E0201"]),
    ("function f() -> int return 1.5 end", ["E0309"]),
    ("function f(i: int) -> float return i end", ["E0306"]),
    ("function f(i: int) -> vec2 return { x = i } end", ["E0320"]),
    ("function f() f() end", ["E0502"]),
    ("function f() g() end function g() h() end function h() f() end", ["E0502"]),
    ("function f() -> float return g() end function g() -> float return f() end", ["E0502"]),
    ("function f(a: float, a: float) end", ["E0304"]),
    ("function f() end function f() end", ["E0304"]),
    ("struct f a: float end function f() end", ["E0304"]),
    ("uniform f: float const f: int = 1", ["E0304"]),
    ("struct S a: float a: float end", ["E0304"]),
    ("function sin(x: float) -> float return x end", ["E0329"]),
    ("function vec3() end", ["E0329"]),
    ("struct mat4 a: float end", ["E0329"]),
    ("struct sample a: float end", ["E0329"]),
    ("uniform step: float const length: int = 3", []),
    ("function f(x: nothing) end function g() f(1) end", ["E0302"]),
    ("function f() -> nothing return 1 end function g() let _x = f() + 1 end", ["E0302"]),
    ("function f(a: []float) end", ["E0326"]),
    ("function f() -> []float end", ["E0326"]),
    ("uniform t: sampler2D function f() -> sampler2D return t end", ["E0325"]),
    ("uniform t: texture2D function f(t: sampler2D) end function g() f(t) end", ["E0311"]),
    ("function f() -> (a: float) return { a = 1 } end", ["E0419"]),
    ("@entry(fragment) function f() -> (a: vec4) return { a = vec4(1) } end function g() f() end", ["E0503"]),
    # structs
    ("struct A b: B end struct B a: float end", []),
    ("struct A a: A end", ["E0328"]),
    ("struct A b: B end struct B c: [2]C end struct C a: A end", ["E0328"]),
    ("struct A end", ["E0332"]),
    ("struct A a: sampler2D end", ["E0325"]),
    ("struct A a: [2]texture2D end", ["E0325"]),
    ("struct A a: []float b: float end", ["E0326"]),
    ("struct A a: []float end struct B a: A end", ["E0326"]),
    ("struct A a: []float end struct B a: [2]A end", ["E0326"]),
    ("struct A a: [2][]float end", ["E0326"]),
    ("struct A a: []float end uniform u: A", ["E0326"]),
    ("struct A a: []float end shared u: A", ["E0326"]),
    ("struct A a: []float end function f(a: A) end", ["E0326"]),
    ("struct A a: []float end buffer b: A", []),
    ("struct A n: uint a: [][4]vec3 end buffer b: A buffer c: []A", ["E0326"]),
    # consts
    ("const A: int = 2 + 3 * 4 const B: float = 1 const C = 3 const D: float = C", []),
    ("const A: int = B const B: int = 4 struct S a: [A]float end", []),
    ("const A: float = sin(1) + max(2, 3) const B: vec3 = vec3(1, 2, 3).zyx const C: float = B.x", []),
    ("const A: mat2 = mat2(1) * 2 const B: vec2 = A * vec2(1, 2) const C: vec2 = A[1]", []),
    ("const A: [2]vec2 = [2]vec2 { vec2(1), vec2(2) } const B: float = A[1].y", []),
    ("const A: bool = 1 < 2 and not false or 3 == 4 const B: int = select(A, 1, 2)", []),
    ("const A: int = int(2.7) const B: uint = uint(A) << 3 const C: half = 0.5 const D: float = float(C)", []),
    ("const A: int = 2147483647 + 1 const B: int = -7 / 2 const C: int = -7 % 2 const D: float = -0.5 % 1", []),
    ("const A: int = vec2(1)", ["E0306"]),
    ("const A: int", ["E0515"]),
    ("const A", ["E0515"]),
    ("const A: int = 1.5", ["E0309"]),
    ("const A: int = A", ["E0509"]),
    ("const A: int = B const B: int = C const C: int = A", ["E0509"]),
    ("uniform u: int const A: int = u", ["E0505"]),
    ("function f() -> int return 1 end const A: int = f()", ["E0505"]),
    ("uniform t: sampler2D const A: vec4 = sample(t, vec2(0))", ["E0505"]),
    ("const A: int = 1 / 0", ["E0506"]),
    ("const Z: int = 0 const A: int = 1 % Z", ["E0506"]),
    ("const A: float = 1.0 / 0.0", ["E0507"]),
    ("const Z: float = 0 const A: float = 1.0 / Z", ["E0507"]),
    ("const A: float = 1e30 const B: float = A * A", ["E0507"]),
    ("const A: half = 60000 const B: half = A + A", ["E0507"]),
    ("const A: int = int(1e20)", ["E0505"]),
    ("struct S a: float end const A: S = S { a = 1 }", ["E0508"]),
    ("const A: sampler2D = 1", ["E0325"]),
    ("const A: []float = 1", ["E0326"]),
    ("const A: [2]float = [2]float { 1, 2 } const B: float = A[2]", ["E0317"]),
    ("const A: int = missing const B: int = A + 1 struct S a: [B]float end function f() -> int return A end",
     ["E0301"]),
    ("@spec(0) const A: int = 1 @spec(1) const B: bool = true @spec(2) const C: float = 1 @spec(3) const D: uint = 1", []),
    ("@spec(0) const A: vec2 = vec2(1)", ["E0426"]),
    ("@spec(0) const A: half = 1", ["E0426"]),
    ("@spec(0) const A: int = 1 @spec(0) const B: int = 1", ["E0426"]),
    ("@spec(0) const A: int = 1 const B: int = A", ["E0505"]),
    ("@spec(0) const A: int = 1 struct S a: [A]float end", ["E0505"]),
    ("@spec const A: int = 1", ["E0403"]),
    ("@spec(-1) const A: int = 1", ["E0403"]),
    ("@spec(x) const A: int = 1", ["E0301"]),
]

WARNINGS = [
    ("let q = 1", ["W0901"]),
    ("let q = 1  q = 2  q += 3", ["W0901"]),
    ("let q = v2  q.x = 2", ["W0901"]),
    ("let _q = 1", []),
    ("let q = 1  let _r = q", []),
    ("let q: int = 1  a[q] = 2", []),
    ("let q = 1  do let q = 2  x = q end", ["W0901"]),
    ("for q = 0, 4 do touch(1) end", []),
    ("return\ntouch(1)", ["W0904"]),
    ("return\ntouch(1)  touch(2)", ["W0904"]),
    ("if b then return end  touch(1)", []),
    ("if b then return else return end  touch(1)", ["W0904"]),
    ("do return end  touch(1)", ["W0904"]),
    ("discard()  touch(1)", ["W0904"]),
    ("while b do touch(1) end", ["W0905"]),
    ("@max_iterations(4) while b do touch(1) end", []),
    ("sin(x)", ["W0907"]),
    ("vec3(x)", ["W0907"]),
    ("texel_fetch(tex, iv2, 0)", ["W0907"]),
    ("half_of(x)", []),
    ("atomic_add(counters[0], 1)", []),
]

_STATED = "struct S @unit n: vec3 end"
_FRAGMENT = "@entry(fragment) function f({}) end"
WHOLE_WARNINGS = [
    ("function f(x: float) end", ["W0902"]),
    ("function f(_x: float) end", []),
    ("function f(x: float) x = 2 end", ["W0902"]),
    ("function f() end", []),
    ("function f() end @entry(compute) @workgroup_size(1) function g() end", ["W0903"]),
    ("function _f() end @entry(compute) @workgroup_size(1) function g() end", []),
    ("function f() end @entry(compute) @workgroup_size(1) function g() f() end", []),
    ("function f() let q = 1 let r = missing end", []),
    ("@entry(vertex) function f() end", ["W0906"]),
    ("struct P a: [9]vec4 end @push_constant uniform p: P", ["W0908"]),
    ("struct P a: [8]vec4 end @push_constant uniform p: P", []),
    (f"{_STATED} buffer storage s: S", ["W0909"]),
    (f"{_STATED} buffer s: [][2]S", ["W0909"]),
    (f"{_STATED} struct T a: int s: [2]S end buffer s: T", ["W0909"]),
    (f"{_STATED} buffer readonly s: S buffer writeonly t: S uniform u: S shared v: S", []),
    ("struct S n: vec3 end buffer storage s: S", []),
    (_FRAGMENT.format("@unit _n: vec3"), ["W0910"]),
    (_FRAGMENT.format("@rigid _n: mat3"), ["W0910"]),
    (_FRAGMENT.format("@interpolation(noperspective) @unit _n: [2]vec3"), ["W0910"]),
    (_FRAGMENT.format("@interpolation(flat) @unit _n: vec3"), []),
    (_FRAGMENT.format("@range(0, 1) @nonnegative _n: vec3, @affine _m: mat4"), []),
    ("@entry(vertex) function f(@unit n: vec3) -> (@builtin(position) p: vec4) "
     "return { p = vec4(n, 1) } end", []),
    (f"@varying {_STATED} @entry(fragment) function f(_s: S) end "
     "@entry(fragment) function g(_s: S) end", ["W0910"]),
]
# fmt: on


@pytest.mark.parametrize("statements", ACCEPTED)
def test_accepted(statements: str) -> None:
    assert codes(in_function(statements)) == []


@pytest.mark.parametrize(("statements", "expected"), REFUSED)
def test_refused(statements: str, expected: list[str]) -> None:
    assert codes(in_function(statements)) == expected


@pytest.mark.parametrize(("source", "expected"), WHOLE)
def test_declarations(source: str, expected: list[str]) -> None:
    assert codes(source) == expected


@pytest.mark.parametrize(("statements", "expected"), WARNINGS)
def test_warnings_in_statements(statements: str, expected: list[str]) -> None:
    found = codes(in_function(statements), Level.WARNING)
    assert [c for c in found if c != "W0902"] == expected


@pytest.mark.parametrize(("source", "expected"), WHOLE_WARNINGS)
def test_warnings(source: str, expected: list[str]) -> None:
    assert codes(source, Level.WARNING) == expected
