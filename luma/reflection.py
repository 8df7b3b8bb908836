"""What a host program must know of a shader: interfaces, bindings, layouts, constants.

Everything is plain data that ``json`` can write, in order of declaration; docs/reflection.md tells
what each key means.
"""

from __future__ import annotations

from typing import Any

from luma.ir.module import EntryPoint, Global, IOVariable, Module, SpecConstant
from luma.ir.reach import host_structs, select
from luma.language.layout import Layout, Rules, layout, rules_for
from luma.language.stages import Stage
from luma.language.types import (
    Array,
    Matrix,
    Sampler,
    Space,
    Struct,
    Texture,
    Type,
)

Data = dict[str, Any]

_BUFFERS = {Space.UNIFORM: "uniform_buffer", Space.STORAGE: "storage_buffer"}


def reflect(module: Module) -> Data:
    """Describe a module.

    The keys are ``entry_points``, ``structs`` (one a struct and layout it is used under),
    ``bindings``, ``push_constants`` and ``spec_constants``.  Offsets, sizes and strides are bytes.
    Types are spelled as in Luma.
    """
    pairs = _combined_ids(module)
    bound = [item for item in module.globals if item.space in (*_BUFFERS, Space.HANDLE)]
    pushed = [item for item in module.globals if item.space is Space.PUSH_CONSTANT]
    return {
        "entry_points": [_entry_point(module, entry) for entry in module.entry_points],
        "structs": [
            _struct(struct, rules) for struct, rules in host_structs(module, module.globals)
        ],
        "bindings": [_binding(item, pairs) for item in bound],
        "push_constants": [{"name": item.name, **_memory(item)} for item in pushed],
        "spec_constants": [_spec_constant(item) for item in module.spec_constants],
    }


def _entry_point(module: Module, entry: EntryPoint) -> Data:
    compute = entry.stage is Stage.COMPUTE
    return {
        "name": entry.name,
        "stage": entry.stage.value,
        "inputs": [_io_variable(item) for item in entry.inputs],
        "outputs": [_io_variable(item) for item in entry.outputs],
        "workgroup": list(entry.workgroup_size) if compute else [0, 0, 0],
        "bindings": [
            item.name
            for item in select(module, (entry.name,)).globals
            if item.space is not Space.WORKGROUP
        ],
    }


def _io_variable(item: IOVariable) -> Data:
    return {
        "name": item.name,
        "type": str(item.type),
        "location": -1 if item.location is None else item.location,
        "builtin": item.builtin or "",
        "interpolation": item.interpolation or "",
    }


# ---------------------------------------------------------------- memory


def _struct(struct: Struct, rules: Rules) -> Data:
    whole = layout(struct, rules)
    return {
        "name": struct.name,
        "layout": rules.value,
        "size": whole.size,
        "align": whole.align,
        "fields": [
            {
                "name": member.name,
                "type": str(member.type),
                "offset": offset,
                "size": layout(member.type, rules).size,
                **_strides(member.type, rules),
            }
            for member, offset in zip(struct.fields, whole.offsets, strict=True)
        ],
    }


def _strides(t: Type, rules: Rules) -> Data:
    """The distances between elements and between columns, 0 where there are none."""
    inner = _innermost(t)
    return {
        "array_stride": layout(t, rules).stride if isinstance(t, Array) else 0,
        "matrix_stride": layout(inner, rules).stride if isinstance(inner, Matrix) else 0,
    }


def _innermost(t: Type) -> Type:
    while isinstance(t, Array):
        t = t.elem
    return t


def _memory(item: Global) -> Data:
    """The layout of a whole binding.

    ``size`` counts no element of a runtime array; ``runtime_stride`` is the distance between them.
    """
    t, rules = item.type, rules_for(item.space)
    whole: Layout = layout(t, rules)
    struct = _innermost(t)
    return {
        "value_type": str(t),
        "struct_name": struct.name if isinstance(struct, Struct) else "",
        "layout": rules.value,
        "size": whole.size,
        "array_size": t.size or 0 if isinstance(t, Array) else 0,
        **_strides(t, rules),
        "runtime_stride": _runtime_stride(t, rules),
    }


def _runtime_stride(t: Type, rules: Rules) -> int:
    match t:
        case Array(size=None):
            return layout(t, rules).stride
        case Struct(fields=(*_, last)):
            return _runtime_stride(last.type, rules)
    return 0


# ---------------------------------------------------------------- bindings and constants


def _combined_ids(module: Module) -> dict[str, int]:
    """A number for each combined sampler that was split in two."""
    names = (item.combined for item in module.globals if item.combined is not None)
    return {name: at for at, name in enumerate(dict.fromkeys(names))}


def _binding(item: Global, pairs: dict[str, int]) -> Data:
    head = {"name": item.name, "group": item.group, "binding": item.binding}
    match item.type:
        case Texture():
            kind, descriptor = "texture", "sampled_image"
        case Sampler():
            kind, descriptor = "sampler", "sampler"
        case _:
            kind = _BUFFERS[item.space]
            buffer = {"type": kind, "descriptor_type": kind, "access": item.access.value}
            return {**head, **buffer, **_memory(item), "combined_id": -1}
    return {
        **head,
        "type": kind,
        "descriptor_type": descriptor,
        "access": item.access.value,
        "value_type": str(item.type),
        "struct_name": "",
        "layout": "",
        "size": 0,
        "array_size": 0,
        "array_stride": 0,
        "matrix_stride": 0,
        "runtime_stride": 0,
        "combined_id": -1 if item.combined is None else pairs[item.combined],
    }


def _spec_constant(item: SpecConstant) -> Data:
    default = str(item.default)
    return {
        "name": item.name,
        "spec_id": item.id,
        "type": str(item.type),
        "default": default.lower() if isinstance(item.default, bool) else default,
    }
