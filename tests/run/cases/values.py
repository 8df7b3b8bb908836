"""Matrices, arrays and structs as values: parameters, copies, run-time indices, shapes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from tests.harness.cases import Case
from tests.harness.programs import Check, checks, program
from tests.harness.reference import Spec, array, f32

_RNG = np.random.default_rng(61)
M3 = _RNG.uniform(-2, 2, (3, 3)).astype(f32)
M23 = _RNG.uniform(-2, 2, (2, 3)).astype(f32)  # two columns of three rows: m[c, r]
M32 = _RNG.uniform(-2, 2, (3, 2)).astype(f32)
M4 = _RNG.uniform(-2, 2, (4, 4)).astype(f32)
V2, V3, V4 = (_RNG.uniform(-2, 2, n).astype(f32) for n in (2, 3, 4))


def _matrix_parameters() -> Case:
    declared = """
function apply(m: mat3, v: vec3) -> vec3
  return m * v
end

function turned(m: mat2x3) -> mat3x2
  m[0] *= 2.0
  return transpose(m)
end

function corner(m: mat4, k: int) -> float
  m[k].w += 1.0
  return m[k].w + m[0][k]
end
"""
    doubled = M23 * np.array([[2], [1]], f32)
    grown = M4[2, 3] + 1 + M4[0, 2]
    rows: list[Check] = [
        ("apply(m, v)", V3 @ M3), ("apply(transpose(m), v)", M3 @ V3),
        ("turned(t)[0]", doubled[:, 0]), ("turned(t)[2]", doubled[:, 2]), ("t[0]", M23[0]),
        ("corner(q, k)", grown), ("q[2].w", M4[2, 3]), ("apply(mat3(2.0), v)", 2 * V3),
    ]  # fmt: skip
    inputs: dict[str, tuple[str, Any]] = {
        "m": ("mat3", M3), "t": ("mat2x3", M23), "q": ("mat4", M4), "v": ("vec3", V3),
        "k": ("int", 2),
    }  # fmt: skip
    return checks("matrix_parameters", rows, declared=declared, inputs=inputs, atol=1e-5)


def _scalar_matrices() -> Case:
    rows: list[Check] = []
    for c in (2, 3, 4):
        for r in (2, 3, 4):
            name = f"mat{c}x{r}"
            for scalar, value in (("7.0", 7), ("s", 2.5)):
                for column in (0, c - 1):
                    rows.append((f"{name}({scalar})[{column}]", value * np.eye(c, r)[column]))
    return checks("matrices_of_one_scalar", rows, inputs={"s": ("float", 2.5)})


def _matrix_conversions() -> Case:
    rows: list[Check] = [
        ("mat2(m)[1]", M3[1, :2]), ("mat3(q)[2]", M4[2, :3]), ("mat4(m)[3]", [0, 0, 0, 1]),
        ("mat4(m)[0]", [*M3[0], 0]), ("mat2x3(q)[1]", M4[1, :3]), ("mat3(t)[2]", [0, 0, 1]),
        ("mat3(t)[1]", M23[1]), ("mat4x2(m)[3]", [0, 0]), ("mat2(v2, v2.yx)[1]", V2[::-1]),
        ("mat2(1.0, 2.0, 3.0, v.x)[1]",
        [3, V3[0]]),
    ]  # fmt: skip
    inputs: dict[str, tuple[str, Any]] = {
        "m": ("mat3", M3), "t": ("mat2x3", M23), "q": ("mat4", M4), "v": ("vec3", V3),
        "v2": ("vec2", V2),
    }  # fmt: skip
    return checks("matrix_conversions", rows, inputs=inputs)


def _matrix_chains() -> Case:
    """Products of several factors, where an order that is swapped once shows."""
    rows: list[Check] = [
        ("a * t * u * v", V3 @ M32 @ M23 @ M3),
        ("v * a * t", M23 @ (M3 @ V3)), ("(t * u) * v", V3 @ (M32 @ M23)), ("t * (u * v)",
        V3 @ M32 @ M23), ("v2 * u", M32 @ V2), ("t * v2", V2 @ M23), ("transpose(t) * v",
        M23 @ V3), ("v * t", M23 @ V3), ("dot(v * a, v)", V3 @ (M3 @ V3)), ("(a * a)[1]",
        M3[1] @ M3), ("(2.0 * a * v) / 4.0", V3 @ M3 / 2), ("(a - transpose(a))[0]",
        M3[0] - M3[:, 0]), ("a * v * 2.0 + v", 2 * (V3 @ M3) + V3),
        ("(inverse(a) * (a * v))", V3), ("determinant(a)", np.linalg.det(M3)),
        ("determinant(mat2(v2, v2.yx))", V2[0] ** 2 - V2[1] ** 2),
    ]  # fmt: skip
    inputs: dict[str, tuple[str, Any]] = {
        "a": ("mat3", M3), "t": ("mat2x3", M23), "u": ("mat3x2", M32), "v": ("vec3", V3),
        "v2": ("vec2", V2),
    }  # fmt: skip
    return checks("matrix_chains", rows, inputs=inputs, atol=3e-5, rtol=3e-5)


def _indices() -> Case:
    declared = """
