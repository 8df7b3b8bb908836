"""Facts in every place where they may stand, with data that hold them.

And values of which nothing may be taken for granted, though something is stated nearby.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from tests.harness.cases import Case, Expected, Key
from tests.harness.jobs import Dispatch, Draw, Storage, Uniform, Values
from tests.harness.reference import (
    STD140,
    STD430,
    array,
    f32,
    interpolate,
    pack,
    rasterise,
)

_RNG = np.random.default_rng(23)


def _directions(*shape: int) -> Values:
    found = _RNG.normal(size=(*shape, 3))
    result: Values = found / np.linalg.norm(found, axis=-1, keepdims=True)
    return result


def _turns(count: int) -> Values:
    """Rotations, as arrays of columns."""
    found, _ = np.linalg.qr(_RNG.normal(size=(count, 3, 3)))
    result: Values = found * np.sign(np.linalg.det(found))[:, None, None]
    return result


# ---------------------------------------------------------------- memory and parameters

_MEMORY = """
struct Part
  @unit normal: vec3
  @nonnegative count: int
  @range(-1.0, 1.0) bends: [2]vec2
  loose: vec3
end

@unit uniform sun: vec3
@rigid uniform turns: [3]mat3
@affine uniform model: mat4
@range(-20, 20) uniform small: ivec2
uniform which: int
@unit buffer readonly ways: []vec3
buffer readonly parts: []Part
buffer storage own: [2]Part
buffer writeonly out: []vec4

function ratio(@nonnegative n: int, @range(0.25, 4.0) x: float) -> float
  return float(n / 4) + sqrt(x * x) + abs(float(n % 8))
end

function squared(v: vec3) -> float
  return length(v) * length(v)
end

function lit(@unit n: vec3, @unit l: vec3, k: float) -> float
  let h = normalize(n + l)
  return max(dot(normalize(n), normalize(l)), 0.0) + dot(n, h) + squared(-n) * k
end

function back(@rigid turn: mat3, @affine m: mat4, p: vec4) -> vec4
  return vec4(inverse(turn) * p.xyz, determinant(turn)) + inverse(m) * p
end

function shared_part(part: Part) -> vec4
  return vec4(normalize(part.normal), length(part.normal))
end

function pulled(@unit n: vec3) -> vec3
  n = n * 3.0
  return n * length(n)
end

@entry(compute) @workgroup_size(1)
function main(@builtin(global_invocation_id) @range(0, 7) id: uvec3)
  let p = vec4(parts[1].loose, 1.0)
  out[0] = vec4(normalize(sun) + cross(sun, normalize(ways[2])), length(ways[which]))
  out[1] = vec4(inverse(turns[which]) * p.xyz, determinant(turns[2]))
  out[2] = inverse(model) * p + vec4(normalize(turns[1][2]), 0.0)
  out[3] = vec4(float(small.x / 4), float(small.y % 8), abs(float(small.x)), float(small.y / 2))
  out[4] = vec4(
    float(parts[which].count / 8), length(parts[which].normal),
    clamp(parts[0].bends[1].x, -1.0, 1.0), length(normalize(parts[1].loose))
  )
  out[5] = vec4(
    lit(parts[0].normal, sun, 2.0), lit(ways[1], parts[1].normal, p.x), ratio(which * 13, 1.5),
    ratio(parts[1].count, 0.5)
  )
  out[6] = back(turns[0], model, p)
  -- the same struct, made here: what is stated of its fields is not so
  let copy = parts[1]
  copy.normal = p.xyz
  let made = Part { normal = p.xyz * 2.0, count = -9, bends = parts[0].bends, loose = p.xyz }
  out[7] = shared_part(copy) + shared_part(made) * 0.5
  out[8] = vec4(float(made.count / 4), length(copy.normal), float(made.count % 4), 0.0)
  -- memory that is written
  own[0].normal = p.xyz
  own[1].count = -11
  out[9] = vec4(normalize(own[which - 2].normal), float(own[which - 1].count / 4))
  -- an argument of which something is stated in one arm only
  let sizes = vec3(length(p.xyz), 0.0, 0.0)
  if sizes.x > 0.9 and sizes.x < 1.1 then
    sizes.y = lit(p.xyz, sun, 1.0)
  else
    sizes.y = length(p.xyz) * 2.0
  end
  if which == 2 then
    sizes.z = lit(ways[0], sun, 1.0)
  else
    sizes.z = lit(p.xyz, p.xyz, 1.0)
  end
  out[10] = vec4(sizes, float(id.x / 2))
  out[11] = vec4(pulled(ways[1]), 0.0)
