"""Small draws: pairs of textures and samplers, samples before branches, positions in any place."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from tests.harness.cases import Case, Expected, Key
from tests.harness.jobs import Draw, Image, SamplerState, Uniform
from tests.harness.reference import STD140, f32, interpolate, pack, rasterise, sample_2d, screen_uv

WIDTH, HEIGHT = 9, 6
_RNG = np.random.default_rng(81)
FIRST = _RNG.uniform(0, 1, (3, 4, 4)).astype(f32)
SECOND = _RNG.uniform(0, 1, (2, 5, 4)).astype(f32)
NEAREST, SMOOTH = SamplerState(linear=False), SamplerState()

# ---------------------------------------------------------------- textures by samplers, two groups

_PAIRS = """
#include <common/fullscreen.luma>

uniform first: texture2D
uniform near: sampler
@group(1) uniform second: texture2D
@group(1) uniform soft: sampler
@group(1) uniform weight: float

function mixed(t: texture2D, a: sampler, b: sampler, uv: vec2) -> vec4
  return sample(t, a, uv) * 2.0 + sample(t, b, uv) * weight
end

@entry(fragment)
function shade(input: Screen) -> (a: vec4, b: vec4)
  return { a = mixed(first, near, soft, input.uv), b = mixed(second, soft, near, input.uv.yx) }
end
"""


def _pairs_job() -> Draw:
    resources = {
        (0, 0): Image((FIRST,)),
        (0, 1): NEAREST,
        (1, 0): Image((SECOND,)),
        (1, 1): SMOOTH,
        (1, 2): Uniform(pack("float", 0.25, STD140)),
    }
    targets = {0: "float", 1: "float"}
    return Draw("fullscreen", "shade", (WIDTH, HEIGHT), resources=resources, targets=targets)


def _pairs() -> Mapping[Key, Expected]:
    uv = screen_uv(WIDTH, HEIGHT)
    back = uv[..., ::-1]
    a = sample_2d(FIRST, uv, linear=False) * 2 + sample_2d(FIRST, uv) * 0.25
    b = sample_2d(SECOND, back) * 2 + sample_2d(SECOND, back, linear=False) * 0.25
    wanted = {}
    for at, (image, place, height, width) in enumerate(((a, uv, 3, 4), (b, back, 2, 5))):
        edge = place * np.array([width, height], f32)
        clear = (np.abs(edge - np.round(edge)) > 1e-3).all(axis=-1)
        wanted[at] = Expected(image.astype(f32), atol=2e-3, mask=clear)
    return dict(wanted)


# ---------------------------------------------------------------- a sample stays before its branch

_BRANCH = """
#include <common/fullscreen.luma>

uniform first: texture2D
uniform near: sampler

@entry(fragment)
function shade(input: Screen) -> (color: vec4)
  let c = sample(first, near, input.uv * 0.75 + 0.125)
  let slope = fwidth(input.uv.x) * 9.0
  let color = vec4(0.5)
  if input.uv.x > 0.4 then
    color = c
  elseif input.uv.y > 0.6 then
    discard()
  else
    color = vec4(slope, c.yz, 1.0)
  end
  return { color = color }
end
"""


def _branch_job() -> Draw:
    resources = {(0, 0): Image((FIRST,)), (0, 1): NEAREST}
    return Draw("fullscreen", "shade", (WIDTH, HEIGHT), resources=resources)


def _branch() -> Mapping[Key, Expected]:
    uv = screen_uv(WIDTH, HEIGHT)
    at = uv * f32(0.75) + f32(0.125)
    c = sample_2d(FIRST, at, linear=False)
    other = np.concatenate([np.ones_like(c[..., :1]), c[..., 1:3], np.ones_like(c[..., :1])], -1)
    lost = uv[..., 1:] > 0.6
    color = np.where(uv[..., :1] > 0.4, c, np.where(lost, 0, other)).astype(f32)
    edge = at * np.array([4, 3], f32)
    return {0: Expected(color, atol=1e-5, mask=(np.abs(edge - np.round(edge)) > 1e-3).all(-1))}


# ---------------------------------------------------------------- a position among the varyings

_PLACES = """
@varying
struct Across
  tone: float
  @builtin(position) position: vec4
  @location(3) pair: vec2
  count: int
end

@entry(vertex)
function vertex(place: vec2, tone: float, count: int) -> Across
  return Across { position = vec4(place, 0.5, 1.0), tone = tone, pair = place, count = count }
end

@entry(fragment)
function fragment(input: Across) -> (@location(1) b: vec2, @location(0) a: vec4)
  return { a = vec4(input.pair, input.tone, float(input.count)), b = vec2(input.tone * 2.0, 3.0) }
end
"""
PLACES = np.array([[-1, -1], [3, -1], [-1, 3]], f32)
TONES = np.array([[0.25], [0.75], [-0.5]], f32)
COUNTS = np.array([[7], [8], [9]], np.int32)


def _places_job() -> Draw:
    return Draw(
        "vertex",
        "fragment",
        (WIDTH, HEIGHT),
        attributes={0: PLACES, 1: TONES, 2: COUNTS},
        targets={0: "float", 1: "float"},
    )


def _places() -> Mapping[Key, Expected]:
    clip = np.hstack([PLACES, np.full((3, 1), 0.5), np.ones((3, 1))]).astype(f32)
    fragments = rasterise(clip, WIDTH, HEIGHT)
    tone = interpolate(fragments, TONES)
    a = np.concatenate([interpolate(fragments, PLACES), tone, np.full_like(tone, 7)], axis=-1)
    b = np.concatenate([tone * 2, np.full_like(tone, 3)], axis=-1)
    return {0: Expected(a, atol=1e-5), 1: Expected(b, atol=1e-5)}


CASES = (
    Case("textures_by_samplers", _PAIRS, _pairs_job, _pairs),
    Case("samples_stay_before_branches", _BRANCH, _branch_job, _branch),
    Case("position_among_varyings", _PLACES, _places_job, _places),
)
