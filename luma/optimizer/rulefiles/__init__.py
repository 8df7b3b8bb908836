"""Rule files as data: read into a tree of our own, typed, linted and checked for truth."""
