"""Atomics, shared memory, barriers, runtime arrays, order of effects, specialization constants."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from tests.harness.cases import Case, Expected, Key
from tests.harness.jobs import Dispatch, SpecValue, Storage, Uniform
from tests.harness.reference import STD140, STD430, Spec, array, f32, pack

#: The operations that the cases exercise.
COVERED = """
atomic_add atomic_min atomic_max atomic_and atomic_or atomic_xor atomic_exchange
atomic_compare_exchange array_length workgroup_barrier storage_barrier
"""

# ---------------------------------------------------------------- atomics

_ATOMICS = """
struct Counters
  sum: KIND
  least: KIND
  most: KIND
  both: KIND
  either: KIND
  odd: KIND
  last: KIND
  claimed: KIND
  owners: [4]KIND
end

buffer storage counters: Counters
buffer writeonly old: []KIND
shared local_sum: KIND

@entry(compute)
@workgroup_size(16)
function main(@builtin(local_invocation_index) lane: uint, @builtin(workgroup_id) group: uvec3)
  let x = KIND(lane + group.x * 16)
  if lane == 0 then
    local_sum = 0
  end
  workgroup_barrier()
  atomic_add(local_sum, x)
  workgroup_barrier()
  if lane == 0 then
    atomic_add(counters.sum, local_sum)
  end

  atomic_min(counters.least, x - 7)
  atomic_max(counters.most, x * 3)
  atomic_and(counters.both, ~(KIND(1) << KIND(lane & 3)))
  atomic_or(counters.either, KIND(1) << x)
  atomic_xor(counters.odd, x + 1)
  if group.x == 1 and lane == 5 then
    old[0] = atomic_exchange(counters.last, 77)
    old[1] = atomic_compare_exchange(counters.claimed, 40, 41)
    old[2] = atomic_compare_exchange(counters.claimed, 40, 42)
    old[3] = atomic_add(counters.owners[lane - 3], 5)
  end
end
"""


def _atomics(kind: str) -> Case:
    dtype = np.dtype("<i4" if kind == "int" else "<u4")
    before = np.array([100, 1000, 0, 0xFF, 0, 0x55, 13, 40, 1, 2, 3, 4], np.int64)

    def job() -> Dispatch:
        counters = Storage(before.astype(dtype).tobytes())
        return Dispatch("main", (2, 1, 1), {(0, 0): counters, (0, 1): Storage(bytes(16))})

    def expected() -> Mapping[Key, Expected]:
        x = np.arange(32)
        after = before.copy()
        after[0] += x.sum()
        after[1] = min(1000, (x - 7).min() if kind == "int" else ((x - 7) % 2**32).min())
        after[2] = (x * 3).max()
        after[3] &= ~0xF
        after[4] = -1
        after[5] ^= int(np.bitwise_xor.reduce(x + 1))
        after[6], after[7] = 77, 41
        after[10] += 5
        old = np.array([13, 40, 41, 3])
        return {
            (0, 0): Expected(after.astype(np.int64).astype(dtype)),
            (0, 1): Expected(old.astype(dtype)),
        }

    return Case(f"atomics_{kind}", _ATOMICS.replace("KIND", kind), job, expected)


# ---------------------------------------------------------------- shared memory

_SHARED = """
struct Pair
  key: int
  value: vec3
end

shared pairs: [8]Pair
shared flags: [8]bool
shared grid: [2][4]vec2
buffer storage data: []vec4

@entry(compute)
@workgroup_size(8)
function main(@builtin(local_invocation_index) lane: uint)
  let i = int(lane)
  pairs[i].key = 7 - i
  pairs[i].value = data[i].xyz
  pairs[i].value.y *= 2.0
  flags[i] = data[i].w > 0.5
  grid[i / 4][i % 4] = data[i].zw
  workgroup_barrier()

  let other = pairs[pairs[i].key]
  let seen = flags[(i + 1) % 8]
  let cell = grid[1 - i / 4][3 - i % 4]
  storage_barrier()
  data[i] = vec4(other.value.zyx + vec3(cell, 0.0), select(seen, 1.0, 0.0))
