"""What crosses the borders of stages: builtin values, interpolation, matrices and arrays."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from tests.harness.cases import Case, Expected, Key
from tests.harness.jobs import Draw, Values
from tests.harness.reference import f32, interpolate, off_edges, paint, rasterise, screen_uv

WIDTH, HEIGHT = 14, 10
COVER = np.array([[-1, -1, 0.25, 1], [3, -1, 0.25, 1], [-1, 3, 0.25, 1]], f32)

# ---------------------------------------------------------------- builtin values

_BUILTINS = """
@entry(vertex)
function vertex(@builtin(vertex_id) v: int, @builtin(instance_id) n: int)
    -> (@builtin(position) p: vec4, number: int, id: float)
  let corner = vec2(float((v << 1) & 2), float(v & 2))
  let half_plane = vec2(0.5, 1.0) * (corner * 2.0 - 1.0) - vec2(0.5 - float(n), 0.0)
  return { p = vec4(half_plane, 0.75, 2.0) * vec4(2.0, 2.0, 1.0, 1.0), number = n, id = float(v) }
end

@entry(fragment)
function fragment(
  number: int, id: float, @builtin(frag_coord) at: vec4, @builtin(front_facing) front: bool,
  @builtin(primitive_id) primitive: int
) -> (color: vec4, numbers: ivec4, @builtin(frag_depth) depth: float)
  return {
    color = at,
    numbers = ivec4(number, primitive, int(front), int(at.x)),
    depth = at.x / 32.0,
  }
end
"""


#: Without what WGSL lacks.
_FEWER_BUILTINS = _BUILTINS.replace(
    "front: bool,\n  @builtin(primitive_id) primitive: int\n", "front: bool\n"
).replace("primitive, int(front)", "0, int(front)")


def _builtins_job() -> Draw:
    return Draw(
        "vertex",
        "fragment",
        (WIDTH, HEIGHT),
        vertices=3,
        instances=1,
        targets={0: "float", 1: "int"},
        depth=True,
        clear=(0.0, 0.0, 0.0, 0.0),
    )


def _builtins() -> Mapping[Key, Expected]:
    corner = np.array([[0, 0], [2, 0], [0, 2]], f32)
    plane = np.array([0.5, 1], f32) * (corner * 2 - 1) - np.array([0.5, 0], f32)
    clip = np.hstack([plane * 2, np.full((3, 1), 0.75), np.full((3, 1), 2)]).astype(f32)
    fragments = rasterise(clip, WIDTH, HEIGHT)
    x, y = np.meshgrid(np.arange(WIDTH) + 0.5, np.arange(HEIGHT) + 0.5)
    at = np.stack([x, y, np.full_like(x, 0.375), np.full_like(x, 0.5)], axis=-1)
    numbers = np.stack([0 * x, 0 * x, 0 * x, np.floor(x)], axis=-1)
    mask = off_edges(fragments)
    depth = np.where(fragments.covered, x / 32, 1)
    # Counter-clockwise is front; in a space whose y goes down this triangle turns clockwise.
    return {
        0: Expected(paint(fragments, at, np.zeros(4)), atol=1e-6, mask=mask),
        1: Expected(paint(fragments, numbers, np.zeros(4)).astype(np.int32), mask=mask),
        "depth": Expected(depth.astype(f32), atol=1e-6, mask=mask),
    }


# ---------------------------------------------------------------- interpolation

_INTERPOLATION = """
@varying
struct Across
  @builtin(position) position: vec4
  smooth_: vec2
  @interpolation(noperspective) straight: vec2
  @interpolation(flat) first: vec2
  @interpolation(flat) bits: uvec3
end

@entry(vertex)
function vertex(position: vec4, value: vec2, bits: uvec3) -> Across
  return Across {
    position = position, smooth_ = value, straight = value, first = value, bits = bits,
  }
end

