"""Tone mapping: separate texture and sampler, ACES, the sRGB curve."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from tests.harness.cases import Case, Expected, Key
from tests.harness.jobs import Draw, Image, SamplerState, Uniform
from tests.harness.reference import STD140, f32, mix, pack

WIDTH, HEIGHT = 19, 12
GRADE = {"exposure": "float", "saturation": "float", "lift": "vec3"}
EXPOSURE, SATURATION, LIFT = 0.75, 1.3, np.array([0.002, -0.004, 0.001])
HDR = (np.random.default_rng(21).uniform(0, 1.4, (HEIGHT, WIDTH, 4)) ** 6).astype(f32)


def job() -> Draw:
    """One texel a pixel."""
    grade = {"exposure": EXPOSURE, "saturation": SATURATION, "lift": LIFT}
    return Draw(
        "fullscreen",
        "shade",
        (WIDTH, HEIGHT),
        resources={
            (0, 0): Image((HDR,)),
            (0, 1): SamplerState(linear=False),
            (1, 0): Uniform(pack(GRADE, grade, STD140)),
        },
    )


def expected() -> Mapping[Key, Expected]:
    """The published curves."""
    light = HDR[..., :3].astype(np.float64) * 2**EXPOSURE
    grey = (light @ np.array([0.2126, 0.7152, 0.0722]))[..., None]
    x = np.maximum(mix(grey, light, SATURATION) + LIFT, 0)
    aces = np.clip((x * (2.51 * x + 0.03)) / (x * (2.43 * x + 0.59) + 0.14), 0, 1)
    srgb = np.where(aces <= 0.0031308, aces * 12.92, 1.055 * aces ** (1 / 2.4) - 0.055)
    image = np.concatenate([srgb, grey], axis=-1).astype(f32)
    return {0: Expected(image, atol=2e-5, rtol=1e-6)}


CASES = (Case("tonemap", "color_grade.luma", job, expected),)
