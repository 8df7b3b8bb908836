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


CASES = (Case("swizzle_stores", _SWIZZLES, _swizzles_job, _swizzles),)
