"""What WGSL cannot do: the errors, and the facts for the documentation."""

from __future__ import annotations

from collections.abc import Iterator

from luma.diagnostics import Diagnostic, Level
from luma.frontend.typed import Access
from luma.ir.module import EntryPoint, Module
from luma.ir.reach import select
from luma.language.stages import Stage
from luma.language.types import Space

from .. import Limit, Problem

#: Diagnostics' codes (:mod:`luma.codes`).
PUSH_CONSTANT, BUILTIN, EARLY_DEPTH, VERTEX_WRITE, POSITION, UNIFORMITY, IMPRECISE = (
    "E0731",
    "E0732",
    "E0733",
    "E0734",
    "E0735",
    "E0736",
    "W0993",
)


LIMITS: tuple[Limit, ...] = (
    Limit("@push_constant", f"error {PUSH_CONSTANT}: core WGSL has none; use a uniform"),
    Limit("point_size", f"error {BUILTIN}: points are one pixel wide; draw quads instead"),
    Limit("primitive_id", f"error {BUILTIN}: pass a flat number from the vertex stage instead"),
    Limit("@early_depth", f"error {EARLY_DEPTH}: WGSL leaves the order of the tests to the device"),
    Limit("a writable buffer in a vertex stage", f"error {VERTEX_WRITE}"),
    Limit("a vertex entry point without a position", f"error {POSITION}"),
    Limit(
        "derivatives, samples by derivatives and barriers in non-uniform control flow",
        f"error {UNIFORMITY}",
    ),
    Limit("several entry points", "one file, under their own names (a reserved one gets a number)"),
    Limit("bool in a buffer or uniform", "a u32 in memory, compared with 0 where it is read"),
    Limit(
        "uniforms",
        "small array elements and columns of two rows are parts of vec4s, structs get @align and "
        "@size: the bytes are those of std140",
    ),
    Limit("buffer", "`writeonly` is read_write: WGSL has no write-only buffers"),
    Limit(
        "atomics",
        "the place has an atomic type; other reads and writes of it are atomicLoad and atomicStore",
    ),
    Limit("atomic_compare_exchange", "a loop around atomicCompareExchangeWeak"),
    Limit("discard()", "`discard` makes a helper invocation, whose effects are ignored"),
    Limit("half", "f16 with `enable f16;`: the device must have the feature shader-f16"),
    Limit("sampler2D and its like", "a texture and a sampler, in two slots"),
    Limit("sample_compare outside fragment stages", "textureSampleCompareLevel: level 0"),
    Limit("colours of fewer than four components", "filled up with 0 and, for alpha, 1"),
    Limit("@interpolation(noperspective)", "@interpolate(linear)"),
    Limit("specialization constants", "overrides; their arithmetic must not overflow"),
    Limit("@unroll", "left to the device's compiler"),
    Limit("operations on constants alone", "folded if exact, else computed from a variable"),
    Limit(
        "strict floating point",
        "a device may fuse, and assume that there are no infinities and NaN: warning "
        f"{IMPRECISE} under --fp=strict; isnan and isinf look at bits",
    ),
    Limit("instance_id, vertex_id", "u32, converted"),
)


def imprecise() -> Diagnostic:
    """What to tell who asks for strict floating point."""
    return Diagnostic(
        Level.WARNING,
        IMPRECISE,
        "WGSL cannot forbid a device to fuse or reassociate arithmetic of floats",
        help="compile for another target where every bit matters",
    )


def problems(module: Module) -> Iterator[Problem]:
    """An error for everything in the module that WGSL lacks."""
    for item in module.globals:
        if item.space is Space.PUSH_CONSTANT:
            yield Problem(
                PUSH_CONSTANT,
                f"WGSL has no push constants, and `{item.name}` is one",
                f"declare it as a uniform for WGSL: `uniform {item.name}: ...`",
                item.span,
            )
    for entry in module.entry_points:
        yield from _entry_problems(module, entry)


def _entry_problems(module: Module, entry: EntryPoint) -> Iterator[Problem]:
    for variable in (*entry.inputs, *entry.outputs):
        if variable.builtin == "point_size":
            yield Problem(
                BUILTIN,
                f"WGSL has no point_size, which `{entry.name}` writes",
                "points are one pixel wide there: draw a quad for each, "
                "or leave the output out for WGSL",
                variable.span,
            )
        elif variable.builtin == "primitive_id":
            yield Problem(
                BUILTIN,
                f"WGSL has no primitive_id, which `{entry.name}` reads",
                "pass a number from the vertex stage in a flat field",
                variable.span,
            )
    if entry.early_depth:
        yield Problem(
            EARLY_DEPTH,
            f"WGSL cannot ask for the depth test before `{entry.name}`",
            "a device tests early by itself where the shader neither discards nor writes depth",
            entry.span,
        )
    if entry.stage is not Stage.VERTEX:
        return
    if all(variable.builtin != "position" for variable in entry.outputs):
        yield Problem(
            POSITION,
            f"a WGSL vertex entry point gives a position, and `{entry.name}` does not",
            "add an output `@builtin(position) position: vec4`",
            entry.span,
        )
    for item in select(module, (entry.name,)).globals:
        if item.space is Space.STORAGE and item.access is not Access.READ:
            yield Problem(
                VERTEX_WRITE,
                f"WGSL lets no vertex stage use a buffer that can be written, "
                f"and `{entry.name}` uses `{item.name}`",
                f"declare it as `buffer readonly {item.name}: ...`, or write it in a compute stage",
                item.span,
            )
