"""What a SPIR-V module calls things, where names are kept, and what it is decorated with."""

from __future__ import annotations

from luma.backends.description import (
    EntryDescription,
    NamedBinding,
    NamedVariable,
    descriptor_type,
    named_constants,
    named_struct,
)
from luma.backends.spirv.grammar import Decoration
from luma.backends.spirv.module import ModuleWriter, block_type, slot

from luma.ir.module import EntryPoint, Global, IOVariable
from luma.ir.reach import HOST_SPACES, host_structs, select
from luma.language.stages import BUILTIN_VALUE
from luma.language.types import Space

_WORDS = {Decoration.DescriptorSet: "set", Decoration.Binding: "binding"}


def describe(writer: ModuleWriter) -> tuple[EntryDescription, ...]:
    """The names and places of a module that has been written.

    A host finds all but entry points by number; their names are there for debugging.
    """
    return tuple(_entry(writer, entry) for entry in writer.module.entry_points)


def _entry(writer: ModuleWriter, entry: EntryPoint) -> EntryDescription:
    part = select(writer.module, (entry.name,))
    bound = [g for g in part.globals if g.space is not Space.WORKGROUP and writer.declares(g.name)]
    constants = [c for c in part.spec_constants if writer.declares(c.name)]
    inputs = ((v, (entry.name, v.name) in writer.inputs) for v in entry.inputs)
    return EntryDescription(
        entry.name,
        entry.name,
        tuple(NamedVariable(v.name, v.name if on else "", _semantic(v)) for v, on in inputs),
        tuple(NamedVariable(v.name, v.name, _semantic(v)) for v in entry.outputs),
        tuple(_binding(item) for item in bound),
        tuple(
            named_struct(s.name, rules, s.name, ((f.name, f.name) for f in s.fields))
            for s, rules in host_structs(part, bound)
        ),
        named_constants(constants, {c.name: c.name for c in constants}),
    )


def _binding(item: Global) -> NamedBinding:
    struct = block_type(item).name if item.space in HOST_SPACES else ""
    place = {_WORDS[word]: number for word, number in slot(item).items()}
    return NamedBinding(item.name, item.name, struct, descriptor_type(item), place)


def _semantic(variable: IOVariable) -> str:
    if variable.builtin is not None:
        return f"BuiltIn {BUILTIN_VALUE[variable.builtin].spirv}"
    return f"Location {variable.location}"
