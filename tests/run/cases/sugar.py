"""The four sugars: each draws one triangle over the whole target."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from tests.harness.cases import Case, Expected, Key
from tests.harness.jobs import Combined, Draw, Image, SamplerState, Storage, Uniform
from tests.harness.reference import (
    STD140,
    STD430,
    array,
    f32,
    interpolate,
    normalize,
    pack,
    rasterise,
    sample_2d,
    screen_uv,
)

WIDTH, HEIGHT = 13, 9
COVER = np.array([[-1, -1, 0.5], [3, -1, 0.5], [-1, 3, 0.5]], f32)
COVER4 = np.hstack([COVER, np.ones((3, 1), f32)])
TEXELS = np.random.default_rng(5).uniform(0, 1, (3, 6, 4)).astype(f32)
TEXTURE = Combined(Image((TEXELS,)), SamplerState())


# ---------------------------------------------------------------- automatic locations

TINTS = np.array([[0.1, 0.4, 0.9, 0.625], [0.3, 0.2, 0.1, 0.625], [0.7, 0.8, 0.2, 0.625]], f32)
UVS = np.array([[0.0, 0.25], [1.5, 0.5], [0.75, 2.0]], f32)


def _locations_job() -> Draw:
    return Draw(
        "transform",
        "shade",
        (WIDTH, HEIGHT),
        attributes={0: COVER, 4: TINTS, 5: UVS},
        targets={0: "float", 2: "int"},
    )


def _locations() -> Mapping[Key, Expected]:
    fragments = rasterise(COVER4, WIDTH, HEIGHT)
    uv = interpolate(fragments, UVS)
    weight = interpolate(fragments, COVER[:, :1] - COVER[:, 1:2])
    tint = interpolate(fragments, TINTS[:, 1:2] * f32(0.5))
    layers = np.tile(np.array([5, -3], np.int32), (HEIGHT, WIDTH, 1))
    return {
        0: Expected(np.concatenate([uv, weight, tint], axis=-1), atol=2e-6),
        2: Expected(layers),
    }


# ---------------------------------------------------------------- binding defaults

LIGHT = {"direction": "vec3", "intensity": "float"}
_RNG = np.random.default_rng(8)
LIGHTS: list[dict[str, Any]] = [
    {"direction": _RNG.uniform(-1, 1, 3), "intensity": _RNG.uniform(0, 1)} for _ in range(16)
]
SCALE, OFFSET = np.array([1.5, 0.75, 0.4], f32), np.array([0.1, -0.3], f32)
AMBIENT, TINT = np.array([0.05, 0.1, 0.2], f32), np.array([0.9, 0.8, 0.7, 0.6], f32)
LIGHT_COUNT = 11


def _bindings_job() -> Draw:
    uniforms = {"scale": SCALE, "offset": OFFSET}
    return Draw(
        "fullscreen",
        "shade",
        (WIDTH, HEIGHT),
        resources={
            (0, 0): Uniform(pack({"scale": "vec3", "offset": "vec2"}, uniforms, STD140)),
            (0, 1): TEXTURE,
            (1, 0): Storage(pack(array(LIGHT, 16), LIGHTS, STD430)),
            (0, 3): Uniform(pack("vec3", AMBIENT, STD140)),
            (0, 10): Uniform(pack("float", 1.75, STD140)),
            (0, 11): Uniform(pack("vec4", TINT, STD140)),
            (1, 1): Uniform(pack("int", LIGHT_COUNT, STD140)),
        },
    )


def _bindings() -> Mapping[Key, Expected]:
    albedo = sample_2d(TEXELS, screen_uv(WIDTH, HEIGHT) * SCALE[:2] + OFFSET)
    total = AMBIENT.copy()
    for light in LIGHTS[:LIGHT_COUNT]:
        strength = max(f32(light["direction"][2]), f32(0)) * f32(light["intensity"])
        total = total + strength * np.array([1.0, 0.5, 0.25], f32)
    rgb = albedo[..., :3] * total * f32(1.75)
    alpha = np.full((HEIGHT, WIDTH, 1), SCALE[2])
    return {0: Expected(np.concatenate([rgb, alpha], axis=-1) * TINT, atol=1e-5)}


# ---------------------------------------------------------------- varying structs

NORMALS = np.array([[0.1, 0.2, 1.0], [0.5, -0.3, 0.6], [-0.4, 0.8, 0.9]], f32)


def _varying_job() -> Draw:
    return Draw(
        "transform",
        "shade",
        (WIDTH, HEIGHT),
        attributes={0: COVER4, 1: NORMALS, 2: np.full((3, 1), 21, np.uint32)},
    )


def _varying() -> Mapping[Key, Expected]:
    fragments = rasterise(COVER4, WIDTH, HEIGHT)
    facing = normalize(interpolate(fragments, NORMALS))[..., 2:]
    face = np.full((HEIGHT, WIDTH, 1), 42, f32)
    image = np.concatenate([screen_uv(WIDTH, HEIGHT), facing, face], axis=-1)
    return {0: Expected(image, atol=2e-6)}


# ---------------------------------------------------------------- inline entry points

SHADES = np.array([[0.5], [1.5], [0.25]], f32)


def _inline_job() -> Draw:
    offset = np.tile(np.array([[0.125, -0.25]], f32), (3, 1))
    return Draw(
        "transform",
        "shade",
        (WIDTH, HEIGHT),
        attributes={0: offset, 1: SHADES},
        resources={(0, 0): TEXTURE},
    )


def _inline() -> Mapping[Key, Expected]:
    fragments = rasterise(COVER4, WIDTH, HEIGHT)
    albedo = sample_2d(TEXELS, screen_uv(WIDTH, HEIGHT) + np.array([0.125, -0.25], f32))
    rgb = albedo[..., :3] * interpolate(fragments, SHADES)
    image = np.concatenate([rgb, np.ones((HEIGHT, WIDTH, 1), f32)], axis=-1)
    return {0: Expected(image, atol=1e-5)}


CASES = (
    Case("sugar_auto_location", "sugar_auto_location.luma", _locations_job, _locations),
    Case(
        "sugar_binding_defaults",
        "common/fullscreen.luma",
        _bindings_job,
        _bindings,
        fragment_source="sugar_binding_defaults.luma",
    ),
    Case("sugar_varying", "sugar_varying.luma", _varying_job, _varying),
    Case("sugar_inline_entry", "sugar_inline_entry.luma", _inline_job, _inline),
)
