"""Where Direct3D puts the members of structs in buffers, and what it takes to have them elsewhere.

A constant buffer packs values into rows of 16 bytes: a vector does not straddle two rows, arrays,
matrices and structs start a row, and what follows an array, matrix or struct may use up its last
row (Direct3D 12, "Packing rules for constant variables").  Luma's layouts are std140 and, for push
constants, std430.  Padding members, and elements widened to a whole row, make both the same.  They
also make DXC's own layouts for SPIR-V the same, so that no compiler flag is needed.

A structured buffer packs its elements as C does scalars: padding makes it std430.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from luma.language.layout import Rules, layout, round_up
from luma.language.types import FLOAT, HALF, Array, Kind, Matrix, Scalar, Struct, Type, Vector

ROW = 16


#: A structured buffer's elements have at most so many bytes.
_GREATEST_STRIDE = 2048


class Packing(Enum):
    """What kind of buffer a struct is in."""

    UNIFORM = "uniform"
    PUSH = "push"
    STRUCTURED = "structured"

    @property
    def rules(self) -> Rules:
        """The layout that the bytes have."""
        return Rules.STD140 if self is Packing.UNIFORM else Rules.STD430


@dataclass(frozen=True, slots=True)
class Member:
    """A member's place in the text: ``pads`` go before it (their types); ``wide`` tells that the
    innermost elements take a whole row."""

    wide: bool = False
    pads: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Block:
    """A struct's members, and the padding after the last one."""

    members: tuple[Member, ...]
    tail: tuple[str, ...] = ()


def arrange(struct: Struct, packing: Packing, nested: bool) -> Block:
    """The members of a struct in a buffer.  A ``nested`` struct is padded to its full size."""
    rules = packing.rules
    whole = layout(struct, rules)
    types = [field.type for field in struct.fields]
    ends = (0, 0)  # by the packing, and by the layout
    members: list[Member] = []
    for at, t in enumerate(types):
        offset = whole.offsets[at]
        pads = () if _lands(t, ends, offset, packing) else _pads(ends[1], offset)
        end = offset + layout(t, rules).size
        wide = is_wide(t, packing)
        ends = (end, end) if wide else (_natural_end(t, offset, packing), end)
        if at + 1 < len(types):
            following, place = types[at + 1], whole.offsets[at + 1]
            fits = ends[0] == ends[1] or _lands(following, ends, place, packing)
        else:
            fits = ends[0] == ends[1] or not nested
        if not fits:
            wide, ends = True, (end, end)
        members.append(Member(wide, pads))
    tail = _pads(ends[1], whole.size) if nested else ()
    return Block(tuple(members), tail)


def is_wide(t: Type, packing: Packing) -> bool:
    """Whether a value's innermost elements take whole rows wherever it stands."""
    if isinstance(t, Scalar | Vector | Struct) or packing is Packing.UNIFORM:
        return False
    return packing is Packing.PUSH or _tight_size(t) != layout(t, Rules.STD430).size


def is_structured(t: Type) -> bool:
    """Whether a storage buffer of this type can be a structured buffer."""
    if not isinstance(t, Array):
        return False
    stride = layout(t, Rules.STD430).stride
    if stride % 4 or stride > _GREATEST_STRIDE:
        return False
    return _is_structured_part(t.elem)


def is_plain_element(t: Type) -> bool:
    """Whether a structured buffer's elements may be values of the type itself."""
    if not isinstance(t, Scalar | Vector):
        return isinstance(t, Struct)
    return _vector_size(t) == layout(Array(t, None), Rules.STD430).stride


def _is_structured_part(t: Type) -> bool:
    match t:
        case Array(elem=elem, size=size):
            odd = isinstance(elem, Vector) and elem.elem == HALF and elem.size == 3
            return size is not None and not odd and _is_structured_part(elem)
        case Struct(fields=fields):
            return all(_is_structured_part(field.type) for field in fields)
    return True


