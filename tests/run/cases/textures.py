"""Every kind of texture by every way of reading it, mip levels and gradients included."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from tests.harness.cases import Case, Expected, Key
from tests.harness.jobs import (
    Combined,
    Dispatch,
    Draw,
    Image,
    Resource,
    SamplerState,
    Slot,
    Storage,
    Uniform,
    Values,
)
from tests.harness.reference import STD140, f32, pack, sample_2d, screen_uv

#: The operations that the cases exercise.
COVERED = """
sample sample_bias sample_level sample_grad sample_compare texel_fetch texture_size
dfdx dfdy fwidth discard array_length
"""

_RNG = np.random.default_rng(31)
NEAREST, LINEAR = SamplerState(linear=False), SamplerState()
CLAMP = SamplerState(linear=False, repeat=False)


def _levels(*shapes: tuple[int, ...]) -> tuple[Values, ...]:
    return tuple(_RNG.uniform(0, 1, shape).astype(f32) for shape in shapes)


FLAT = _levels((4, 6, 4), (2, 3, 4), (1, 1, 4))
SOLID = _levels((3, 4, 5, 4), (1, 2, 2, 4))
LAYERS = _levels((3, 2, 4, 4), (3, 1, 2, 4))
CUBE = _levels((6, 4, 4, 4), (6, 2, 2, 4))
DEPTH = _levels((5, 7))
DEPTH_LAYERS = _levels((2, 3, 4))
DEPTH_CUBE = _levels((6, 3, 3))

# ---------------------------------------------------------------- compute: explicit levels

_COMPUTE = """
uniform flat: sampler2D
uniform solid: sampler3D
uniform layers: sampler2DArray
uniform cube: samplerCube

@group(1) uniform flat_t: texture2D
@group(1) uniform solid_t: texture3D
@group(1) uniform layers_t: texture2DArray
@group(1) uniform cube_t: textureCube
@group(1) uniform nearest: sampler
@group(1) uniform linear: sampler

@group(2) buffer writeonly out: []vec4

function level_of(t: sampler2D, uv: vec2, lod: float) -> vec4
  return sample_level(t, uv, lod)
end

function through(t: texture2D, s: sampler, uv: vec2) -> vec4
  return sample_level(t, s, uv, 0.0)
end

@entry(compute)
@workgroup_size(1)
function main()
  out[0] = sample_level(flat, vec2(0.3, 0.7), 0.0)
  out[1] = level_of(flat, vec2(0.9, 0.2), 1.0)
  out[2] = sample_level(solid, vec3(0.3, 0.7, 0.9), 0.0)
  out[3] = sample_level(solid, vec3(0.8, 0.1, 0.4), 1.0)
  out[4] = sample_level(layers, vec3(0.6, 0.8, 2.0), 0.0)
  out[5] = sample_level(layers, vec3(0.6, 0.8, 1.0), 1.0)
  out[6] = sample_level(cube, vec3(-1.0, 0.3, 0.4), 0.0)
  out[7] = sample_level(cube, vec3(0.1, 0.9, 0.2), 1.0)

  out[8] = through(flat_t, nearest, vec2(1.3, -0.3))
  out[9] = through(flat_t, linear, vec2(0.37, 0.61))
  out[10] = sample_level(flat_t, linear, vec2(0.13, 0.81), 1.0)
  out[11] = sample_level(solid_t, nearest, vec3(0.5, 0.6, 0.2), 0.0)
  out[12] = sample_level(layers_t, nearest, vec3(0.1, 0.1, 0.0), 0.0)
  out[13] = sample_level(cube_t, nearest, vec3(0.2, -0.3, -1.0), 0.0)

  out[14] = sample_grad(flat, vec2(0.4, 0.4), vec2(0.01, 0.0), vec2(0.0, 0.01))
  out[15] = sample_grad(flat_t, nearest, vec2(0.4, 0.4), vec2(0.34, 0.0), vec2(0.0, 0.34))
  out[16] = sample_grad(solid, vec3(0.4), vec3(0.01), vec3(0.01))
  out[17] = sample_grad(layers, vec3(0.4, 0.4, 1.0), vec2(0.01), vec2(0.01))
  out[18] = sample_grad(cube, vec3(1.0, 0.2, 0.3), vec3(0.01), vec3(0.01))

  out[19] = texel_fetch(flat, ivec2(5, 3), 0)
  out[20] = texel_fetch(flat_t, ivec2(2, 1), 1)
  out[21] = texel_fetch(solid_t, ivec3(4, 0, 2), 0)
  out[22] = texel_fetch(layers_t, ivec3(3, 1, 2), 0)
  out[23] = texel_fetch(layers, ivec3(1, 0, 1), 1)

  out[24] = vec4(vec2(texture_size(flat, 0)), vec2(texture_size(flat_t, 1)))
  out[25] = vec4(vec3(texture_size(solid, 0)), 0.0)
  out[26] = vec4(vec3(texture_size(solid_t, 1)), 0.0)
  out[27] = vec4(vec3(texture_size(layers, 1)), 0.0)
  out[28] = vec4(vec3(texture_size(layers_t, 0)), float(array_length(out)))
  out[29] = vec4(vec2(texture_size(cube, 1)), vec2(texture_size(cube_t, 0)))