function made() -> mat3
  return m * 2.0
end

function parts() -> [4]float
  return [4]float { v.x, v.y, v.z, 9.0 }
end
"""
    body = """  let sum = vec3(0.0)
  let last = 0.0
  for c = 0, 3 do
    sum += m[c] * float(c + 1)
    last = last * 2.0 + m[c][2 - c]
  end
  let copy = made()
  copy[k + 1].x = 5.0
  copy[k][k + 1] -= 1.0
  let row = vec3(copy[0].x, copy[1].x, copy[2].x)"""
    made = M3 * 2
    made[2, 0] = 5
    made[1, 2] -= 1
    rows: list[Check] = [
        ("sum", M3[0] + 2 * M3[1] + 3 * M3[2]), ("last", (M3[0, 2] * 2 + M3[1, 1]) * 2 + M3[2, 0]),
        ("made()[k]", 2 * M3[1]), ("made()[k][k + 1]", 2 * M3[1, 2]), ("copy[k]", made[1]),
        ("row", made[:, 0]), ("parts()[k]", V3[1]), ("parts()[k + 2]", 9), ("(v * 2.0)[k]",
        2 * V3[1]), ("(m * v)[k]", (V3 @ M3)[1]), ("transpose(m)[k].zy", M3[[2, 1], 1]),
    ]  # fmt: skip
    inputs: dict[str, tuple[str, Any]] = {"m": ("mat3", M3), "v": ("vec3", V3), "k": ("int", 1)}
    return checks("indices_of_values", rows, body=body, declared=declared, inputs=inputs, atol=1e-5)


def _nested_matrices() -> Case:
    inner: Spec = {"m": "mat4"}
    spec: Spec = {"a": "mat4", "b": array(inner, 6), "c": "mat2x3"}
    value = {
        "a": M4,
        "b": [{"m": M4 * (n + 1) + n} for n in range(6)],
        "c": M23,
    }
    declared = """struct Inner
  m: mat4
end

struct All
  a: mat4
  b: [6]Inner
  c: mat2x3
end

"""
    body = """  let v = all.a * all.b[i].m[1]
  out[i * 4] = v.x
  out[i * 4 + 1] = (all.b[5 - i].m * vec4(1.0, 0.0, 2.0, 0.0)).w
  out[i * 4 + 2] = all.c[i % 2].z
  out[i * 4 + 3] = (vec3(1.0, 2.0, 3.0) * all.c)[i % 2]"""
    rows = []
    for i in range(4):
        m, other = M4 * (i + 1) + i, M4 * (6 - i) + (5 - i)
        weighted = M23[i % 2] @ np.array([1, 2, 3])
        rows.append([m[1] @ M4[:, 0], other[0, 3] + 2 * other[2, 3], M23[i % 2, 2], weighted])
    buffers = {"all": (declared + "buffer readonly all: All", spec, value)}
    return program(
        "matrices_in_nested_structs", body, rows, buffers=buffers, runs=4, atol=1e-4, rtol=1e-5
    )


def _arrays() -> Case:
    declared = """
struct Box
  rows: [2]vec3
  names: [3]int
end

function spread(k: float) -> [4]vec2
  return [4]vec2 { vec2(k), vec2(k, 0.0), vec2(0.0, k), vec2(-k) }
end

function bumped(values: [4]vec2) -> [4]vec2
  values[1].x += 100.0
  return values
end

function boxed(k: int) -> Box
  return Box { rows = [2]vec3 { vec3(1.0), vec3(float(k)) }, names = [3]int { k, k + 1, k + 2 } }
end
"""
    body = """  let a = spread(f)
  let b = a
  b[0] = vec2(7.0, 8.0)
  let c = bumped(a)
  let box = boxed(k)
  let other = box
  other.rows[1].y = 50.0
  other.names[k] = -1
  let grid = [2][3]float { [3]float { 1.0, 2.0, 3.0 }, [3]float { 4.0, 5.0, 6.0 } }
  grid[1] = grid[0]
  grid[0][k] = f
  let flags = [3]bool { true, false, f > 1.0 }
  let list = [2]Box { box, other }"""
    rows: list[Check] = [
        ("a[0]", [1.5, 1.5]), ("b[0]", [7, 8]), ("b[3]", [-1.5, -1.5]), ("c[1]", [101.5, 0]),
        ("a[1]", [1.5, 0]), ("a[k + 1]", [-1.5, -1.5]), ("box.rows[1]", [2, 2, 2]),
        ("other.rows[1]", [2, 50, 2]), ("float(other.names[2])", -1), ("float(box.names[2])", 4),
        ("grid[0][2]", 1.5), ("grid[1][2]", 3), ("grid[k - 1][1]", 2), ("float(flags[k])", 1),
        ("float(flags[1])", 0), ("list[1].rows[1]", [2, 50, 2]), ("float(list[k - 2].names[1])",
        3), ("spread(2.0)[k]", [0, 2]), ("float(boxed(5).names[k])", 7),
    ]  # fmt: skip
    inputs = {"f": ("float", 1.5), "k": ("int", 2)}
    return checks("arrays_as_values", rows, body=body, declared=declared, inputs=inputs)


def _structs() -> Case:
    declared = """
