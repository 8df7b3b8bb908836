"""Execution tests: what shaders compute, against references in NumPy."""
