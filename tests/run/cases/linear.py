"""Geometry, matrices, bool vectors and packing: what is not component-wise."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from tests.harness.cases import Case, Expected, Key
from tests.harness.jobs import Dispatch, Storage, Uniform, Values
from tests.harness.reference import STD140, f32, pack

#: The operations that the cases exercise.
COVERED = """
length distance dot cross normalize reflect refract faceforward
mat_scale mat_vec vec_mat mat_mat transpose inverse determinant outer_product
any all none and or not pack_snorm4x8 unpack_snorm4x8 pack_unorm4x8 unpack_unorm4x8
pack_snorm2x16 unpack_snorm2x16 pack_unorm2x16 unpack_unorm2x16 pack_half2x16
unpack_half2x16
"""


def _one_run(name: str, source: str, inputs: dict[str, tuple[str, Any]], out: Expected) -> Case:
    """A case of one invocation: uniforms ``inputs`` (type, value) in order, then the output."""

    def job() -> Dispatch:
        uniforms = {
            (0, i): Uniform(pack(spec, value, STD140))
            for i, (spec, value) in enumerate(inputs.values())
        }
        size = out.values.nbytes
        return Dispatch("main", (1, 1, 1), {**uniforms, (0, len(inputs)): Storage(bytes(size))})

    def expected() -> Mapping[Key, Expected]:
        return {(0, len(inputs)): out}

    declared = [f"uniform {n}: {spec}" for n, (spec, _) in inputs.items()]
    declared.append(f"buffer writeonly out: []{_LUMA_SCALAR[out.values.dtype.str]}")
    return Case(name, "\n".join([*declared, source]), job, expected)


_LUMA_SCALAR = {"<f4": "float", "<i4": "int", "<u4": "uint"}


def _main(lines: list[str]) -> str:
    return "\n".join(["@entry(compute) @workgroup_size(1)", "function main()", *lines, "end", ""])


def _stores(results: list[tuple[str, int]]) -> list[str]:
    """Statements that put results (expression, width) into the output one after the other."""
    lines, at = [], 0
    for k, (expression, width) in enumerate(results):
        lines.append(f"  let r{k} = {expression}")
        for c in range(width):
            part = f"r{k}.{'xyzw'[c]}" if width > 1 else f"r{k}"
            lines.append(f"  out[{at}] = {part}")
            at += 1
    return lines


# ---------------------------------------------------------------- geometry


def _refract(i: Values, n: Values, eta: float) -> Values:
    d = n @ i
    k = 1 - eta * eta * (1 - d * d)
    return np.zeros_like(i) if k < 0 else i * eta - n * (eta * d + np.sqrt(k))


def _geometry(size: int) -> Case:
    rng = np.random.default_rng(size)
    a, b, n = rng.uniform(-2, 2, (3, size)).astype(f32)
    n = (n / np.linalg.norm(n)).astype(f32)
    rows: list[tuple[str, Any]] = [
        ("length(a)", np.linalg.norm(a)),
        ("distance(a, b)", np.linalg.norm(a - b)),
        ("dot(a, b)", a @ b),
        ("normalize(b)", b / np.linalg.norm(b)),
        ("reflect(a, n)", a - 2 * (n @ a) * n),
        ("refract(normalize(a), n, 0.75)", _refract(a / np.linalg.norm(a), n, 0.75)),
        ("refract(normalize(a), n, 4.0)", _refract(a / np.linalg.norm(a), n, 4.0)),
        ("faceforward(n, a, b)", n if b @ a < 0 else -n),
        ("faceforward(n, a, -b)", n if -b @ a < 0 else -n),
    ]
    if size == 3:
        rows += [("cross(a, b)", np.cross(a, b)), ("cross(b, n)", np.cross(b, n))]
    values = np.concatenate([np.atleast_1d(v) for _, v in rows]).astype(f32)
    source = _main(_stores([(e, np.size(v)) for e, v in rows]))
    vector = f"vec{size}"
    inputs = {"a": (vector, a), "b": (vector, b), "n": (vector, n)}
    return _one_run(f"geometry_{vector}", source, inputs, Expected(values, atol=3e-6, rtol=1e-6))


# ---------------------------------------------------------------- matrices (m[c, r])


def _matrix_name(columns: int, rows: int) -> str:
    return f"mat{columns}" if columns == rows else f"mat{columns}x{rows}"


def _matrix(columns: int, rows: int) -> Case:
    rng = np.random.default_rng(columns * 10 + rows)
    m, other = rng.uniform(-2, 2, (2, columns, rows)).astype(f32)
    narrow = rng.uniform(-2, 2, (2, columns)).astype(f32)  # 2 columns of `columns` rows
    v, w = rng.uniform(-2, 2, columns).astype(f32), rng.uniform(-2, 2, rows).astype(f32)
    name = _matrix_name(columns, rows)
    results: list[tuple[str, Values]] = [
        ("m * v", m.T @ v),
        ("w * m", m @ w),
        ("(m * narrow)[1]", m.T @ narrow[1]),
        ("(m + o)[0]", m[0] + other[0]),
        ("(m - o)[1]", m[1] - other[1]),
        ("(-m)[0]", -m[0]),
        ("(m * 2.5)[0]", m[0] * 2.5),
        ("(2.5 * m)[1]", m[1] * 2.5),
        ("(m / 4.0)[1]", m[1] / 4),
        ("transpose(m)[1]", m[:, 1]),
        ("outer_product(w, v)[1]", w * v[1]),
        (f"{name}(3.0)[1]", np.where(np.arange(rows) == 1, 3, 0)),
        (f"{name}(m[1], {', '.join(f'm[{c % columns}]' for c in range(columns - 1))})[0]", m[1]),
        (f"{name}({', '.join(f'{n}.0' for n in range(columns * rows))})[1]",
         np.arange(rows, 2 * rows)),
        ("mat4(m)[3]", _grown(m)[3]),
        ("mat4(m)[1]", _grown(m)[1]),
        ("mat2(m)[1]", m[1, :2]),
        ("m[last]", m[columns - 1]),
        ("vec2(m[1][last_row], m[0].y)", np.array([m[1, rows - 1], m[0, 1]])),
        ("vec2(float(m == m), float(m != m))", np.array([1, 0])),
        ("vec2(float(m == o), float(m != o))", np.array([0, 1])),
        ("changed(m, last)[1]", _changed(m, columns - 1)[1]),
        (f"changed(m, last)[{columns - 1}]", _changed(m, columns - 1)[columns - 1]),
    ]  # fmt: skip
    if columns == rows:
        inverse = np.linalg.inv(m.astype(np.float64))
        results += [
            ("inverse(m)[0]", inverse[0]),
            ("inverse(m)[1]", inverse[1]),
            ("inverse(m) * (m * v)", v),
            ("vec2(determinant(m), determinant(o))",
             np.array([np.linalg.det(m), np.linalg.det(other)])),
        ]  # fmt: skip
    values = np.concatenate([v for _, v in results]).astype(f32)
    helper = f"""
