"""Passes from module to module; expressions are rewritten by the rules in ``luma.rules``."""

from luma.optimizer.levels import optimize

__all__ = ["optimize"]
