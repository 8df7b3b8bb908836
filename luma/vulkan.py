"""What a Vulkan host creates its layouts and pipelines from: reflection in the API's own words.

It goes by what entry points reach before optimization, so that it holds for every level: SPIR-V of
a module that was optimized may declare less, never more.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from luma.ir.module import EntryPoint, Global, IOVariable, Module, SpecConstant
from luma.ir.reach import select
from luma.language.layout import Rules, layout, round_up
from luma.language.stages import Stage
from luma.language.types import Kind, Sampler, Scalar, Space, Texture, Type, scalar_of, width

Data = dict[str, Any]

_STAGES = {
    Stage.VERTEX: "VK_SHADER_STAGE_VERTEX_BIT",
    Stage.FRAGMENT: "VK_SHADER_STAGE_FRAGMENT_BIT",
    Stage.COMPUTE: "VK_SHADER_STAGE_COMPUTE_BIT",
}

_NUMBERS = {Kind.FLOAT: "SFLOAT", Kind.HALF: "SFLOAT", Kind.INT: "SINT", Kind.UINT: "UINT"}

#: Specialization constants are 32-bit values, bools among them (VkBool32).
_CONSTANT_SIZE = 4


def vulkan_view(module: Module) -> Data:
    """Descriptor sets, push-constant ranges, specialization constants and entry points.

    Only what some entry point reaches is there.  Offsets, sizes and strides are bytes.
    """
    parts = [(entry, select(module, (entry.name,))) for entry in module.entry_points]
    users = {
        item.name: [entry for entry, part in parts if item in part.globals]
        for item in module.globals
    }
    used = [item for item in module.globals if users[item.name]]
    pushed = [item for item in used if item.space is Space.PUSH_CONSTANT]
    constants = [
        (constant, [entry for entry, part in parts if constant in part.spec_constants])
        for constant in module.spec_constants
    ]
    return {
        "descriptor_sets": [
            {"set": group, "bindings": [_binding(g, users[g.name]) for g in items]}
            for group, items in _sets(used)
        ],
        "push_constant_ranges": [_range(item, users[item.name]) for item in pushed],
        "specialization_map": _specialization([pair for pair in constants if pair[1]]),
        "entry_points": [_entry_point(entry) for entry in module.entry_points],
    }


def _users(entries: Iterable[EntryPoint]) -> Data:
    entries = list(entries)
    stages = dict.fromkeys(_STAGES[entry.stage] for entry in entries)
    return {"stages": list(stages), "entry_points": [entry.name for entry in entries]}


def _sets(items: list[Global]) -> list[tuple[int, list[Global]]]:
    """The bound globals by set, in the order of their bindings."""
    sets: dict[int, list[Global]] = {}
    for item in sorted(items, key=lambda g: (g.group or 0, g.binding or 0)):
        if item.group is not None:
            sets.setdefault(item.group, []).append(item)
    return list(sets.items())


def _binding(item: Global, entries: list[EntryPoint]) -> Data:
    return {
        "name": item.name,
        "binding": item.binding,
        "descriptor_type": f"VK_DESCRIPTOR_TYPE_{_descriptor(item)}",
        "count": 1,
        **_users(entries),
    }


def _descriptor(item: Global) -> str:
    match item.type:
        case Texture():
            return "SAMPLED_IMAGE"
        case Sampler():
            return "SAMPLER"
    return "UNIFORM_BUFFER" if item.space is Space.UNIFORM else "STORAGE_BUFFER"


def _range(item: Global, entries: list[EntryPoint]) -> Data:
    """A push-constant range; its size is a multiple of 4 (VUID-VkPushConstantRange-size-00297)."""
    size = round_up(layout(item.type, Rules.STD430).size, 4)
    return {"name": item.name, "offset": 0, "size": size, **_users(entries)}


def _specialization(constants: list[tuple[SpecConstant, list[EntryPoint]]]) -> list[Data]:
    """Map entries for values that lie one after the other."""
    return [
        {
            "name": constant.name,
            "constant_id": constant.id,
            "offset": at * _CONSTANT_SIZE,
            "size": _CONSTANT_SIZE,
            **_users(entries),
        }
        for at, (constant, entries) in enumerate(constants)
    ]


# ---------------------------------------------------------------- entry points


def _entry_point(entry: EntryPoint) -> Data:
    vertex, compute = entry.stage is Stage.VERTEX, entry.stage is Stage.COMPUTE
    attributes, stride = _attributes(entry.inputs if vertex else ())
    return {
        "name": entry.name,
        "stage": _STAGES[entry.stage],
        "workgroup_size": list(entry.workgroup_size) if compute else [0, 0, 0],
        "vertex_attributes": attributes,
        "vertex_stride": stride,
    }


def _attributes(inputs: Iterable[IOVariable]) -> tuple[list[Data], int]:
    """Vertex attributes in the order of their locations, and the size of a vertex that holds them
    one after the other."""
    located = [(v.location, v) for v in inputs if v.location is not None]
    attributes: list[Data] = []
    end = 0
    for location, variable in sorted(located, key=lambda pair: pair[0]):
        component = layout(scalar_of(variable.type), Rules.STD430).size
        offset = round_up(end, component)
        end = offset + component * width(variable.type)
        attributes.append(
            {
                "name": variable.name,
                "location": location,
                "format": vertex_format(variable.type),
                "offset": offset,
            }
        )
    return attributes, round_up(end, 4)


def vertex_format(t: Type) -> str:
    """The VkFormat of a vertex attribute of a scalar or vector type."""
    elem: Scalar = scalar_of(t)
    bits = 8 * layout(elem, Rules.STD430).size
    channels = "".join(f"{letter}{bits}" for letter in "RGBA"[: width(t)])
    return f"VK_FORMAT_{channels}_{_NUMBERS[elem.kind]}"