def is_raw(t: Type) -> bool:
    """Whether push constants of this type have a layout that a constant buffer cannot have."""
    match t:
        case Matrix(rows=rows):
            return rows == 2
        case Array(elem=elem):
            whole = layout(t, Rules.STD430)
            half = isinstance(elem, Vector) and elem.elem.kind is Kind.HALF
            return whole.stride % ROW != 0 or whole.align % ROW != 0 or half or is_raw(elem)
        case Struct(fields=fields):
            return any(_is_raw_member(field.type) for field in fields)
    return False


def _is_raw_member(t: Type) -> bool:
    inside = isinstance(t, Struct) and layout(t, Rules.STD430).align % ROW != 0
    return inside or is_raw(t)


# ---------------------------------------------------------------- the packing rules


def _packed_start(t: Type, after: int) -> int:
    """Where a constant buffer puts a value that comes after ``after`` bytes."""
    if not isinstance(t, Scalar | Vector):
        return round_up(after, ROW)
    size = _vector_size(t)
    start = round_up(after, layout(_scalar(t), Rules.STD430).size)
    straddles = start // ROW != (start + size - 1) // ROW
    return round_up(start, ROW) if straddles else start


def _tight_start(t: Type, after: int) -> int:
    """Where a structured buffer puts it, and DXC a push constant when it lays out as Direct3D."""
    return round_up(after, layout(_scalar(t), Rules.STD430).size)


def _tight_size(t: Type) -> int:
    """The bytes of a value without padding; a struct has its padding as members."""
    match t:
        case Matrix(cols, rows):
            return 4 * cols * rows
        case Array(elem=elem, size=int() as size):
            return _tight_size(elem) * size
    return layout(t, Rules.STD430).size


def _natural_end(t: Type, offset: int, packing: Packing) -> int:
    if packing is Packing.UNIFORM:
        return _packed_end(t, offset)
    return offset + layout(t, Rules.STD430).size


def _packed_end(t: Type, offset: int) -> int:
    """Where a constant buffer's value ends: the last row of an aggregate is not filled up."""
    match t:
        case Scalar() | Vector():
            return offset + _vector_size(t)
        case Matrix(cols, rows):
            return offset + ROW * (cols - 1) + 4 * rows
        case Array(elem=elem, size=int() as size):
            stride = round_up(_packed_end(elem, 0), ROW)
            return offset + stride * (size - 1) + _packed_end(elem, 0)
        case Struct():
            return offset + layout(t, Rules.STD140).size
    raise TypeError(f"{t} cannot be in a constant buffer")


def _scalar(t: Type) -> Type:
    """The scalar (of a matrix: a row) that alone decides a value's alignment in C."""
    match t:
        case Vector(elem=elem):
            return elem
        case Matrix():
            return FLOAT
        case Array(elem=elem):
            return _scalar(elem)
        case Struct(fields=fields):
            sizes = [_scalar(field.type) for field in fields]
            return max(sizes, key=lambda s: layout(s, Rules.STD430).size)
    return t


def _vector_size(t: Scalar | Vector) -> int:
    return layout(t, Rules.STD430).size


def _lands(t: Type, ends: tuple[int, int], offset: int, packing: Packing) -> bool:
    """Whether a value lands at an offset by itself."""
    if packing is not Packing.UNIFORM and _tight_start(t, ends[1]) != offset:
        return False
    if packing is Packing.STRUCTURED:
        return True
    return all(_packed_start(t, end) == offset for end in ends)


def _pads(start: int, end: int) -> tuple[str, ...]:
    """Types that fill the bytes between two places, none of which straddles two rows."""
    found: list[str] = []
    while start < end:
        if start % 4 or end - start < 4:
            found.append("half")
            start += 2
            continue
        count = min((end - start) // 4, (ROW - start % ROW) // 4)
        found.append("float" if count == 1 else f"float{count}")
        start += 4 * count
    return tuple(found)
