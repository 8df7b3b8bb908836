"""Passes from module to module; expressions are rewritten by the rules in ``luma.rules``."""