end
"""
_DATA = np.random.default_rng(41).uniform(0, 1, (8, 4)).astype(f32)


def _shared_job() -> Dispatch:
    return Dispatch("main", (1, 1, 1), {(0, 0): Storage(_DATA.tobytes())})


def _shared() -> Mapping[Key, Expected]:
    value = _DATA[::-1, :3] * np.array([1, 2, 1], f32)
    grid = _DATA[:, 2:].reshape(2, 4, 2)[::-1, ::-1].reshape(8, 2)
    first = value[:, ::-1] + np.hstack([grid, np.zeros((8, 1), f32)])
    seen = np.roll(_DATA[:, 3], -1) > 0.5
    return {(0, 0): Expected(np.hstack([first, seen[:, None].astype(f32)]), atol=1e-6)}


# ---------------------------------------------------------------- order of effects

_ORDER = """
struct State
  index: int
  values: [6]int
end

buffer storage state: State
buffer storage log: []int
buffer storage used: int

function note(n: int) -> int
  let at = atomic_add(used, 1)
  log[at] = n
  return n
end

function yes(n: int) -> bool
  return note(n) > 0
end

function bump(at: int) -> int
  state.values[at] += 10
  return state.values[at]
end

@entry(compute)
@workgroup_size(1)
function main()
  -- A value read before a write stays what it was; the place is evaluated once.
  let before = state.values[state.index]
  for i = 0, 6 do
    state.values[i] = i * i
  end
  state.values[state.index] = before
  let sum = bump(1) + bump(1) * bump(1)
  state.values[0] = sum
  state.index += 1
  state.values[state.index] *= 3

  -- Effects left to right, and only those that short-circuit lets happen.
  let a = note(1) - note(2) * note(3)
  let b = yes(4) or yes(5)
  let c = yes(-6) and yes(7)
  let d = not yes(8) or (yes(9) and yes(-10)) or yes(11)
  if c or (b and d) then
    note(a)
  end
  state.values[5] = select(yes(12), note(13), note(14))
end
"""


def _order_job() -> Dispatch:
    state = np.array([2, 50, 51, 52, 53, 54, 55], np.int32)
    return Dispatch(
        "main",
        (1, 1, 1),
        {
            (0, 0): Storage(state.tobytes()),
            (0, 1): Storage(bytes(4 * 16)),
            (0, 2): Storage(bytes(4)),
        },
    )


def _order() -> Mapping[Key, Expected]:
    state = [3, 11 + 21 * 31, 31, 52, 27, 16, 13]
    log = [1, 2, 3, 4, -6, 8, 9, -10, 11, -5, 12, 13, 14]
    return {
        (0, 0): Expected(np.array(state, np.int32)),
        (0, 1): Expected(np.array(log, np.int32)),
        (0, 2): Expected(np.array([len(log)], np.int32)),
    }


# ---------------------------------------------------------------- specialization constants

_SPEC = """
@spec(0) const COUNT: int = 3
@spec(1) const SCALE: float = 0.5
@spec(2) const FLIP: bool = false
@spec(7) const MASK: uint = 6
const TWICE: int = 2

buffer writeonly out: []float

@entry(compute)
@workgroup_size(1)
function main()
  let sum = 0.0
  for i = 0, COUNT do
    sum += float(i + 1) * SCALE
  end
  out[0] = sum
  out[1] = select(FLIP, -SCALE, SCALE)
  out[2] = float(MASK & 3) + float(COUNT * TWICE)
  if FLIP and COUNT > 4 then
    out[3] = 1.0
  else
    out[3] = float(MASK)
  end
end
"""


def _spec(name: str, spec: Mapping[int, SpecValue], out: list[float]) -> Case:
    def job() -> Dispatch:
        return Dispatch("main", (1, 1, 1), {(0, 0): Storage(bytes(16))}, spec=spec)

    def expected() -> Mapping[Key, Expected]:
        return {(0, 0): Expected(np.array(out, f32))}

    return Case(name, _SPEC, job, expected)


# ---------------------------------------------------------------- compute builtins, 3 dimensions

_IDS = """
struct Ids
  global: uvec3
  flat: uint
  local: uvec3
  group: uvec3
  groups: uvec3