end
"""
_COUNT = 30


def _near(level: Values, *coords: float) -> Values:
    """The nearest texel at (u, v) or (u, v, w), repeated."""
    index = [int(np.floor(c * n)) % n for c, n in zip(reversed(coords), level.shape, strict=False)]
    result: Values = level[tuple(index)]
    return result


def _layer(level: Values, u: float, v: float, layer: int) -> Values:
    return _near(level[layer], u, v)


def _cube(level: Values, x: float, y: float, z: float) -> Values:
    """The nearest texel of a cube map (Vulkan, "Cube Map Face Selection")."""
    size = (abs(x), abs(y), abs(z))
    major = size.index(max(size))
    face = 2 * major + ((x, y, z)[major] < 0)
    s, t = [(-z, -y), (z, -y), (x, z), (x, -z), (x, -y), (-x, -y)][face]
    u, v = s / size[major] * 0.5 + 0.5, t / size[major] * 0.5 + 0.5
    return _near(level[face], u, v)


def _linear(level: Values, u: float, v: float) -> Values:
    return sample_2d(level, np.array([u, v], f32))


def _explicit_job() -> Dispatch:
    flat, solid = Image(FLAT), Image(SOLID, "3d")
    layers, cube = Image(LAYERS, "2darray"), Image(CUBE, "cube")
    combined = {(0, 2 * i): Combined(t, NEAREST) for i, t in enumerate((flat, solid, layers, cube))}
    both: tuple[Resource, ...] = (flat, solid, layers, cube, NEAREST, LINEAR)
    separate: dict[Slot, Resource] = {(1, i): t for i, t in enumerate(both)}
    out = {(2, 0): Storage(bytes(16 * _COUNT))}
    return Dispatch("main", (1, 1, 1), {**combined, **separate, **out})


def _explicit() -> Mapping[Key, Expected]:
    colours = [
        _near(FLAT[0], 0.3, 0.7),
        _near(FLAT[1], 0.9, 0.2),
        _near(SOLID[0], 0.3, 0.7, 0.9),
        _near(SOLID[1], 0.8, 0.1, 0.4),
        _layer(LAYERS[0], 0.6, 0.8, 2),
        _layer(LAYERS[1], 0.6, 0.8, 1),
        _cube(CUBE[0], -1.0, 0.3, 0.4),
        _cube(CUBE[1], 0.1, 0.9, 0.2),
        _near(FLAT[0], 1.3, -0.3),
        _linear(FLAT[0], 0.37, 0.61),
        _linear(FLAT[1], 0.13, 0.81),
        _near(SOLID[0], 0.5, 0.6, 0.2),
        _layer(LAYERS[0], 0.1, 0.1, 0),
        _cube(CUBE[0], 0.2, -0.3, -1.0),
        _near(FLAT[0], 0.4, 0.4),
        _near(FLAT[1], 0.4, 0.4),  # a gradient of two texels: level 1
        _near(SOLID[0], 0.4, 0.4, 0.4),
        _layer(LAYERS[0], 0.4, 0.4, 1),
        _cube(CUBE[0], 1.0, 0.2, 0.3),
        FLAT[0][3, 5],
        FLAT[1][1, 2],
        SOLID[0][2, 0, 4],
        LAYERS[0][2, 1, 3],
        LAYERS[1][1, 0, 1],
        [6, 4, 3, 2],
        [5, 4, 3, 0],
        [2, 2, 1, 0],
        [2, 1, 3, 0],
        [4, 2, 3, _COUNT],
        [2, 2, 4, 4],
    ]
    return {(2, 0): Expected(np.array(colours, f32), atol=1e-5)}


# ---------------------------------------------------------------- compute: comparisons

_COMPARE = """
uniform flat: sampler2DShadow
uniform layers: sampler2DArrayShadow
uniform cube: samplerCubeShadow

