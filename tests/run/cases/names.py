"""Names that targets keep for themselves, and shapes of declarations that trip emitters."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from tests.harness.cases import Case, Expected, Key
from tests.harness.jobs import Dispatch, Draw, Storage, Uniform
from tests.harness.reference import STD140, STD430, Spec, array, f32, pack

# ---------------------------------------------------------------- reserved words

_NAMES = """
struct buffer_
  input: float
  output: vec2
  half_: float
end

struct Vector
  linear: float
  point: vec2
  new: int
  class: int
  inout: vec3
end

const void: float = 2.0
const PI2: float = 6.5

uniform texture: Vector
buffer readonly sampler2: []float
buffer writeonly gl_out: []float
shared smooth: [2]float

function luma_mod(a__b: float, in_: float) -> float
  return mod(a__b, in_) + void
end

function mix_(common: float, sample_: float) -> float
  let filter = common
  let partition = sample_
  let active = filter * partition
  return active
end

function main(image2D: float) -> float
  let texture_ = image2D
  let int_ = texture_ + 1.0
  let out = int_
  let _ = out
  return out
end

function union(volatile: Vector) -> Vector
  let precise = volatile
  precise.linear += 1.0
  precise.inout.zx = precise.point
  return precise
end

@entry(compute)
@workgroup_size(2)
function discard_all(@builtin(local_invocation_id) layout: uvec3)
  let switch = int(layout.x)
  let default = union(texture)
  let static = buffer_ { input = 1.0, output = vec2(2.0, 3.0), half_ = 4.0 }
  let goto_ = sampler2[switch]
  smooth[switch] = goto_
  workgroup_barrier()
  let case = smooth[1 - switch]
  let line = switch * 12
  let varying_ = [2]float { static.input, static.half_ }
  gl_out[line] = luma_mod(goto_, 1.5)
  gl_out[line + 1] = mix_(case, static.output.y)
  gl_out[line + 2] = main(varying_[switch])
  gl_out[line + 3] = default.linear
  gl_out[line + 4] = default.inout.x * 100.0 + default.inout.y * 10.0 + default.inout.z
  gl_out[line + 5] = float(default.new * 10 + default.class)
  for attribute = 0, 3 do
    let attribute_ = float(attribute) * PI2
    gl_out[line + 6 + attribute] = attribute_
  end
  let x = 1.0
  if switch == 1 then
    let x = x + 1.0
    gl_out[line + 9] = x
  else
    gl_out[line + 9] = x * 8.0
  end
  gl_out[line + 10] = x
  gl_out[line + 11] = case
end
"""

_VECTOR: Mapping[str, Spec] = {
    "linear": "float",
    "point": "vec2",
    "new": "int",
    "class": "int",
    "inout": "vec3",
}


def _names_job() -> Dispatch:
    vector = {"linear": 0.5, "point": [7, 8], "new": 4, "class": 2, "inout": [1, 2, 3]}
    return Dispatch(
        "discard_all",
        (1, 1, 1),
        {
            (0, 0): Uniform(pack(_VECTOR, vector, STD140)),
            (0, 1): Storage(np.array([2.0, 5.0], f32).tobytes()),
            (0, 2): Storage(bytes(4 * 24)),
        },
    )


def _names() -> Mapping[Key, Expected]:
    same = [1.5, 827.0, 42.0, 0.0, 6.5, 13.0]
    rows = [
        [2.5, 15.0, 2.0, *same, 8.0, 1.0, 5.0],
        [2.5, 6.0, 5.0, *same, 2.0, 1.0, 2.0],
    ]
    return {(0, 2): Expected(np.array(rows, f32), atol=1e-5)}


# ---------------------------------------------------------------- one struct in many places

_SHAPES = """
struct Inner
  v: vec3
  k: float
end

struct Outer
  first: Inner
  rows: [2]Inner
end

uniform single: Inner
uniform nested: Outer
buffer storage list: []Inner
buffer storage whole: Outer
@group(1) uniform single_again: Inner
@group(1) uniform scale: float

const TABLE: [3]vec3 = [3]vec3 { vec3(1.0, 2.0, 3.0), vec3(4.0, 5.0, 6.0), vec3(7.0, 8.0, 9.0) }

