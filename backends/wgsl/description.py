"""What a WGSL file calls things and where it binds them."""

from __future__ import annotations

from collections.abc import Iterator

from luma.ir.module import EntryPoint, Global, IOVariable, Module
from luma.ir.reach import HOST_SPACES, host_structs, select
from luma.language.layout import Rules, rules_for
from luma.language.types import Array, Space, Struct, Type

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
from .file import File, output_fields, place


def describe(file: File, module: Module) -> tuple[EntryDescription, ...]:
    """The names and places of a file that has been written; ``module`` is what it was made from."""
    return tuple(_entry(file, module, entry) for entry in file.module.entry_points)


def _entry(file: File, module: Module, entry: EntryPoint) -> EntryDescription:
    printer = file.printer
    part = select(file.module, (entry.name,))
    reached = {item.name for item in part.globals}
    bound = [g for g in module.globals if g.name in reached and g.space is not Space.WORKGROUP]
    (body,) = (b for b in file.bodies if b.function.name == entry.function)
    inputs = [body.names[param.id] for param in body.function.params]
    several = entry.function in printer.output_names
    outputs = output_fields(entry) if several else [""] * len(entry.outputs)
    return EntryDescription(
        entry.name,
        printer.function_names[entry.function],
        _variables(file, entry.inputs, inputs),
        _variables(file, entry.outputs, outputs),
        tuple(_binding(file, item) for item in bound),
        tuple(_structs(file, module, bound)),
        named_constants(part.spec_constants, printer.global_names),
    )


def _variables(
    file: File, variables: tuple[IOVariable, ...], names: list[str]
) -> tuple[NamedVariable, ...]:
    return tuple(
        NamedVariable(v.name, name, file.printer.io_attributes(v, False).strip())
        for v, name in zip(variables, names, strict=True)
    )


def _binding(file: File, item: Global) -> NamedBinding:
    memory = base_of(file.memory.globals.get(item.name, item.type))
    struct = ""
    if isinstance(base_of(item.type), Struct) and isinstance(memory, Struct):
        struct = file.printer.struct_names[memory.name]
    name = file.printer.global_names[item.name]
    return NamedBinding(item.name, name, struct, descriptor_type(item), place(item))


def _structs(file: File, module: Module, bound: list[Global]) -> Iterator[NamedStruct]:
    """Each struct with each of its forms in memory."""
    forms: dict[tuple[Struct, Rules], dict[Struct, None]] = {}
    for item in bound:
        if item.space in HOST_SPACES:
            rules = rules_for(item.space)
            for struct, form in _forms(item.type, file.memory.globals[item.name]):
                forms.setdefault((struct, rules), {})[form] = None
    for struct, rules in host_structs(module, bound):
        for form in forms[struct, rules]:
            names = file.printer.field_names[form.name]
            pairs = zip((field.name for field in struct.fields), names, strict=True)
            yield named_struct(struct.name, rules, file.printer.struct_names[form.name], pairs)


def _forms(t: Type, memory: Type) -> Iterator[tuple[Struct, Struct]]:
    """The structs in a type, and what stands for them in memory."""
    if isinstance(t, Array) and isinstance(memory, Array):
        yield from _forms(t.elem, memory.elem)
    elif isinstance(t, Struct) and isinstance(memory, Struct):
        yield t, memory
        for field, kept in zip(t.fields, memory.fields, strict=True):
            yield from _forms(field.type, kept.type)