@group(1) uniform flat_t: textureDepth2D
@group(1) uniform layers_t: textureDepth2DArray
@group(1) uniform cube_t: textureDepthCube
@group(1) uniform closer: samplerShadow

@group(2) uniform refs: vec4
@group(2) buffer writeonly out: []vec4

function lit(t: sampler2DShadow, uv: vec2, ref: float) -> float
  return sample_compare(t, uv, ref)
end

function all_lit(t: textureDepth2D, s: samplerShadow, uv: vec2) -> vec4
  return vec4(
    sample_compare(t, s, uv, refs.x), sample_compare(t, s, uv, refs.y),
    sample_compare(t, s, uv, refs.z), sample_compare(t, s, uv, refs.w))
end

@entry(compute)
@workgroup_size(1)
function main()
  for i = 0, 4 do
    let r = refs[i]
    out[i] = vec4(
      lit(flat, vec2(0.4, 0.3), r),
      sample_compare(layers, vec3(0.4, 0.3, 1.0), r),
      sample_compare(cube, vec3(0.2, -1.0, 0.3), r),
      sample_compare(cube_t, closer, vec3(-1.0, 0.2, 0.4), r))
  end
  out[4] = all_lit(flat_t, closer, vec2(0.9, 0.8))
  out[5] = vec4(
    sample_compare(layers_t, closer, vec3(0.1, 0.9, 0.0), refs.y),
    vec2(texture_size(flat, 0)), float(texture_size(layers, 0).z))
end
"""

REFS = np.array([0.15, 0.42, 0.66, 0.91], f32)


def _compare_job() -> Dispatch:
    images = [
        Image(DEPTH, depth=True),
        Image(DEPTH_LAYERS, "2darray", depth=True),
        Image(DEPTH_CUBE, "cube", depth=True),
    ]
    less = SamplerState(linear=False, compare="less_equal")
    greater = SamplerState(linear=False, compare="greater")
    combined = {(0, 2 * i): Combined(image, less) for i, image in enumerate(images)}
    separate: dict[Slot, Resource] = {(1, i): image for i, image in enumerate(images)}
    rest: dict[Slot, Resource] = {
        (1, 3): greater,
        (2, 0): Uniform(pack("vec4", REFS, STD140)),
        (2, 1): Storage(bytes(16 * 6)),
    }
    return Dispatch("main", (1, 1, 1), {**combined, **separate, **rest})


def _compare() -> Mapping[Key, Expected]:
    flat = _near(DEPTH[0], 0.4, 0.3)
    layer = _near(DEPTH_LAYERS[0][1], 0.4, 0.3)
    down, left = _cube(DEPTH_CUBE[0], 0.2, -1.0, 0.3), _cube(DEPTH_CUBE[0], -1.0, 0.2, 0.4)
    rows = [[r <= flat, r <= layer, r <= down, r > left] for r in REFS]
    rows.append([r > _near(DEPTH[0], 0.9, 0.8) for r in REFS])
    rows.append([REFS[1] > _near(DEPTH_LAYERS[0][0], 0.1, 0.9), 7, 5, 2])
    return {(2, 1): Expected(np.array(rows, f32))}


# ---------------------------------------------------------------- fragment: implicit levels

_FRAGMENT = """
#include <common/fullscreen.luma>

