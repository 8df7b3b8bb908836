"""Tiled matrix product of sizes that are not multiples of the tile."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from tests.harness.cases import Case, Expected, Key
from tests.harness.jobs import Dispatch, Storage, Uniform
from tests.harness.reference import STD140, f32, pack

ROWS, INNER, COLS = 13, 21, 10
_RNG = np.random.default_rng(23)
A = _RNG.uniform(-1, 1, (ROWS, INNER)).astype(f32)
B = _RNG.uniform(-1, 1, (INNER, COLS)).astype(f32)


def job() -> Dispatch:
    """Two by two tiles."""
    shape = {"rows": ROWS, "inner": INNER, "cols": COLS}
    return Dispatch(
        "multiply",
        (2, 2, 1),
        {
            (0, 0): Uniform(pack(dict.fromkeys(shape, "int"), shape, STD140)),
            (0, 1): Storage(A.tobytes()),
            (0, 2): Storage(B.tobytes()),
            (0, 3): Storage(bytes(ROWS * COLS * 4)),
        },
    )


def expected() -> Mapping[Key, Expected]:
    """A @ B."""
    product = A.astype(np.float64) @ B.astype(np.float64)
    return {(0, 3): Expected(product.astype(f32), atol=1e-5)}


CASES = (Case("matmul", "matmul.luma", job, expected),)