@entry(fragment)
function fragment(input: Across) -> (a: vec4, @location(3) b: vec4, c: uvec3)
  return {
    a = vec4(input.smooth_, input.straight), b = vec4(input.first, 1.0, 2.0), c = input.bits,
  }
end
"""

# Inside the view: this driver gives NaN for noperspective in what it clips.
TILTED = np.array([[-0.95, -0.9, 0.1, 1], [1.9, -1.8, 0.4, 2], [-1.4, 1.45, 0.2, 1.5]], f32)
PAIRS = np.array([[1, 10], [-3, 5], [7, -2]], f32)
BITS = np.array([[1, 2, 0xFFFFFFFF], [4, 5, 6], [7, 8, 9]], np.uint32)


def _interpolation_job() -> Draw:
    return Draw(
        "vertex",
        "fragment",
        (WIDTH, HEIGHT),
        attributes={0: TILTED, 1: PAIRS, 2: BITS},
        targets={0: "float", 3: "float", 4: "uint"},
    )


def _interpolation() -> Mapping[Key, Expected]:
    fragments = rasterise(TILTED, WIDTH, HEIGHT)
    straight = (fragments.linear @ PAIRS).astype(f32)
    both = np.concatenate([interpolate(fragments, PAIRS), straight], axis=-1)
    first = np.broadcast_to(np.array([1, 10, 1, 2], f32), both.shape)
    bits = np.broadcast_to(BITS[0], (HEIGHT, WIDTH, 3))
    mask = off_edges(fragments)
    covered = fragments.covered[..., None]
    return {
        0: Expected(paint(fragments, both, np.zeros(4)), atol=1e-5, mask=mask),
        3: Expected(paint(fragments, first, np.zeros(4)), mask=mask),
        4: Expected(np.where(covered, bits, 0).astype(np.uint32), mask=mask),
    }


# ---------------------------------------------------------------- matrices and arrays

_AGGREGATES = """
struct Corner
  position: vec4
  turn: mat2x3
  shades: [3]float
end

@varying
struct Across
  @builtin(position) position: vec4
  m: mat3x2
  layers: [2]vec3
  tail: float
end

@entry(vertex)
function vertex(input: Corner) -> Across
  return Across {
    position = input.position,
    m = transpose(input.turn),
    layers = [2]vec3 { input.turn[1], vec3(input.shades[2], input.shades[1], input.shades[0]) },
    tail = input.shades[1],
  }
end

@entry(fragment)
function fragment(input: Across) -> (a: vec4, b: vec4, c: vec4)
  return {
    a = vec4(input.m[0], input.m[1]),
    b = vec4(input.m[2], input.tail, input.layers[0].y),
    c = vec4(input.layers[1], input.layers[0].z),
  }
end
"""

_RNG = np.random.default_rng(51)
TURNS = _RNG.uniform(-1, 1, (3, 2, 3)).astype(f32)
SHADES = _RNG.uniform(0, 1, (3, 3)).astype(f32)


def _aggregates_job() -> Draw:
    turns = {1 + c: TURNS[:, c] for c in range(2)}
    shades = {3 + i: SHADES[:, i : i + 1] for i in range(3)}
    return Draw(
        "vertex",
        "fragment",
        (WIDTH, HEIGHT),
        attributes={0: COVER, **turns, **shades},
        targets={0: "float", 1: "float", 2: "float"},
    )


def _aggregates() -> Mapping[Key, Expected]:
    fragments = rasterise(COVER, WIDTH, HEIGHT)

    def across(corners: Values) -> Values:
        return interpolate(fragments, corners)

    m = [across(TURNS[:, :, column]) for column in range(3)]  # the transpose's columns
    second = across(TURNS[:, 1])
    back = across(SHADES[:, ::-1])
    a = np.concatenate(m[:2], axis=-1)
    b = np.concatenate([m[2], across(SHADES[:, 1:2]), second[..., 1:2]], axis=-1)
    c = np.concatenate([back, second[..., 2:]], axis=-1)
    return {i: Expected(image, atol=1e-6) for i, image in enumerate((a, b, c))}


# ---------------------------------------------------------------- points, early depth, helpers

_POINTS = """
@entry(vertex)
function vertex(place: vec2, size: float)
    -> (@builtin(position) p: vec4, @builtin(point_size) s: float, tone: float)
  return { p = vec4(place, 0.0, 1.0), s = size, tone = size * 0.125 }
