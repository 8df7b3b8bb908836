"""Value and simplex noise: integer hashing, selects, a loop over octaves."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from tests.harness.cases import Case, Expected, Key
from tests.harness.jobs import Dispatch, Storage, Uniform, Values
from tests.harness.reference import STD140, columns, dot, f32, mix, pack

WIDTH, HEIGHT, SCALE, GAIN = 21, 13, f32(0.37), f32(0.55)


def job() -> Dispatch:
    """Workgroups of 8 by 4, some of them over the border."""
    settings = {"size": (WIDTH, HEIGHT), "scale": SCALE, "gain": GAIN}
    layout = {"size": "ivec2", "scale": "float", "gain": "float"}
    return Dispatch(
        "noise",
        (3, 4, 1),
        {
            (0, 0): Uniform(pack(layout, settings, STD140)),
            (0, 1): Storage(bytes(WIDTH * HEIGHT * 8)),
        },
    )


def _hash(p: Values) -> Values:
    x, y = p[..., 0].astype(np.uint32), p[..., 1].astype(np.uint32)
    h = x * np.uint32(374761393) + y * np.uint32(668265263)
    h = (h ^ (h >> np.uint32(13))) * np.uint32(1274126177)
    result: Values = h ^ (h >> np.uint32(16))
    return result


def _lattice(p: Values) -> Values:
    result: Values = (_hash(p) >> np.uint32(8)).astype(f32) / f32(16777216)
    return result


def _value(p: Values) -> Values:
    cell = np.floor(p)
    i, f = cell.astype(np.int32), p - cell
    w = f * f * f * (f * (f * 6 - 15) + 10)
    low = mix(_lattice(i), _lattice(i + np.array([1, 0], np.int32)), w[..., 0])
    high = mix(_lattice(i + np.array([0, 1], np.int32)), _lattice(i + np.int32(1)), w[..., 0])
    return mix(low, high, w[..., 1])


def _gradient(corner: Values) -> Values:
    h = _hash(corner) & np.uint32(7)
    sx = np.where(h & np.uint32(1), f32(-1), f32(1))
    sy = np.where(h & np.uint32(2), f32(-1), f32(1))
    diagonal = np.stack([sx, sy], axis=-1) * f32(0.70710678)
    zero = np.zeros_like(sx)
    vertical, level = np.stack([zero, sy], axis=-1), np.stack([sy, zero], axis=-1)
    straight = np.where((h & np.uint32(1))[..., None] != 0, vertical, level)
    return np.where((h & np.uint32(4))[..., None] != 0, diagonal, straight)


def _corner(corner: Values, d: Values) -> Values:
    t = np.maximum(f32(0.5) - dot(d, d), 0)
    return t * t * t * t * dot(_gradient(corner), d)


def _simplex(p: Values) -> Values:
    cell = np.floor(p + (p[..., :1] + p[..., 1:]) * f32(0.36602540378))
    d0 = p - (cell - (cell[..., :1] + cell[..., 1:]) * f32(0.21132486540))
    i = cell.astype(np.int32)
    right = d0[..., :1] > d0[..., 1:]
    step = np.where(right, np.array([1, 0], np.int32), np.array([0, 1], np.int32))
    d1 = d0 - step.astype(f32) + f32(0.21132486540)
    d2 = d0 - 1 + f32(2 * 0.21132486540)
    total = _corner(i, d0) + _corner(i + step, d1) + _corner(i + np.int32(1), d2)
    result: Values = f32(70) * total
    return result


def expected() -> Mapping[Key, Expected]:
    """Five octaves of both."""
    x, y = np.meshgrid(np.arange(WIDTH, dtype=f32), np.arange(HEIGHT, dtype=f32))
    p = np.stack([x, y], axis=-1) * SCALE
    amplitude, total = f32(0.5), np.zeros((HEIGHT, WIDTH, 2), f32)
    turn = np.array([[1.6, 1.2], [-1.2, 1.6]], f32)
    for octave in range(5):
        total += amplitude * np.stack([_value(p), _simplex(p)], axis=-1)
        p = columns(turn, p) + f32(octave)
        amplitude = f32(amplitude * GAIN)
    return {(0, 1): Expected(total.astype(f32), atol=2e-5, outliers=0.01)}


CASES = (Case("noise", "noise.luma", job, expected),)
