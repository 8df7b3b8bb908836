"""What an output calls things and where its host finds them: what reflection tells of a target.

A backend makes it of the very objects that wrote the output.  ``dataclasses.asdict`` of it is what
``luma reflect --target`` prints; docs/reflection.md tells what each field means.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from luma.ir.module import Global, IOVariable, SpecConstant
from luma.language.layout import Rules
from luma.language.types import Array, Sampler, Space, Texture, Type

#: A place that a host binds to, as the target numbers it: ``{"set": 0, "binding": 2}``.
Place = Mapping[str, int | str]


@dataclass(frozen=True, slots=True)
class NamedBinding:
    """A binding or push-constant block.  ``place`` is empty where the target needs none."""

    name: str
    emitted_name: str
    emitted_type: str
    descriptor_type: str
    place: Place


@dataclass(frozen=True, slots=True)
class NamedVariable:
    """A stage input or output; ``semantic`` is what ties it to the pipeline."""

    name: str
    emitted_name: str
    semantic: str


@dataclass(frozen=True, slots=True)
class NamedField:
    """A member of a struct."""

    name: str
    emitted_name: str


@dataclass(frozen=True, slots=True)
class NamedStruct:
    """A struct in memory, as the output has it for one layout."""

    name: str
    layout: str
    emitted_name: str
    fields: tuple[NamedField, ...]


@dataclass(frozen=True, slots=True)
class NamedConstant:
    """A specialization constant, by the name that a host sets it by."""

    name: str
    emitted_name: str


@dataclass(frozen=True, slots=True)
class Implicit:
    """What the host must bind that the source does not have; ``kind`` tells what goes there."""

    kind: str
    emitted_name: str
    place: Place


@dataclass(frozen=True, slots=True)
class EntryDescription:
    """One entry point of an output."""

    name: str
    emitted_name: str
    inputs: tuple[NamedVariable, ...] = ()
    outputs: tuple[NamedVariable, ...] = ()
    bindings: tuple[NamedBinding, ...] = ()
    structs: tuple[NamedStruct, ...] = ()
    spec_constants: tuple[NamedConstant, ...] = ()
    implicit: tuple[Implicit, ...] = field(default=())


def descriptor_type(item: Global) -> str:
    """What kind of descriptor a global is, in Vulkan's words."""
    match item.space, item.type:
        case Space.HANDLE, Texture():
            return "sampled_image"
        case Space.HANDLE, Sampler():
            return "sampler"
        case Space.UNIFORM, _:
            return "uniform_buffer"
        case Space.STORAGE, _:
            return "storage_buffer"
    return "push_constant"


def base_of(t: Type) -> Type:
    """What an array, of arrays perhaps, is made of."""
    while isinstance(t, Array):
        t = t.elem
    return t


def named_struct(
    name: str, rules: Rules, emitted: str, fields: Iterable[tuple[str, str]]
) -> NamedStruct:
    """A struct with the names of its fields and those that the output gives them."""
    return NamedStruct(name, rules.value, emitted, tuple(NamedField(*pair) for pair in fields))


def named_variables(
    variables: Iterable[IOVariable], names: Iterable[str], semantics: Iterable[str]
) -> tuple[NamedVariable, ...]:
    """Inputs or outputs with their names in the output."""
    rows = zip(variables, names, semantics, strict=True)
    return tuple(NamedVariable(v.name, name, semantic) for v, name, semantic in rows)


def named_constants(
    constants: Iterable[SpecConstant], names: Mapping[str, str]
) -> tuple[NamedConstant, ...]:
    """The specialization constants with their names in the output."""
    return tuple(NamedConstant(c.name, names[c.name]) for c in constants)
