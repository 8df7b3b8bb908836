"""Lengths of tails behind other members, and layers that lie between two."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from tests.harness.cases import Case, Expected, Key
from tests.harness.jobs import Combined, Dispatch, Image, SamplerState, Storage, Uniform
from tests.harness.reference import STD140, f32, pack

_LENGTHS = """
struct Mixed
  count: uint
  last: vec3
  items: []vec3
end

struct Words
  first: uint
  rest: []uint
end

buffer storage mixed: Mixed
buffer readonly words: Words
buffer writeonly out: []int

function rest() -> int
  return array_length(words.rest)
end

@entry(compute)
@workgroup_size(1)
function main()
  out[0] = array_length(mixed.items)
  out[1] = rest()
  out[2] = array_length(out)
  mixed.items[array_length(mixed.items) - 1] = mixed.last
end
"""


def _lengths_job() -> Dispatch:
    mixed = np.zeros(8 + 4 * 3, f32)
    mixed[4:7] = (1, 2, 3)
    resources = {
        (0, 0): Storage(mixed.tobytes()),
        (0, 1): Storage(bytes(4 * 6)),
        (0, 2): Storage(bytes(4 * 7)),
    }
    return Dispatch("main", (1, 1, 1), resources)


def _lengths() -> Mapping[Key, Expected]:
    return {
        (0, 0): Expected(np.array([1, 2, 3], f32), offset=16 * 4),
        (0, 2): Expected(np.array([3, 5, 7, 0], np.int32)),
    }


_LAYERS = """
uniform layers: sampler2DArray
uniform shadows: sampler2DArrayShadow
uniform depths: vec4
buffer writeonly out: []vec4

function through(t: sampler2DArray, at: vec3) -> vec4
  return sample_level(t, at, 0.0)
end

@entry(compute)
@workgroup_size(1)
function main()
  for i = 0, 4 do
    out[i] = through(layers, vec3(0.5, 0.5, depths[i]))
    let at = vec3(0.25, 0.75, depths[i])
    out[4 + i] = vec4(
      sample_compare(shadows, at, 0.5), sample_level(layers, at.zzz * 0.9, 0.0).xyz)
  end
end
"""

DEPTHS = np.array([0.4, 0.6, 1.4, 1.6], f32)
COLOURS = np.random.default_rng(71).uniform(0, 1, (3, 1, 1, 4)).astype(f32)
SHADOWS = np.array([0.25, 0.75, 0.3], f32).reshape(3, 1, 1)


def _layers_job() -> Dispatch:
    nearest = SamplerState(linear=False)
    compare = SamplerState(linear=False, compare="less")
    resources = {
        (0, 0): Combined(Image((COLOURS,), "2darray"), nearest),
        (0, 2): Combined(Image((SHADOWS,), "2darray", depth=True), compare),
        (0, 4): Uniform(pack("vec4", DEPTHS, STD140)),
        (0, 5): Storage(bytes(16 * 8)),
    }
    return Dispatch("main", (1, 1, 1), resources)


def _layers() -> Mapping[Key, Expected]:
    near = np.rint(DEPTHS).astype(int)
    other = np.rint(DEPTHS * f32(0.9)).astype(int)
    lit = (f32(0.5) < SHADOWS[near, 0, 0]).astype(f32)
    rows = np.concatenate([COLOURS[near, 0, 0], np.c_[lit, COLOURS[other, 0, 0, :3]]])
    return {(0, 5): Expected(rows.astype(f32), atol=1e-6)}


CASES = (
    Case("array_lengths", _LENGTHS, _lengths_job, _lengths),
    Case("layers_between", _LAYERS, _layers_job, _layers),
)
