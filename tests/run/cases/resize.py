"""Bicubic resize by texel fetches."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from tests.harness.cases import Case, Expected, Key
from tests.harness.jobs import Dispatch, Image, Storage, Uniform, Values
from tests.harness.reference import STD140, f32, pack

SOURCE = np.random.default_rng(17).uniform(0, 1, (5, 9, 4)).astype(f32)
WIDTH, HEIGHT = 14, 11


def job() -> Dispatch:
    """Workgroups of 8 by 8 over a larger image."""
    return Dispatch(
        "resize_bicubic",
        (2, 2, 1),
        {
            (0, 0): Image((SOURCE,)),
            (0, 1): Uniform(
                pack({"target_size": "ivec2"}, {"target_size": (WIDTH, HEIGHT)}, STD140)
            ),
            (0, 2): Storage(bytes(WIDTH * HEIGHT * 16)),
        },
    )


def _weights(t: Values) -> Values:
    """Catmull and Rom's cubic at the distances 1+t, t, 1-t, 2-t."""

    def near(d: Values) -> Values:
        return np.asarray(1.5 * d**3 - 2.5 * d**2 + 1)

    def far(d: Values) -> Values:
        return np.asarray(-0.5 * d**3 + 2.5 * d**2 - 4 * d + 2)

    result: Values = np.stack([far(1 + t), near(t), near(1 - t), far(2 - t)], axis=-1)
    return result


def _axis(size: int, source: int) -> tuple[Values, Values]:
    at = (np.arange(size) + 0.5) * (source / size) - 0.5
    cell = np.floor(at)
    index = np.clip(cell[:, None].astype(int) + np.arange(-1, 3), 0, source - 1)
    return index, _weights(at - cell)


def expected() -> Mapping[Key, Expected]:
    """The kernel as a function of distance."""
    rows, wy = _axis(HEIGHT, SOURCE.shape[0])
    columns, wx = _axis(WIDTH, SOURCE.shape[1])
    texels = SOURCE[rows[:, None, :, None], columns[None, :, None, :]]  # h, w, 4, 4, rgba
    image = np.einsum("yj,xi,yxjic->yxc", wy, wx, texels)
    return {(0, 2): Expected(np.maximum(image, 0).astype(f32), atol=1e-5)}


CASES = (Case("resize_bicubic", "resize_bicubic.luma", job, expected),)
