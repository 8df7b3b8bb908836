"""What an MSL file calls things and where it finds them."""

from __future__ import annotations

from luma.ir.module import EntryPoint, Global
from luma.ir.reach import host_structs, select
from luma.language.layout import Rules, rules_for
from luma.language.types import Space, Struct

from ..description import (
    EntryDescription,
    Implicit,
    NamedBinding,
    NamedStruct,
    Place,
    base_of,
    descriptor_type,
    named_constants,
    named_struct,
    named_variables,
)
from .file import MslFile, input_attribute, output_attribute


def describe(file: MslFile) -> tuple[EntryDescription, ...]:
    """The names and places of a file that has been written."""
    return tuple(_entry(file, entry) for entry in file.module.entry_points)


def _entry(file: MslFile, entry: EntryPoint) -> EntryDescription:
    printer, stage = file.printer, entry.stage
    outputs = printer.outputs[entry.function][2] if entry.outputs else ()
    constants = select(file.module, (entry.name,)).spec_constants
    bound = [g for g in file.reached[entry.function] if g.space is not Space.WORKGROUP]
    return EntryDescription(
        entry.name,
        printer.function_names[entry.function],
        named_variables(
            entry.inputs,
            file.input_names[entry.function],
            (input_attribute(v, stage) for v in entry.inputs),
        ),
        named_variables(
            entry.outputs, outputs, (output_attribute(v, stage) for v in entry.outputs)
        ),
        tuple(_binding(file, entry, item) for item in bound),
        tuple(_struct(file, *pair) for pair in host_structs(file.module, bound)),
        named_constants(constants, file.spec_names),
        _sizes(file, entry),
    )


def _binding(file: MslFile, entry: EntryPoint, item: Global) -> NamedBinding:
    kind, index = file.bindings[entry.function].slot(item.name)
    held = base_of(item.type)
    struct = ""
    if isinstance(held, Struct):
        struct = file.printer.forms.name(held, rules_for(item.space))
    name = file.printer.global_names[item.name]
    place: Place = {"table": kind, "index": index}
    return NamedBinding(item.name, name, struct, descriptor_type(item), place)


def _struct(file: MslFile, struct: Struct, rules: Rules) -> NamedStruct:
    names = file.printer.field_names[struct.name]
    pairs = zip((field.name for field in struct.fields), names, strict=True)
    return named_struct(struct.name, rules, file.printer.forms.name(struct, rules), pairs)


def _sizes(file: MslFile, entry: EntryPoint) -> tuple[Implicit, ...]:
    """The table of buffer sizes, where the entry point asks for a buffer's length."""
    index = file.bindings[entry.function].sizes
    if not file.measured[entry.function] or index is None:
        return ()
    return (Implicit("buffer_sizes", file.sizes_name, {"table": "buffer", "index": index}),)
