"""The tests of Luma."""
