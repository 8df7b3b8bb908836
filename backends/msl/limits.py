"""What Metal cannot do: the errors, and the facts for the documentation."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from luma.ir.module import EntryPoint, IOVariable, Module
from luma.language.stages import Stage

from .. import Limit, Problem
from .bindings import Bindings

#: Entries of Metal's argument tables ("Metal Feature Set Tables", of every GPU family).
MOST_BUFFERS, MOST_TEXTURES, MOST_SAMPLERS = 31, 128, 16

#: The greatest numbers of vertex attributes, colour attachments and function constants.
LAST_ATTRIBUTE, LAST_COLOR, LAST_CONSTANT = 30, 7, 65535

TABLES, NUMBER, POSITION = "E0721", "E0722", "E0723"

LIMITS: tuple[Limit, ...] = (
    Limit(
        "more than 31 buffers, 128 textures or 16 samplers in one entry point", f"error {TABLES}"
    ),
    Limit("vertex inputs past location 30, colours past 7, spec ids past 65535", f"error {NUMBER}"),
    Limit("a vertex entry point with outputs but no position", f"error {POSITION}"),
    Limit(
        "bindings",
        "numbered by class (buffer, texture, sampler) in the order of (group, binding)",
    ),
    Limit("@push_constant", "a buffer at the first index after the bindings"),
    Limit("array_length", "from a buffer of sizes in bytes, which the host binds after all others"),
    Limit("an entry point called main", "`main0`: MSL does not allow the name"),
    Limit("@workgroup_size", "the host's to pass; the text has max_total_threads_per_threadgroup"),
    Limit("bool in a buffer or uniform", "a uint in memory, compared with 0 where it is read"),
    Limit(
        "vec3 before a scalar, std140 arrays of small elements",
        "packed vectors, alignas and padded elements, with the same bytes",
    ),
    Limit("arrays as values", "in a wrapper struct: those of MSL cannot be copied"),
    Limit("sampler2D and its like", "a texture and a sampler"),
    Limit("globals in functions", "passed as parameters"),
    Limit("sample_compare outside fragment stages", "level(0)"),
    Limit("atomics", "the place is cast to an atomic type; the order is relaxed"),
    Limit("atomic_compare_exchange", "a loop around the weak kind, which is all there is"),
    Limit("discard()", "discard_fragment, then a return; Metal ignores what callers still do"),
    Limit("specialization constants", "function constants"),
    Limit("primitive_id", "needs Metal 2.2 and a GPU that has it"),
    Limit("pow", "`powr`, which has no value where both operands are 0"),
    Limit("isnan, isinf", "tests of bits, which fast math leaves alone"),
    Limit(
        "strict floating point",
        "no contraction (a pragma) under --fp=strict; compile the library with fast math off too",
    ),
)


def problems(module: Module, tables: Mapping[str, Bindings]) -> Iterator[Problem]:
    """An error for everything that is beyond Metal; ``tables`` are by entry function."""
    for entry in module.entry_points:
        yield from _tables(tables[entry.function], entry)
        yield from _numbers(entry)
        outputs = entry.outputs if entry.stage is Stage.VERTEX else ()
        if outputs and all(v.builtin != "position" for v in outputs):
            yield Problem(
                POSITION,
                f"a vertex function of MSL that gives anything gives a position, and "
                f"`{entry.name}` does not",
                "add an output `@builtin(position)`",
                entry.span,
            )
    for constant in module.spec_constants:
        if constant.id > LAST_CONSTANT:
            yield Problem(
                NUMBER,
                f"function constants of Metal have numbers up to {LAST_CONSTANT}, and "
                f"`{constant.name}` has {constant.id}",
                "choose a lower number",
                constant.span,
            )


def _tables(table: Bindings, entry: EntryPoint) -> Iterator[Problem]:
    used = [*table.buffers.values(), *([] if table.sizes is None else [table.sizes])]
    buffers = max(used, default=-1) + 1  # with those left free for the host
    for count, most, kind in (
        (buffers, MOST_BUFFERS, "buffers"),
        (len(table.textures), MOST_TEXTURES, "textures"),
        (len(table.samplers), MOST_SAMPLERS, "samplers"),
    ):
        if count > most:
            yield Problem(
                TABLES,
                f"`{entry.name}` needs {count} {kind}, and Metal takes {most}",
                "put several into one, or use fewer in one entry point",
                entry.span,
            )


def _numbers(entry: EntryPoint) -> Iterator[Problem]:
    variables: tuple[IOVariable, ...] = ()
    last, kind = 0, ""
    if entry.stage is Stage.VERTEX:
        variables, last, kind = entry.inputs, LAST_ATTRIBUTE, "vertex attributes"
    elif entry.stage is Stage.FRAGMENT:
        variables, last, kind = entry.outputs, LAST_COLOR, "colour attachments"
    for variable in variables:
        if variable.location is not None and variable.location > last:
            yield Problem(
                NUMBER,
                f"{kind} of Metal have numbers up to {last}, and `{variable.name}` of "
                f"`{entry.name}` has {variable.location}",
                "choose a lower location",
                variable.span,
            )