function spread(k: float) -> [4]float
  return [4]float { k, k * 2.0, k * 4.0, k * 8.0 }
end

function third(values: [4]float) -> float
  return values[2]
end

function grown(inner: Inner) -> Inner
  inner.v *= scale
  inner.k += third(spread(inner.k))
  return inner
end

function picked(at: int) -> Inner
  if at == 0 then
    return single
  end
  return nested.rows[at - 1]
end

@entry(compute)
@workgroup_size(3)
function shapes(@builtin(local_invocation_id) id: uvec3)
  let i = int(id.x)
  list[i] = grown(picked(i))
  list[i + 3] = Inner { k = spread(single_again.k)[i], v = TABLE[2 - i] }
  if i == 1 then
    whole.rows = nested.rows
    whole.rows[0].k = whole.first.k
    whole.first = nested.first
    whole.first.v.y = -1.0
  end
end
"""

_INNER: Mapping[str, Spec] = {"v": "vec3", "k": "float"}
_OUTER: Mapping[str, Spec] = {"first": _INNER, "rows": array(_INNER, 2)}
_SINGLE = {"v": [1, 2, 3], "k": 0.5}
_NESTED = {
    "first": {"v": [4, 5, 6], "k": 7},
    "rows": [{"v": [8, 9, 10], "k": 11}, {"v": [12, 13, 14], "k": 15}],
}
_BEFORE = {
    "first": {"v": [0, 0, 0], "k": 99},
    "rows": [{"v": [0, 0, 0], "k": 0}, {"v": [0, 0, 0], "k": 0}],
}


def _shapes_job() -> Dispatch:
    return Dispatch(
        "shapes",
        (1, 1, 1),
        {
            (0, 0): Uniform(pack(_INNER, _SINGLE, STD140)),
            (0, 1): Uniform(pack(_OUTER, _NESTED, STD140)),
            (0, 2): Storage(bytes(16 * 6)),
            (0, 3): Storage(pack(_OUTER, _BEFORE, STD430)),
            (1, 0): Uniform(pack(_INNER, {"v": [0, 0, 0], "k": 1.25}, STD140)),
            (1, 1): Uniform(pack("float", 3, STD140)),
        },
    )


def _shapes() -> Mapping[Key, Expected]:
    rows = [[3, 6, 9, 2.5], [24, 27, 30, 55], [36, 39, 42, 75]]
    rows += [[7, 8, 9, 1.25], [4, 5, 6, 2.5], [1, 2, 3, 5]]
    whole = [[4, -1, 6, 7], [8, 9, 10, 99], [12, 13, 14, 15]]
    return {
        (0, 2): Expected(np.array(rows, f32)),
        (0, 3): Expected(np.array(whole, f32)),
    }


# ---------------------------------------------------------------- a const array by vertex number

_TABLE = """
const CORNERS: [3]vec2 = [3]vec2 { vec2(-1.0, -1.0), vec2(3.0, -1.0), vec2(-1.0, 3.0) }
const TONES: [3]float = [3]float { 0.25, 0.25, 0.25 }

@entry(vertex)
function vertex(@builtin(vertex_index) v: int) -> (@builtin(position) p: vec4, tones: [1]vec3)
  return { p = vec4(CORNERS[v], 0.0, 1.0), tones = [1]vec3 { vec3(TONES[v], 0.5, 1.0) } }
end

@entry(fragment)
function fragment(tones: [1]vec3) -> (color: vec4)
  return { color = vec4(tones[0], 0.75) }
end
"""


def _table_job() -> Draw:
    return Draw("vertex", "fragment", (5, 3))


def _table() -> Mapping[Key, Expected]:
    tone = np.array([0.25, 0.5, 1.0, 0.75], f32)
    return {0: Expected(np.broadcast_to(tone, (3, 5, 4)), atol=1e-6)}


CASES = (
    Case("reserved_names", _NAMES, _names_job, _names),
    Case("shared_structs", _SHAPES, _shapes_job, _shapes),
    Case("const_table", _TABLE, _table_job, _table),
)
