"""Optimized programs do what the unoptimized ones do: bit for bit, or nearly under fast rules.

``python -m tests.differential`` checks any number of such programs.
"""

from __future__ import annotations

import pytest

from tests.differential import KINDS, check

#: Programs of each kind, in groups of so many.
GROUPS, SIZE = 15, 5


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("group", range(GROUPS))
def test_programs(kind: str, group: int) -> None:
    """Bits at every level; the message names the seed."""
    for seed in range(group * SIZE, (group + 1) * SIZE):
        try:
            check(kind, seed)
        except Exception as error:
            error.add_note(f"{kind} {seed}")
            raise
