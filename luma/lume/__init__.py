"""The Lume engine's shader tools: GLSL to SPIR-V with reflection (LSB), and shaders of snippets.

The formats are those of the engine's own tools, byte for byte; ``docs/lume.md`` tells where these
do more.  Nothing here prints or writes the files that a user names; the command line does.
"""
