"""An LSB for people to read, and as plain data."""

from __future__ import annotations

from collections.abc import Iterator
from enum import IntEnum
from typing import Any

from luma.lume.lsb import Binding, ConstantType, Descriptor, ImageFlags, Member, Stage
from luma.lume.lsb_reader import Lsb
from luma.lume.types import FORMAT_NAMES, GL_NAMES

#: SPIR-V's dimensions of images, by number.
_DIMENSIONS = ("1d", "2d", "3d", "cube", "rect", "buffer", "subpass")

_FLAGS = {
    "depth": ImageFlags.DEPTH,
    "arrayed": ImageFlags.ARRAYED,
    "multisampled": ImageFlags.MULTISAMPLED,
    "sampled": ImageFlags.SAMPLED,
    "load_store": ImageFlags.LOAD_STORE,
}


def as_data(lsb: Lsb) -> dict[str, Any]:
    """What a file holds as JSON can have it; numbers that have a name get it."""
    found = lsb.reflection
    pushed = found.push_constants
    return {
        "version": lsb.version,
        "stage": _name(Stage, found.stage),
        "push_constants": None
        if pushed is None
        else {"size": pushed.size, "members": [_member(m) for m in pushed.members]},
        "specialization_constants": [
            {"id": c.id, "type": _name(ConstantType, c.type)} for c in found.constants
        ],
        "descriptor_sets": [
            {"set": s.set, "bindings": [_binding(b, lsb.shapes) for b in s.bindings]}
            for s in found.sets
        ],
        "inputs": [
            {"location": i.location, "format": FORMAT_NAMES.get(i.format, i.format)}
            for i in found.inputs
        ],
        "local_size": None if found.local_size is None else list(found.local_size),
    }


def _name(names: type[IntEnum], number: int) -> str | int:
    return names(number).name.lower() if number in set(names) else number


def _member(member: Member) -> dict[str, Any]:
    return {
        "name": member.name,
        "type": GL_NAMES.get(member.gl_type, member.gl_type),
        "offset": member.offset,
        "size": member.size,
        "array_size": member.array_size,
        "array_stride": member.array_stride,
        "matrix_stride": member.matrix_stride,
    }


def _binding(binding: Binding, shapes: bool) -> dict[str, Any]:
    told: dict[str, Any] = {
        "binding": binding.binding,
        "type": _name(Descriptor, binding.descriptor),
        "count": binding.count,
    }
    if shapes and binding.flags:
        known = binding.dim < len(_DIMENSIONS)
        told["dimension"] = _DIMENSIONS[binding.dim] if known else binding.dim
        told["flags"] = [name for name, flag in _FLAGS.items() if binding.flags & flag]
    return told


def as_text(lsb: Lsb) -> str:
    """What a file holds, a line each thing."""
    return "\n".join(_lines(as_data(lsb)))


def _lines(data: dict[str, Any]) -> Iterator[str]:
    yield f"LSB version {data['version']}, {data['stage']} shader"
    pushed = data["push_constants"]
    if pushed is not None:
        yield f"push constants: {pushed['size']} bytes accessed"
        for member in pushed["members"]:
            size = member["array_size"]
            array = f"[{size}]" if size else ""
            place = f"offset {member['offset']}, {member['size']} bytes"
            yield f"  {member['name']}: {member['type']}{array} at {place}"
    for constant in data["specialization_constants"]:
        yield f"specialization constant {constant['id']}: {constant['type']}"
    for group in data["descriptor_sets"]:
        yield f"set {group['set']}"
        for item in group["bindings"]:
            count = {0: "[]", 1: ""}.get(item["count"], f"[{item['count']}]")
            shape = [item["dimension"], *item["flags"]] if "flags" in item else []
            told = f" ({', '.join(map(str, shape))})" if shape else ""
            yield f"  binding {item['binding']}: {item['type']}{count}{told}"
    for found in data["inputs"]:
        yield f"input {found['location']}: {found['format']}"
    if data["local_size"] is not None:
        yield "local size: " + " x ".join(map(str, data["local_size"]))
