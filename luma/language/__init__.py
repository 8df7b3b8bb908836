"""The language's facts: types, memory layout, operations, stages and attributes."""
