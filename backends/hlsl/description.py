"""What an HLSL file calls things and where it binds them."""

from __future__ import annotations

from collections.abc import Iterator

from luma.ir.module import Global
from luma.ir.reach import host_structs
from luma.language.types import Space, Struct

from ..description import (
    EntryDescription,
    NamedBinding,
    NamedStruct,
    NamedVariable,
    base_of,
    descriptor_type,
    named_constants,
    named_struct,
)
from .file import File
from .places import held, packing_of


def describe(file: File) -> EntryDescription:
    """The names and places of a file that has been written."""
    module, entry, printer = file.module, file.entry, file.printer
    several = len(entry.outputs) > 1
    fields = printer.output_fields if several else ("",) * len(entry.outputs)
    bound = [item for item in module.globals if item.space is not Space.WORKGROUP]
    return EntryDescription(
        entry.name,
        file.entry_name,
        tuple(
            NamedVariable(v.name, name if name in file.declared else "", file.semantic(v, True))
            for v, name in zip(entry.inputs, file.inputs, strict=True)
        ),
        tuple(
            NamedVariable(v.name, name, file.semantic(v, False))
            for v, name in zip(entry.outputs, fields, strict=True)
        ),
        tuple(_binding(file, item) for item in bound),
        tuple(_structs(file, bound)),
        named_constants(module.spec_constants, printer.global_names),
    )


def _binding(file: File, item: Global) -> NamedBinding:
    struct, packing = base_of(held(item)), packing_of(item)
    block = file.wrappers.get(item.name, "")
    if not block and isinstance(struct, Struct) and packing is not None:
        block = file.printer.block_names[struct.name, packing]
    name = file.printer.global_names[item.name]
    return NamedBinding(item.name, name, block, descriptor_type(item), file.place(item))


def _structs(file: File, bound: list[Global]) -> Iterator[NamedStruct]:
    """The structs of buffers that have any: byte address buffers and words have none."""
    names = file.printer.block_names
    packings = dict.fromkeys(packing_of(item) for item in bound)
    for struct, rules in host_structs(file.module, bound):
        forms = {
            names[struct.name, packing]: None
            for packing in packings
            if packing is not None and packing.rules is rules and (struct.name, packing) in names
        }
        for emitted in forms:
            fields = file.printer.field_names[struct.name]
            pairs = zip((field.name for field in struct.fields), fields, strict=True)
            yield named_struct(struct.name, rules, emitted, pairs)