end

buffer writeonly out: []Ids

@entry(compute)
@workgroup_size(2, 3, 2)
function main(
  @builtin(global_invocation_id) global: uvec3, @builtin(local_invocation_id) local: uvec3,
  @builtin(workgroup_id) group: uvec3, @builtin(num_workgroups) groups: uvec3,
  @builtin(local_invocation_index) flat: uint
)
  let size = groups * uvec3(2, 3, 2)
  let at = (global.z * size.y + global.y) * size.x + global.x
  out[at] = Ids { global = global, flat = flat, local = local, group = group, groups = groups }
end
"""
_IDS_UNIFORM = _IDS.replace(" @builtin(num_workgroups) groups: uvec3,", "").replace(
    "buffer writeonly", "@group(1) uniform groups: uvec3\nbuffer writeonly"
)
_GROUPS, _LOCAL = (3, 2, 2), (2, 3, 2)


def _ids_job() -> Dispatch:
    return Dispatch("main", _GROUPS, {(0, 0): Storage(bytes(64 * 6 * 6 * 4))})


def _ids_uniform_job() -> Dispatch:
    groups = Uniform(np.array([*_GROUPS, 0], np.uint32).tobytes())
    return replace(_ids_job(), resources={**_ids_job().resources, (1, 0): groups})


def _ids() -> Mapping[Key, Expected]:
    rows = np.zeros((4, 6, 6, 16), np.uint32)
    for z, y, x in np.ndindex(4, 6, 6):
        local = (x % 2, y % 3, z % 2)
        flat = (local[2] * 3 + local[1]) * 2 + local[0]
        group = (x // 2, y // 3, z // 2)
        rows[z, y, x] = (x, y, z, flat, *local, 0, *group, 0, *_GROUPS, 0)
    mask = np.ones(16, bool)
    mask[[7, 11, 15]] = False
    return {(0, 0): Expected(rows, mask=np.broadcast_to(mask, rows.shape))}


# ---------------------------------------------------------------- uniforms by run-time index

_INDEXED = """
struct Table
  rows: [3]vec4
  m: mat3x2
  names: [4]int
end

const SQUARES: [5]int = [5]int { 0, 1, 4, 9, 16 }
const CORNERS: [3]vec2 = [3]vec2 { vec2(-1.0, 2.0), vec2(3.0, -4.0), vec2(5.0, 6.0) }

uniform table: Table
buffer writeonly out: []float

function pick(values: [4]float, at: int) -> float
  values[at] += 0.5
  return values[at] + values[(at + 1) % 4]
end

@entry(compute)
@workgroup_size(4)
function main(@builtin(local_invocation_id) id: uvec3)
  let i = int(id.x)
  let j = i % 3
  let v = table.rows[j]
  v[j] = 100.0
  v[i] += 1.0
  let local = [4]float { 1.0, float(i), 3.0, v.x }
  local[j + 1] = 7.0
  let copy = local
  copy[0] = -1.0
  let m = table.m
  m[j].y += 2.0

  let line = i * 8
  out[line] = table.rows[j][i]
  out[line + 1] = float(SQUARES[i + 1] + table.names[3 - i])
  out[line + 2] = CORNERS[j].y + CORNERS[2 - j].x
  out[line + 3] = pick(local, i)
  out[line + 4] = local[0] + local[1] * 10.0 + copy[0] * 100.0 + copy[j + 1]
  out[line + 5] = v.x + v.y + v.z + v.w
  out[line + 6] = m[j].x + m[j].y
  out[line + 7] = (table.rows[j] + table.rows[2 - j])[i]