function changed(m: {name}, at: int) -> {name}
  m[1].y = 9.0
  m[at] = m[0] * 2.0
  m[at][0] += 0.5
  m[0] += m[at]
  return m
end
"""
    bounds = [
        f"  let last = last_column + {columns - 1}",
        f"  let last_row = last_column + {rows - 1}",
    ]
    source = helper + _main([*bounds, *_stores([(e, v.size) for e, v in results])])
    inputs = {
        "m": (name, m),
        "o": (name, other),
        "narrow": (_matrix_name(2, columns), narrow),
        "v": (f"vec{columns}", v),
        "w": (f"vec{rows}", w),
        "last_column": ("int", 0),
    }
    return _one_run(f"matrix_{name}", source, inputs, Expected(values, atol=2e-5, rtol=2e-5))


def _grown(m: Values) -> Values:
    result: Values = np.eye(4, dtype=f32)
    result[: m.shape[0], : m.shape[1]] = m
    return result


def _changed(m: Values, at: int) -> Values:
    m = m.copy()
    m[1, 1] = 9
    m[at] = m[0] * 2
    m[at, 0] += 0.5
    m[0] += m[at]
    return m


# ---------------------------------------------------------------- bools

_BOOLS = """
function flip(b: bvec3) -> bvec3
  return select(b, bvec3(false), bvec3(true))
end

function count(a: bvec3, b: bvec4) -> float
  let n = 0.0
  if any(a) and not all(a) then n += 1.0 end
  if none(flip(a)) or all(b) then n += 2.0 end
  if a.x == b.y and a != flip(a) then n += 4.0 end
  if not (a.y and b.w or a.z) then n += 8.0 end
  return n
