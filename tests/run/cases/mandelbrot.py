"""Escape times, by the default and by a specialized number of steps."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from tests.harness.cases import Case, Expected, Key
from tests.harness.jobs import Dispatch, Storage, Uniform
from tests.harness.reference import STD140, f32, pack

WIDTH, HEIGHT = 27, 18
CENTER, EXTENT = np.array([-0.6, 0.05], f32), np.array([2.8, 2.1], f32)


def _job(steps: int | None) -> Callable[[], Dispatch]:
    view = {"center": CENTER, "extent": EXTENT, "size": (WIDTH, HEIGHT)}
    layout = {"center": "vec2", "extent": "vec2", "size": "uvec2"}
    return lambda: Dispatch(
        "mandelbrot",
        (4, 3, 1),
        {
            (0, 0): Uniform(pack(layout, view, STD140)),
            (0, 1): Storage(bytes(WIDTH * HEIGHT * 4)),
        },
        spec={} if steps is None else {3: steps},
    )


def _expected(steps: int) -> Callable[[], Mapping[Key, Expected]]:
    def escape_times() -> Mapping[Key, Expected]:
        x, y = np.meshgrid(np.arange(WIDTH, dtype=f32), np.arange(HEIGHT, dtype=f32))
        at = (np.stack([x, y], axis=-1) + f32(0.5)) / np.array([WIDTH, HEIGHT], f32) - f32(0.5)
        c = CENTER + at * EXTENT
        z, n = np.zeros_like(c), np.zeros((HEIGHT, WIDTH), np.int32)
        for _ in range(steps):
            live = (z * z).sum(axis=-1) <= 4
            n[live] += 1
            square = np.stack([z[..., 0] ** 2 - z[..., 1] ** 2, 2 * z[..., 0] * z[..., 1]], axis=-1)
            z = np.where(live[..., None], square + c, z).astype(f32)
        # Near the border one rounding more or less decides the time.
        return {(0, 1): Expected(n, outliers=0.01)}

    return escape_times


CASES = (
    Case("mandelbrot", "mandelbrot.luma", _job(None), _expected(64)),
    Case("mandelbrot_specialized", "mandelbrot.luma", _job(25), _expected(25)),
)
