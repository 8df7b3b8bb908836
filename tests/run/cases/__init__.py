"""The cases: one file each; every module here that has CASES is taken in."""
