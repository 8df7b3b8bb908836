"""How large shaders come out: measured over many files, compared, shown in tables and plots."""