end

@early_depth
@entry(fragment)
function fragment(tone: float) -> (color: vec4)
  if tone < 0.25 then discard() end
  return { color = vec4(tone, 1.0, 0.0, 1.0) }
end
"""


def _points_job() -> Draw:
    places = np.array([[0, 0], [-0.5, 0.5], [0.75, -0.75]], f32)
    sizes = np.array([[4], [2], [1]], f32)
    return Draw(
        "vertex",
        "fragment",
        (16, 8),
        attributes={0: places, 1: sizes},
        topology="points",
    )


def _points() -> Mapping[Key, Expected]:
    image = np.zeros((8, 16, 4), f32)
    image[2:6, 6:10] = (0.5, 1, 0, 1)
    image[5:7, 3:5] = (0.25, 1, 0, 1)
    return {0: Expected(image)}


#: Of one pixel each, the only size that WGSL has.
_PLAIN_POINTS = (
    _POINTS.replace("@builtin(point_size) s: float, ", "")
    .replace("s = size, ", "")
    .replace("@early_depth\n", "")
)


def _plain_points_job() -> Draw:
    places = np.array([[0.0625, 0.125], [-0.4375, 0.625], [0.8125, -0.625]], f32)
    sizes = np.array([[4], [2], [1]], f32)
    return replace(_points_job(), attributes={0: places, 1: sizes})


def _plain_points() -> Mapping[Key, Expected]:
    image = np.zeros((8, 16, 4), f32)
    image[4, 8] = (0.5, 1, 0, 1)
    image[6, 4] = (0.25, 1, 0, 1)
    return {0: Expected(image)}


# ---------------------------------------------------------------- derivatives in a helper

_DERIVATIVES = """
#include <common/fullscreen.luma>

function slope(v: vec2) -> vec4
  return vec4(dfdx(v), dfdy(v))
end

@entry(fragment)
function shade(input: Screen) -> (a: vec4, b: vec3)
  let v = input.uv * vec2(28.0, 10.0)
  return { a = slope(v), b = fwidth(vec3(v.x - v.y, v)) }
end
"""


def _derivatives_job() -> Draw:
    targets = {0: "float", 1: "float"}
    return Draw("fullscreen", "shade", (WIDTH, HEIGHT), targets=targets)


def _derivatives() -> Mapping[Key, Expected]:
    shape = (*screen_uv(WIDTH, HEIGHT).shape[:2],)
    a = np.broadcast_to(np.array([2, 0, 0, 1], f32), (*shape, 4))
    b = np.broadcast_to(np.array([3, 2, 1], f32), (*shape, 3))
    return {0: Expected(a, atol=1e-4), 1: Expected(b, atol=1e-4)}


CASES = (
    Case("stage_builtins", _BUILTINS, _builtins_job, _builtins, refused={"wgsl": "E0732"}),
    Case("stage_fewer_builtins", _FEWER_BUILTINS, _builtins_job, _builtins),
    Case("stage_interpolation", _INTERPOLATION, _interpolation_job, _interpolation),
    Case("stage_aggregates", _AGGREGATES, _aggregates_job, _aggregates),
    Case("stage_points", _POINTS, _points_job, _points, refused={"wgsl": "E0732"}),
    Case("stage_plain_points", _PLAIN_POINTS, _plain_points_job, _plain_points),
    Case("stage_derivatives", _DERIVATIVES, _derivatives_job, _derivatives),
)
