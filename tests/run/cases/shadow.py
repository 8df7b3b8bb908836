"""Percentage-closer filtering of a shadow map."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from tests.harness.cases import Case, Expected, Key, read_source
from tests.harness.jobs import Combined, Draw, Image, SamplerState, Uniform
from tests.harness.reference import STD140, columns, f32, pack, screen_uv

WIDTH, HEIGHT, MAP_W, MAP_H = 20, 14, 11, 8
LIGHT = {"view_proj": "mat4", "color": "vec3", "texel": "float"}
VIEW_PROJ = np.array(
    [[0.7, 0.1, 0.05, 0.02], [0.1, -0.2, 0.3, 0.1], [-0.15, 0.75, 0.02, 0.05], [0.1, 0.05, 0.5, 1]],
    f32,
)
COLOR, TEXEL = np.array([1.0, 0.75, 0.5], f32), f32(0.093)
DEPTHS = np.random.default_rng(13).uniform(0.35, 0.75, (MAP_H, MAP_W)).astype(f32)


def job() -> Draw:
    """A full-screen triangle; the comparison is less-or-equal on the nearest texel."""
    light = {"view_proj": VIEW_PROJ, "color": COLOR, "texel": TEXEL}
    sampler = SamplerState(linear=False, repeat=False, compare="less_equal")
    return Draw(
        "fullscreen",
        "shade",
        (WIDTH, HEIGHT),
        resources={
            (0, 0): Uniform(pack(LIGHT, light, STD140)),
            (0, 1): Combined(Image((DEPTHS,), depth=True), sampler),
        },
    )


def expected() -> Mapping[Key, Expected]:
    """Nine comparisons a pixel."""
    uv = screen_uv(WIDTH, HEIGHT) * f32(3) - f32(1.5)
    ones = np.ones((HEIGHT, WIDTH), f32)
    clip = columns(VIEW_PROJ, np.stack([uv[..., 0], ones * f32(0.25), uv[..., 1], ones], axis=-1))
    ndc = clip[..., :3] / clip[..., 3:]
    at = ndc[..., :2] * f32(0.5) + f32(0.5)
    outside = ((at < 0) | (at > 1)).any(axis=-1)
    total, safe = np.zeros((HEIGHT, WIDTH), f32), np.abs(at - np.round(at)).min(axis=-1) > 1e-4
    for y in (-1, 0, 1):
        for x in (-1, 0, 1):
            place = (at + np.array([x, y], f32) * TEXEL) * np.array([MAP_W, MAP_H], f32)
            column = np.clip(np.floor(place[..., 0]).astype(int), 0, MAP_W - 1)
            row = np.clip(np.floor(place[..., 1]).astype(int), 0, MAP_H - 1)
            depth = DEPTHS[row, column]
            total += ndc[..., 2] - f32(0.01) <= depth
            safe &= np.abs(place - np.round(place)).min(axis=-1) > 1e-3
            safe &= np.abs(ndc[..., 2] - f32(0.01) - depth) > 1e-5
    lit = np.where(outside, 1, total / f32(9))[..., None].astype(f32)
    image = np.concatenate([COLOR * lit, lit], axis=-1)
    return {0: Expected(image, atol=1e-6, mask=safe)}


def _compared_first() -> str:
    """The comparisons before the branch that needs none, for targets that insist."""
    text = read_source("shadow.luma")[0].replace(
        '"../common/fullscreen.luma"', "<common/fullscreen.luma>"
    )
    guard = text[text.index("  if any(") : text.index("  let lit = 0.0")]
    result = "  return lit / 9.0\n"
    return text.replace(guard, "").replace(result, guard.rstrip() + "\n" + result)


CASES = (
    Case("shadow", "shadow.luma", job, expected, refused={"wgsl": "E0736"}),
    Case("shadow_compared_first", _compared_first(), job, expected),
)
