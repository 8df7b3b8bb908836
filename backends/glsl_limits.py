"""What GLSL makes of the language's features: the facts for the documentation."""

from __future__ import annotations

from . import Limit

LIMITS: tuple[Limit, ...] = (
    Limit("sampler2D and its like", "one combined sampler, at the texture's binding"),
    Limit("several entry points", "a file each: E0802 names --entry and --all-entries"),
    Limit(
        "texel_fetch, texture_size of a separate texture", "GL_EXT_samplerless_texture_functions"
    ),
    Limit("half", "float16_t: GL_EXT_shader_explicit_arithmetic_types_float16, 16-bit storage"),
    Limit("@unroll", "[[unroll]] of GL_EXT_control_flow_attributes"),
    Limit("discard()", "`discard`: derivatives taken later in the quad are undefined"),
    Limit("round", "roundEven"),
    Limit("shifts", "the count is masked with 31 unless it is a constant in range"),
    Limit("% of ints", "a - b * (a / b) for int: GLSL leaves negative operands undefined"),
    Limit("specialization constants", "layout(constant_id = N) const"),
    Limit("strict floating point", "variables are `precise` under --fp=strict"),
)