struct Inner
  v: vec2
  n: int
end

struct Outer
  first: Inner
  on: bool
  second: Inner
end

function swapped(o: Outer) -> Outer
  return Outer { second = o.first, first = o.second, on = not o.on }
end

function made(n: int) -> Inner
  return { n = n, v = vec2(float(n), 0.5) }
end
"""
    body = """  let second = Inner { v = vec2(f), n = 8 }
  let o = Outer { first = made(k), on = f > 9.0, second = second }
  let p = swapped(o)
  let q = p
  q.first.v.yx = vec2(1.0, 2.0)
  q.second = o.second
  q.second.n *= 3
  let r: Inner = { v = q.first.v.yx, n = -1 }
  if k > 1 then
    r = o.first
  end"""
    rows: list[Check] = [
        ("o.first.v", [3, 0.5]), ("p.first.v", [1.5, 1.5]), ("p.second.v", [3, 0.5]),
        ("float(p.first.n)", 8), ("float(p.on)", 1), ("float(o.on)", 0), ("q.first.v", [2, 1]),
        ("float(q.second.n)", 24), ("float(o.second.n)", 8), ("r.v", [3, 0.5]), ("float(r.n)", 3),
        ("swapped(swapped(o)).first.v", [3, 0.5]), ("made(4).v.x", 4),
    ]  # fmt: skip
    inputs = {"f": ("float", 1.5), "k": ("int", 3)}
    return checks("structs_as_values", rows, body=body, declared=declared, inputs=inputs)


def _bool_vectors() -> Case:
    declared = """
function parity(b: bvec4) -> bvec4
  b.xz = b.zx
  b.w = not b.w
  return b
end
"""
    body = """  let p = parity(b)
  let many = bvec3(f > 1.0, f > 2.0, k == 3)
  many.y = many.x and many.z
  let mixed = select(many, vec3(f), vec3(-1.0))"""
    rows: list[Check] = [
        ("vec4(p)", [0, 1, 1, 1]), ("vec3(many)", [1, 1, 1]), ("mixed", [1.5] * 3),
        ("float(any(p.xx))", 0), ("float(all(many))", 1), ("float(none(not_equal(p, p)))", 1),
        ("float(p == bvec4(false, true, true, true))", 1), ("float(b[k - 3])", 1),
        ("vec2(b.zy)", [0, 1]), ("float(ivec4(b).x + ivec4(b).w)", 1), ("float(p[k])", 1),
    ]  # fmt: skip
    inputs = {"b": ("bvec4", [1, 1, 0, 0]), "f": ("float", 1.5), "k": ("int", 3)}
    return checks("bool_vectors_as_values", rows, body=body, declared=declared, inputs=inputs)


def _functions() -> Case:
    declared = """
const SCALE: float = 0.5
shared scratch: [4]float

function twice(x: float) -> float
  return later(x) + later(x + 1.0)
end

function later(x: float) -> float
  x *= SCALE
  return x
end

function pair(a: int, b: int) -> ivec2
  let t = a
  a = b
  b = t
  return ivec2(a, b)
end

function clear(k: int)
  scratch[k] = -5.0
end

function deep(n: int, x: float) -> float
  if n > 2 then
    return twice(x) * 2.0
  end
  return twice(twice(x))
end
"""
    body = "  clear(0)\n  clear(k + 1)"
    rows: list[Check] = [
        ("twice(f)", 2.0), ("later(later(f))", 0.375), ("vec2(pair(k, 7))", [7, 2]),
        ("deep(k, f)", 2.5), ("deep(k + 1, f)", 4), ("f", 1.5), ("twice(1.0)", 1.5),
        ("later(twice(later(2.0)))", 0.75), ("scratch[0] + scratch[k + 1]", -10),
    ]  # fmt: skip
    inputs = {"f": ("float", 1.5), "k": ("int", 2)}
    return checks("functions", rows, body=body, declared=declared, inputs=inputs)


def _cases() -> Iterator[Case]:
    for make in (
        _matrix_parameters, _scalar_matrices, _matrix_conversions, _matrix_chains, _indices,
        _nested_matrices, _arrays, _structs, _bool_vectors, _functions,
    ):  # fmt: skip
        yield make()


CASES = tuple(_cases())
