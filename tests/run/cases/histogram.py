"""Histogram: atomics on shared memory and on a struct in a buffer."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from tests.harness.cases import Case, Expected, Key
from tests.harness.jobs import Dispatch, Storage, Uniform
from tests.harness.reference import STD140, STD430, Spec, array, f32, pack

BINS, COUNT = 64, 500
RESULT: Mapping[str, Spec] = {"darkest": "uint", "brightest": "uint", "bins": array("uint", BINS)}
MIN_LOG, INVERSE_RANGE = f32(-8), f32(1 / 12)
_RNG = np.random.default_rng(19)
PIXELS = (2 ** _RNG.uniform(-9, 4, (COUNT, 1)) * _RNG.uniform(0.5, 1, (COUNT, 4))).astype(f32)
PIXELS[::37] = 0


def job() -> Dispatch:
    """Eight workgroups; the result starts with something in it."""
    settings = {"min_log": MIN_LOG, "inverse_range": INVERSE_RANGE}
    before = {"darkest": 99, "brightest": 0, "bins": range(BINS)}
    return Dispatch(
        "histogram",
        (8, 1, 1),
        {
            (0, 0): Uniform(pack({"min_log": "float", "inverse_range": "float"}, settings, STD140)),
            (0, 1): Storage(PIXELS.tobytes()),
            (0, 2): Storage(pack(RESULT, before, STD430)),
        },
    )


def expected() -> Mapping[Key, Expected]:
    """numpy.bincount of the same bins; no pixel is near a border between two."""
    luminance = PIXELS[:, :3].astype(np.float64) @ np.array([0.2126, 0.7152, 0.0722])
    with np.errstate(divide="ignore"):
        t = np.clip((np.log2(luminance) - MIN_LOG) * INVERSE_RANGE, 0, 1)
    place = np.where(luminance < 0.001, 0, t * (BINS - 2) + 1)
    inside = (place > 1) & (place < BINS - 1)
    if (np.abs(place - np.round(place))[inside] < 1e-4).any():
        raise ValueError("the test's data has a pixel on the border of two bins")
    bins = place.astype(int)
    counts = np.bincount(bins, minlength=BINS) + np.arange(BINS)
    after = np.concatenate([[bins.min(), bins.max()], counts]).astype(np.uint32)
    return {(0, 2): Expected(after)}


CASES = (Case("histogram", "histogram.luma", job, expected),)
