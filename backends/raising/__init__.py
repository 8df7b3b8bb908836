"""Rewrites of IR, before printing, into what a target can say; each is exact and tells no target.

A printer only spells.  What a target has no words for is said in other operations first.
"""

from __future__ import annotations

from .constants import fold
from .expand import EXPANSIONS, expand

__all__ = ["EXPANSIONS", "expand", "fold"]