uniform flat: sampler2D
uniform solid: sampler3D
uniform layers: sampler2DArray
uniform cube: samplerCube
uniform flat_t: texture2D
uniform clamped: sampler

@entry(fragment)
function shade(input: Screen, @builtin(frag_coord) at: vec4)
    -> (@location(0) a: vec4, b: vec4, c: vec4, d: vec4, e: vec4, f: vec4)
  let uv = input.uv
  let half_size = sample(flat, uv * 2.0)
  let derivatives = vec4(dfdx(at.x * 3.0), dfdy(at.y * 5.0), fwidth(at.x - at.y), 0.0)
  if at.x > 6.0 and at.y > 4.0 then
    discard()
  end
  return {
    a = half_size,
    b = sample_bias(flat, uv, 1.0),
    c = sample(layers, vec3(uv, 2.0)) + sample(solid, vec3(uv, 0.4)),
    d = sample(cube, vec3(uv - 0.5, 1.0)),
    e = sample(flat_t, clamped, uv + 0.5),
    f = derivatives,
  }
end
"""
WIDTH, HEIGHT = 6 * 2, 4 * 2  # two pixels a texel of FLAT: level 0 at uv, level 0 at uv * 2


def _implicit_job() -> Draw:
    images = (Image(FLAT), Image(SOLID, "3d"), Image(LAYERS, "2darray"), Image(CUBE, "cube"))
    combined = {(0, 2 * i): Combined(image, NEAREST) for i, image in enumerate(images)}
    separate: dict[Slot, Resource] = {(0, 8): Image(FLAT[:1]), (0, 9): CLAMP}
    return Draw(
        "fullscreen",
        "shade",
        (WIDTH, HEIGHT),
        resources={**combined, **separate},
        targets=dict.fromkeys(range(6), "float"),
        clear=(9.0, 8.0, 7.0, 6.0),
    )


def _nearest(level: Values, uv: Values, *, repeat: bool = True) -> Values:
    return sample_2d(level, uv, linear=False, repeat=repeat)


def _implicit() -> Mapping[Key, Expected]:
    uv = screen_uv(WIDTH, HEIGHT)
    x, y = uv[..., 0], uv[..., 1]
    cube = np.array([[_cube(CUBE[0], x[j, i] - 0.5, y[j, i] - 0.5, 1.0) for i in range(WIDTH)]
                     for j in range(HEIGHT)])  # fmt: skip
    images = [
        _nearest(FLAT[0], uv * 2),
        _nearest(FLAT[0], uv),  # bias 1 takes level -1 to level 0
        _nearest(LAYERS[0][2], uv) + _nearest(SOLID[0][1], uv),
        cube,
        _nearest(FLAT[0], uv + f32(0.5), repeat=False),
        np.broadcast_to(np.array([3, 5, 2, 0], f32), (HEIGHT, WIDTH, 4)),
    ]
    gone = (np.arange(WIDTH)[None, :] + 0.5 > 6) & (np.arange(HEIGHT)[:, None] + 0.5 > 4)
    clear = np.array([9, 8, 7, 6], f32)
    return {
        location: Expected(np.where(gone[..., None], clear, image).astype(f32), atol=1e-5)
        for location, image in enumerate(images)
    }


CASES = (
    Case("textures_explicit", _COMPUTE, _explicit_job, _explicit),
    Case("textures_compare", _COMPARE, _compare_job, _compare),
    Case("textures_implicit", _FRAGMENT, _implicit_job, _implicit),
)
