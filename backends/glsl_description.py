"""What a GLSL file calls things and where it binds them."""

from __future__ import annotations

from luma.ir.module import Global
from luma.ir.reach import HOST_SPACES, host_structs
from luma.language.layout import Rules, rules_for
from luma.language.types import Space, Struct

from .description import (
    EntryDescription,
    NamedBinding,
    NamedStruct,
    descriptor_type,
    named_constants,
    named_struct,
    named_variables,
)
from .glsl import ENTRY_NAME, File, is_combined, place, semantic


def describe(file: File) -> EntryDescription:
    """The names and places of a file's one entry point."""
    module, entry = file.module, file.entry
    bound = [item for item in module.globals if item.space is not Space.WORKGROUP]
    return EntryDescription(
        entry.name,
        ENTRY_NAME,
        named_variables(entry.inputs, file.inputs, map(semantic, entry.inputs)),
        named_variables(entry.outputs, file.printer.output_names, map(semantic, entry.outputs)),
        tuple(_binding(file, item) for item in bound),
        tuple(_struct(file, *pair) for pair in host_structs(module, module.globals)),
        named_constants(module.spec_constants, file.printer.global_names),
    )


def _binding(file: File, item: Global) -> NamedBinding:
    """A texture that brings its sampler along takes the texture's place; the sampler has none."""
    name = file.printer.global_names[item.name]
    if file.is_absorbed(item):
        return NamedBinding(item.name, name, "", "combined_image_sampler", {})
    kind = "combined_image_sampler" if is_combined(item) else descriptor_type(item)
    return NamedBinding(item.name, name, file.block_names.get(item.name, ""), kind, place(item))


def _struct(file: File, struct: Struct, rules: Rules) -> NamedStruct:
    """A struct that is a block goes by the block's name."""
    roots = (
        file.block_names[item.name]
        for item in file.module.globals
        if item.type == struct and item.space in HOST_SPACES and rules_for(item.space) is rules
    )
    emitted = next(roots, "") or file.printer.struct_names[struct.name]
    names = file.printer.field_names[struct.name]
    pairs = zip((field.name for field in struct.fields), names, strict=True)
    return named_struct(struct.name, rules, emitted, pairs)
