"""Both passes of the separable blur; the direction is a specialization constant."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from tests.harness.cases import Case, Expected, Key
from tests.harness.jobs import Dispatch, Storage, Uniform
from tests.harness.reference import STD140, f32, pack

WIDTH, HEIGHT, TILE = 45, 37, 32
WEIGHTS = np.array([0.227027, 0.1945946, 0.1216216, 0.054054, 0.016216], f32)
PIXELS = np.random.default_rng(4).uniform(0, 4, (HEIGHT, WIDTH, 4)).astype(f32)


def _job(vertical: bool) -> Callable[[], Dispatch]:
    along, lines = (HEIGHT, WIDTH) if vertical else (WIDTH, HEIGHT)
    return lambda: Dispatch(
        "blur",
        (-(-along // TILE), lines, 1),
        {
            (0, 0): Uniform(pack({"size": "ivec2"}, {"size": (WIDTH, HEIGHT)}, STD140)),
            (0, 1): Storage(PIXELS.tobytes()),
            (0, 2): Storage(bytes(PIXELS.nbytes)),
        },
        spec={0: vertical} if vertical else {},  # the default is horizontal
    )


def _expected(axis: int) -> Callable[[], Mapping[Key, Expected]]:
    def blurred() -> Mapping[Key, Expected]:
        total = np.zeros_like(PIXELS)
        places = np.arange(PIXELS.shape[axis])
        for offset in range(-4, 5):
            index = np.clip(places + offset, 0, len(places) - 1)
            total += np.take(PIXELS, index, axis=axis) * WEIGHTS[abs(offset)]
        return {(0, 2): Expected(total, atol=2e-6, rtol=2e-6)}

    return blurred


CASES = (
    Case("blur_horizontal", "blur.luma", _job(False), _expected(1)),
    Case("blur_vertical", "blur.luma", _job(True), _expected(0)),
)
