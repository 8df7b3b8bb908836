"""Luma, a shader compiler whose optimizer is made of rules."""