end
"""


def _bools() -> Case:
    rows: list[tuple[str, float]] = [
        ("float(any(t))", 1), ("float(any(f))", 0), ("float(all(t))", 0), ("float(all(y))", 1),
        ("float(none(t))", 0), ("float(none(f))", 1), ("float(t == t)", 1), ("float(t != f)", 1),
        ("float(t.x)", 1), ("float(t.y)", 0), ("float(not t.x)", 0), ("float(t.x and t.y)", 0),
        ("float(t.x or t.y)", 1), ("float(bool(3.5) and bool(2))", 1), ("float(bool(zero))", 0),
        ("count(t, bvec4(t, true))", _count([True, False, True], [True, False, True, True])),
        ("float(int(t.x) + int(t.y))", 1), ("float(uint(t.z))", 1),
        ("vec3(t).z", 1), ("float(ivec3(t).y)", 0),
        ("float(bvec2(zero, 2.0).y)", 1), ("float(any(not_equal(bvec3(true), t)))", 1),
    ]  # fmt: skip
    values = np.array([v for _, v in rows], f32)
    source = _BOOLS + _main(_stores([(e, 1) for e, _ in rows]))
    inputs = {
        "t": ("bvec3", [1, 0, 1]),
        "f": ("bvec3", [0, 0, 0]),
        "y": ("bvec3", [1, 1, 1]),
        "zero": ("float", 0),
    }
    return _one_run("bools", source, inputs, Expected(values))


def _count(a: list[bool], b: list[bool]) -> float:
    flipped = [not x for x in a]
    n = 0.0
    n += 1 if any(a) and not all(a) else 0
    n += 2 if not any(flipped) or all(b) else 0
    n += 4 if a[0] == b[1] and a != flipped else 0
    n += 8 if not ((a[1] and b[3]) or a[2]) else 0
    return n


# ---------------------------------------------------------------- packing

_COLOR = np.array([0.1, -0.6, 0.83, 1.7], f32)
_PAIR = np.array([-0.37, 0.92], f32)
_WORD = 0x7F81C05B


def _norm(values: Values, bits: int, signed: bool) -> int:
    top = 2 ** (bits - 1) - 1 if signed else 2**bits - 1
    clipped = np.clip(values, -1 if signed else 0, 1)
    word = 0
    for lane, x in enumerate(np.round(clipped * f32(top)).astype(int)):
        word |= (int(x) & (2**bits - 1)) << (bits * lane)
    return word


def _halves(values: Values) -> int:
    return int(np.frombuffer(values.astype("<f2").tobytes(), "<u4")[0])


def _packing() -> Case:
    words = [
        ("pack_snorm4x8(color)", _norm(_COLOR, 8, True)),
        ("pack_unorm4x8(color)", _norm(_COLOR, 8, False)),
        ("pack_snorm2x16(pair)", _norm(_PAIR, 16, True)),
        ("pack_unorm2x16(pair)", _norm(_PAIR, 16, False)),
        ("pack_half2x16(pair * 100.0)", _halves(_PAIR * f32(100))),
    ]
    source = _main(_stores([(e, 1) for e, _ in words]))
    values = np.array([w for _, w in words], np.uint32)
    inputs = {"color": ("vec4", _COLOR), "pair": ("vec2", _PAIR)}
    return _one_run("packing", source, inputs, Expected(values))


def _unpacking() -> Case:
    raw = struct.pack("<I", _WORD)
    s8, u8 = np.frombuffer(raw, np.int8), np.frombuffer(raw, np.uint8)
    s16, u16 = np.frombuffer(raw, "<i2"), np.frombuffer(raw, "<u2")
    rows: list[tuple[str, Values]] = [
        ("unpack_snorm4x8(word)", np.maximum(s8 / 127, -1)),
        ("unpack_unorm4x8(word)", u8 / 255),
        ("unpack_snorm2x16(word)", np.maximum(s16 / 32767, -1)),
        ("unpack_unorm2x16(word)", u16 / 65535),
        ("unpack_half2x16(halves)", np.array([1.5, -0.25])),
    ]
    source = _main(_stores([(e, v.size) for e, v in rows]))
    values = np.concatenate([v for _, v in rows]).astype(f32)
    halves = _halves(np.array([1.5, -0.25], f32))
    inputs = {"word": ("uint", _WORD), "halves": ("uint", halves)}
    return _one_run("unpacking", source, inputs, Expected(values, atol=1e-6))


def _cases() -> Iterator[Case]:
    for size in (2, 3, 4):
        yield _geometry(size)
    for columns in (2, 3, 4):
        for rows in (2, 3, 4):
            yield _matrix(columns, rows)
    yield _bools()
    yield _packing()
    yield _unpacking()


CASES = tuple(_cases())
