"""Runs MSL on the CPU: a ``metal_stdlib`` for clang, and a host that calls the shaders."""

from __future__ import annotations

from tests.harness.msl.run import run
from tests.harness.msl.source import MslError

__all__ = ["MslError", "run"]
