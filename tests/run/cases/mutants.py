"""Cases that tell mistakes of a backend which no other case does: see ``tools/mutants.py``."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from tests.harness.cases import Case, Expected, Key
from tests.harness.jobs import Dispatch, Storage
from tests.harness.reference import f32

# ---------------------------------------------------------------- stores to swizzles

_SWIZZLES = """
buffer readonly given: []vec4
buffer writeonly out: []vec4

@entry(compute)
@workgroup_size(2)
function main(@builtin(local_invocation_index) lane: uint)
  let v = given[lane]
  let w = given[lane + 2]
  v.yx = w.xy
  out[lane * 3] = v
  v.wyz = w.wzx
  out[lane * 3 + 1] = v
  v.zx = v.xw
  out[lane * 3 + 2] = v
end
"""
_GIVEN = np.random.default_rng(7).uniform(-9, 9, (4, 4)).astype(f32)


def _swizzles_job() -> Dispatch:
    resources = {(0, 0): Storage(_GIVEN.tobytes()), (0, 1): Storage(bytes(16 * 6))}
    return Dispatch("main", (1, 1, 1), resources)


def _swizzles() -> Mapping[Key, Expected]:
    rows = []
    for lane in range(2):
        v, w = _GIVEN[lane].copy(), _GIVEN[lane + 2]
        v[[1, 0]] = w[[0, 1]]
        rows.append(v.copy())
        v[[3, 1, 2]] = w[[3, 2, 0]]
        rows.append(v.copy())
        v[[2, 0]] = v[[0, 3]]
        rows.append(v.copy())
    return {(0, 1): Expected(np.array(rows))}


# ---------------------------------------------------------------- shifts by great constants

_SHIFTS = """
buffer readonly ints: []int
buffer readonly uints: []uint
buffer writeonly out: []int
buffer writeonly unsigned: []uint

@entry(compute)
@workgroup_size(4)
function main(@builtin(local_invocation_index) lane: uint)
  let i = ints[lane]
  let u = uints[lane]
  let at = lane * 4
  out[at] = i << 33
  out[at + 1] = i >> 36
  out[at + 2] = (ivec3(i, i, 5) >> ivec3(40, 32, 33)).x
  out[at + 3] = 7 << 34
  unsigned[at] = u << 37
  unsigned[at + 1] = u >> 63
  unsigned[at + 2] = (uvec2(u, 3) << uvec2(65, 1)).x
  unsigned[at + 3] = u >> 32
end
"""
_INTS = np.array([-1234567, 98765432, -1, 31], np.int32)
_UINTS = np.array([0xFFFFFFFF, 0x80000001, 77, 123456789], np.uint32)


def _shifts_job() -> Dispatch:
    buffers = (_INTS.tobytes(), _UINTS.tobytes(), bytes(64), bytes(64))
    return Dispatch("main", (1, 1, 1), {(0, n): Storage(b) for n, b in enumerate(buffers)})


def _shifts() -> Mapping[Key, Expected]:
    i, u = _INTS, _UINTS
    out = np.stack([i << 1, i >> 4, i >> 8, np.full_like(i, 28)], axis=-1)
    unsigned = np.stack([u << 5, u >> 31, u << 1, u], axis=-1)
    return {(0, 2): Expected(out), (0, 3): Expected(unsigned)}


CASES = (
    Case("swizzle_stores", _SWIZZLES, _swizzles_job, _swizzles),
    Case("shifts_by_constants", _SHIFTS, _shifts_job, _shifts),
)
