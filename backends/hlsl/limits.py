"""What HLSL cannot do: the errors and warnings, and the facts for the documentation."""

from __future__ import annotations

from collections.abc import Iterator

from luma.diagnostics import Level
from luma.ir.module import EntryPoint

from .. import Limit, Problem

LIMITS: tuple[Limit, ...] = (
    Limit("num_workgroups", "error E0711: Direct3D has no such value; use a uniform"),
    Limit(
        "point_size",
        "warning W0991: only SPIR-V made from the file has it; Direct3D draws points of one pixel",
    ),
    Limit("@push_constant", "a constant buffer in a register space of its own: root constants"),
    Limit("specialization constants", "constants of SPIR-V; for DXIL, their default values"),
    Limit(
        "buffer",
        "an array of numbers, vectors or structs is a structured buffer (its elements padded to "
        "std430) where Direct3D has one of that layout; all else is a byte address buffer, read "
        "and written at computed offsets",
    ),
    Limit("bool in a buffer or uniform", "a uint in memory, compared with 0 where it is read"),
    Limit("uniforms", "constant buffers with padding members; the bytes are those of std140"),
    Limit("matrices", "the transposed type: `matCxR` is `floatCxR`, `M * v` is `mul(v, M)`"),
    Limit("sampler2D and its like", "a texture (t register) and a sampler (the next s register)"),
    Limit("frag_coord", "SV_Position, with the reciprocal of its w"),
    Limit("instance_id, vertex_id", "count from 0, whatever the draw call's first one is"),
    Limit("half", "needs -enable-16bit-types and a device with native 16-bit operations"),
    Limit(
        "atomic_min, atomic_max on ints of a byte address buffer",
        "a loop around a compare-exchange",
    ),
    Limit("fma", "`mad`, which Direct3D may round twice"),
    Limit("pack_half2x16", "`f32tof16`, whose rounding Direct3D leaves open"),
    Limit("and, or with effects on the right", "an if statement"),
    Limit("@unroll", "left to the compiler: DXC fails where it cannot unroll what it is told to"),
    Limit(
        "strict floating point",
        "variables are `precise` under --fp=strict; DXC needs -Gis as well for NaN and infinities",
    ),
)


def problems(entry: EntryPoint) -> Iterator[Problem]:
    """What to tell of an entry point."""
    for variable in entry.inputs:
        if variable.builtin == "num_workgroups":
            yield Problem(
                "E0711",
                f"HLSL has no builtin value num_workgroups, and `{entry.name}` reads it",
                "pass the number of workgroups in a uniform",
                variable.span,
            )
    for variable in entry.outputs:
        if variable.builtin == "point_size":
            yield Problem(
                "W0991",
                f"Direct3D ignores the point_size of `{entry.name}`: its points are one pixel wide",
                "draw quads instead; SPIR-V made from the HLSL has the size",
                variable.span,
                Level.WARNING,
            )
