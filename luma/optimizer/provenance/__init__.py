"""Where optimized code comes from: which rules fired, on what, and what followed from it."""