end
"""
_ROWS = np.arange(12, dtype=f32).reshape(3, 4) * f32(1.5)
_M = np.array([[1, 2], [3, 4], [5, 6]], f32)
_NAMES = [11, 22, 33, 44]


def _indexed_job() -> Dispatch:
    layout: Mapping[str, Spec] = {"rows": array("vec4", 3), "m": "mat3x2", "names": array("int", 4)}
    table = {"rows": _ROWS, "m": _M, "names": _NAMES}
    return Dispatch(
        "main",
        (1, 1, 1),
        {(0, 0): Uniform(pack(layout, table, STD140)), (0, 1): Storage(bytes(4 * 8 * 4))},
    )


def _indexed() -> Mapping[Key, Expected]:
    out = np.zeros((4, 8), f32)
    squares, corners = [0, 1, 4, 9, 16], [(-1, 2), (3, -4), (5, 6)]
    for i in range(4):
        j = i % 3
        v = _ROWS[j].copy()
        v[j] = 100
        v[i] += 1
        local = [1, i, 3, v[0]]
        local[j + 1] = 7
        copy = [-1, *local[1:]]
        picked = list(local)
        picked[i] += 0.5
        out[i] = [
            _ROWS[j, i],
            squares[i + 1] + _NAMES[3 - i],
            corners[j][1] + corners[2 - j][0],
            picked[i] + picked[(i + 1) % 4],
            local[0] + local[1] * 10 + copy[0] * 100 + copy[j + 1],
            v.sum(),
            _M[j].sum() + 2,
            _ROWS[j, i] + _ROWS[2 - j, i],
        ]
    return {(0, 1): Expected(out, atol=1e-4)}


# ---------------------------------------------------------------- copies of parts

#: Bools are uints in memory: every copy below converts.
_COPIES = """
struct Item
  on: bool
  v: vec3
end

struct Box
  items: [2]Item
  z: float
end

struct Set
  box: Box
  flags: [3]bool
end

uniform u: Set
buffer storage b: Set

function turned(box: Box) -> Box
  return Box { items = [2]Item { box.items[1], box.items[0] }, z = -box.z }
end

@entry(compute)
@workgroup_size(1)
function main()
  let last = u.box.items[1]
  b.box.items[0] = u.box.items[1]
  b.box.items[1] = Item { on = not last.on, v = last.v.zyx }
  b.flags = u.flags
  b.flags[1] = b.box.items[0].on
  if u.flags[0] then
    b.box = turned(b.box)
  end
  let box = u.box
  box.items = b.box.items
  b.box = box
end
"""
_ITEM: Spec = {"on": "bool", "v": "vec3"}
_SET: Spec = {"box": {"items": array(_ITEM, 2), "z": "float"}, "flags": array("bool", 3)}


def _copies_job() -> Dispatch:
    items = [{"on": 0, "v": [1, 2, 3]}, {"on": 1, "v": [4, 5, 6]}]
    given = {"box": {"items": items, "z": 7}, "flags": [1, 0, 1]}
    before = {"box": {"items": items, "z": 9}, "flags": [0, 0, 0]}
    return Dispatch(
        "main",
        (1, 1, 1),
        {(0, 0): Uniform(pack(_SET, given, STD140)), (0, 1): Storage(pack(_SET, before, STD430))},
    )


def _copies() -> Mapping[Key, Expected]:
    items = [{"on": 0, "v": [6, 5, 4]}, {"on": 1, "v": [4, 5, 6]}]
    after = {"box": {"items": items, "z": 7}, "flags": [1, 1, 1]}
    return {(0, 1): Expected(np.frombuffer(pack(_SET, after, STD430), np.uint32))}


CASES = (
    _atomics("int"),
    _atomics("uint"),
    Case("shared_memory", _SHARED, _shared_job, _shared),
    Case("order_of_effects", _ORDER, _order_job, _order),
    _spec("spec_defaults", {}, [3.0, 0.5, 8.0, 6.0]),
    _spec("spec_given", {0: 5, 1: 0.25, 2: True, 7: 9}, [3.75, -0.25, 11.0, 1.0]),
    Case("compute_builtins", _IDS, _ids_job, _ids, refused={"hlsl": "E0711"}),
    Case("compute_builtins_uniform", _IDS_UNIFORM, _ids_uniform_job, _ids),
    Case("copies_of_parts", _COPIES, _copies_job, _copies),
    Case("run_time_indices", _INDEXED, _indexed_job, _indexed),
)