end
"""

_PART = {"normal": "vec3", "count": "int", "bends": array("vec2", 2), "loose": "vec3"}
_WHICH = 2
SUN, WAYS, NORMALS, TURNS = _directions(), _directions(4), _directions(3), _turns(3)
LOOSE = _RNG.uniform(0.5, 2, (3, 3))
BENDS = _RNG.uniform(-1, 1, (3, 2, 2))
COUNTS = np.array([5, 18, 77])
SMALL = np.array([-19, 15])
MODEL = np.eye(4)  # m[c, r]
MODEL[:3, :3] = _RNG.uniform(-1, 1, (3, 3)) + 2 * np.eye(3)
MODEL[3, :3] = 2.0, -1.0, 0.5


def _parts() -> list[dict[str, Values]]:
    rows = zip(NORMALS, COUNTS, BENDS, LOOSE, strict=True)
    return [dict(zip(_PART, row, strict=True)) for row in rows]


def _memory_job() -> Dispatch:
    uniforms = (
        ("vec3", SUN), (array("mat3", 3), TURNS), ("mat4", MODEL), ("ivec2", SMALL),
        ("int", np.array(_WHICH)),
    )  # fmt: skip
    buffers = (
        pack(array("vec3"), WAYS, STD430),
        pack(array(_PART), _parts(), STD430),
        pack(array(_PART, 2), _parts()[:2], STD430),
        bytes(16 * 12),
    )
    bound: list[Uniform | Storage] = [Uniform(pack(s, v, STD140)) for s, v in uniforms]
    bound += map(Storage, buffers)
    return Dispatch("main", (1, 1, 1), {(0, at): what for at, what in enumerate(bound)})


def _unit(v: Values) -> Values:
    result: Values = v / np.linalg.norm(v)
    return result


def _lit(n: Values, to: Values, k: float) -> float:
    return float(max(n @ to, 0.0) + n @ _unit(n + to) + n @ n * k)


def _ratio(n: int, x: float) -> float:
    return n // 4 + x + n % 8


def _memory() -> Mapping[Key, Expected]:
    p = np.append(LOOSE[1], 1.0)
    v, size = p[:3], float(np.linalg.norm(p[:3]))
    assert size > 1.1
    turned = TURNS[_WHICH] @ v  # of rows that are the matrix's columns: its transpose
    back = np.append(TURNS[0] @ v, 1.0)
    inverse = p @ np.linalg.inv(MODEL)
    rows = [
        np.append(SUN + np.cross(SUN, WAYS[2]), 1.0),
        np.append(turned, 1.0),
        inverse + np.append(TURNS[1][2], 0.0),
        np.array([-4.0, 7.0, 19.0, 7.0]),
        np.array([9.0, 1.0, BENDS[0, 1, 0], 1.0]),
        np.array([
            _lit(NORMALS[0], SUN, 2.0), _lit(WAYS[1], NORMALS[1], v[0]), _ratio(26, 1.5),
            _ratio(18, 0.5),
        ]),
        back + inverse,
        np.append(_unit(v), size) + np.append(_unit(v), 2 * size) * 0.5,
        np.array([-2.0, size, -1.0, 0.0]),
        np.append(_unit(v), -2.0),
        np.array([size, 2 * size, _lit(WAYS[0], SUN, 1.0), 0.0]),
        np.append(WAYS[1] * 9.0, 0.0),
    ]  # fmt: skip
    return {(0, 8): Expected(np.concatenate(rows).astype(f32), atol=2e-4, rtol=2e-4)}


# ---------------------------------------------------------------- push constants

_PUSHED = """
@push_constant @rigid uniform view: mat4
buffer writeonly out: []vec4

@entry(compute) @workgroup_size(1)
function main()
  out[0] = inverse(view) * vec4(1.0, 2.0, 3.0, 1.0)
  out[1] = vec4(length(view[1]), determinant(view), 0.0, 1.0)
