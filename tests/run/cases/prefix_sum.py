"""Inclusive prefix sums of blocks, with a last block that is not full."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from tests.harness.cases import Case, Expected, Key
from tests.harness.jobs import Dispatch, Storage

BLOCK, COUNT = 128, 300
VALUES = np.random.default_rng(2).integers(0, 2**30, COUNT, dtype=np.uint32)


def job() -> Dispatch:
    """Three workgroups."""
    return Dispatch(
        "prefix_sum",
        (3, 1, 1),
        {
            (0, 0): Storage(VALUES.tobytes()),
            (0, 1): Storage(bytes(4 * COUNT)),
            (0, 2): Storage(bytes(4 * 3)),
        },
    )


def expected() -> Mapping[Key, Expected]:
    """Sums modulo 2**32."""
    blocks = [VALUES[i : i + BLOCK] for i in range(0, COUNT, BLOCK)]
    sums = [np.cumsum(block, dtype=np.uint32) for block in blocks]
    totals = np.array([s[-1] for s in sums], np.uint32)
    return {(0, 1): Expected(np.concatenate(sums)), (0, 2): Expected(totals)}


CASES = (Case("prefix_sum", "compute_prefix_sum.luma", job, expected),)
