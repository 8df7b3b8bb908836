"""Byte layouts: std140 for uniforms, std430 for buffers, push constants and everything else.

The one place where offsets, strides and sizes come from: loads, stores, decorations, padding,
reflection and the interpreter's memory all ask here.  Rules: OpenGL 4.6 specification, section
7.6.2.2, and the Vulkan specification, chapter "Offset and Stride Assignment".  All figures are
bytes.  A bool is stored as a 32-bit 0 or 1.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from functools import lru_cache

from luma.language.types import Array, Kind, Matrix, Scalar, Space, Struct, Type, Vector


class Rules(Enum):
    """Which layout rules hold."""

    STD140 = "std140"
    STD430 = "std430"


def rules_for(space: Space) -> Rules:
    """The layout rules of an address space."""
    return Rules.STD140 if space is Space.UNIFORM else Rules.STD430


@dataclass(frozen=True, slots=True)
class Layout:
    """The layout of a type: its size and alignment, and whichever of the rest apply.

    ``size`` of a struct includes its tail padding; of a runtime array it is 0.  ``stride`` is the
    distance between array elements or matrix columns.  ``offsets`` has one entry a struct field.
    """

    size: int
    align: int
    stride: int = 0
    offsets: tuple[int, ...] = ()


def round_up(value: int, multiple: int) -> int:
    """The least multiple of ``multiple`` that is at least ``value``."""
    return (value + multiple - 1) // multiple * multiple


@lru_cache(maxsize=4096)
def layout(t: Type, rules: Rules) -> Layout:
    """The layout of a host-visible type under the given rules.

    Raises TypeError for types that have no place in memory (textures, void).
    """
    match t:
        case Scalar(kind):
            size = 2 if kind is Kind.HALF else 4
            return Layout(size, size)
        case Vector(elem, count):
            unit = layout(elem, rules).size
            return Layout(unit * count, unit * (2 if count == 2 else 4))
        case Matrix(cols):
            column = layout(Array(t.column, cols), rules)
            return Layout(column.size, column.align, column.stride)
        case Array(elem, count):
            item = layout(elem, rules)
            align = round_up(item.align, 16) if rules is Rules.STD140 else item.align
            stride = round_up(item.size, align)
            return Layout(stride * (count or 0), align, stride)
        case Struct(fields=fields):
            return _struct_layout(tuple(f.type for f in fields), rules)
    raise TypeError(f"{t} has no memory layout")


def _struct_layout(members: tuple[Type, ...], rules: Rules) -> Layout:
    offset, align = 0, 1
    offsets: list[int] = []
    for member in members:
        inner = layout(member, rules)
        offset = round_up(offset, inner.align)
        offsets.append(offset)
        offset += inner.size
        align = max(align, inner.align)
    if rules is Rules.STD140:
        align = round_up(align, 16)
    return Layout(round_up(offset, align), align, offsets=tuple(offsets))
