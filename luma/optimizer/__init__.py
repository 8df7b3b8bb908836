"""Passes from module to module; expressions are rewritten by the rules in ``luma.rules``."""

from luma.optimizer.egraph import StrandedError
from luma.optimizer.levels import optimize, optimize_for, prepare

__all__ = ["StrandedError", "optimize", "optimize_for", "prepare"]