end
"""

VIEW = np.eye(4)  # m[c, r]
VIEW[:3, :3], VIEW[3, :3] = _turns(1)[0], (0.5, -2.0, 1.0)


def _pushed_job() -> Dispatch:
    return Dispatch(
        "main", (1, 1, 1), {(0, 0): Storage(bytes(32))}, push=pack("mat4", VIEW, STD430)
    )


def _pushed() -> Mapping[Key, Expected]:
    rows = np.array([1.0, 2.0, 3.0, 1.0]) @ np.linalg.inv(VIEW), np.array([1.0, 1.0, 0.0, 1.0])
    return {(0, 0): Expected(np.concatenate(rows).astype(f32), atol=1e-4)}


# ---------------------------------------------------------------- stage inputs

_INPUTS = """
@varying
struct Across
  @builtin(position) position: vec4
  @interpolation(flat) @unit way: vec3
  @range(0.0, 1.0) shade: float
  @interpolation(flat) @nonnegative index: int
  @interpolation(flat) @rigid turn: mat3
  between: vec3
end

@entry(vertex)
function vertex(
  @unit normal: vec3, @affine model: mat4, @rigid first: mat3, @rigid second: mat3, place: vec2,
  @builtin(vertex_id) @range(0, 2) id: int
) -> Across
  let n = normalize(normal)
  return Across {
    position = vec4(place, 0.5, 1.0),
    way = normalize(inverse(first) * n),
    shade = saturate(float(id / 2) * 0.75 + 0.25),
    index = 3 * id + 5,
    turn = inverse(second),
    between = (inverse(model) * vec4(n, 1.0)).xyz * determinant(second),
  }
end

@entry(fragment)
function fragment(input: Across) -> (@location(0) a: vec4, @location(1) b: vec4)
  return {
    a = vec4(normalize(input.way), saturate(input.shade)),
    b = vec4(inverse(input.turn) * normalize(input.between), float(input.index / 4)),
  }
end
"""

WIDTH, HEIGHT = 9, 6
PLACES = np.array([[-1, -1], [3, -1], [-1, 3]], f32)
WAYS_IN, FIRST, SECOND = _directions(3), _turns(3), _turns(3)
MODELS = np.tile(np.eye(4), (3, 1, 1))
MODELS[:, :3, :3] += _RNG.uniform(-0.3, 0.3, (3, 3, 3))
MODELS[:, 3, :3] = _RNG.uniform(1.0, 2.0, (3, 3))


def _inputs_job() -> Draw:
    parts = [WAYS_IN, *_columns(MODELS), *_columns(FIRST), *_columns(SECOND), PLACES]
    attributes = {at: part.astype(f32) for at, part in enumerate(parts)}
    targets = {0: "float", 1: "float"}
    size = (WIDTH, HEIGHT)
    return Draw("vertex", "fragment", size, attributes=attributes, targets=targets)


def _columns(matrices: Values) -> list[Values]:
    return [matrices[:, c] for c in range(matrices.shape[1])]


def _inputs() -> Mapping[Key, Expected]:
    ones = np.ones((3, 1))
    positions = np.hstack([PLACES, 0.5 * ones, ones])
    between = np.einsum("vc,vcr->vr", np.hstack([WAYS_IN, ones]), np.linalg.inv(MODELS))[:, :3]
    shades = np.array([0.25, 0.25, 1.0])
    area = rasterise(positions, WIDTH, HEIGHT)
    smooth = interpolate(area, np.hstack([between, shades[:, None]]))
    way = FIRST[0] @ WAYS_IN[0]  # flat: of the first vertex
    mean = smooth[..., :3] / np.linalg.norm(smooth[..., :3], axis=-1, keepdims=True)
    a = np.concatenate([np.broadcast_to(way, mean.shape), smooth[..., 3:]], -1)
    b = np.concatenate([mean @ SECOND[0], np.full((*mean.shape[:2], 1), 1.0)], -1)
    return {at: Expected(v.astype(f32), atol=1e-3) for at, v in enumerate((a, b))}


CASES = (
    Case("fact_places", _MEMORY, _memory_job, _memory),
    Case("facts_pushed", _PUSHED, _pushed_job, _pushed, refused={"wgsl": "E0731"}),
    Case("facts_of_inputs", _INPUTS, _inputs_job, _inputs),
)
