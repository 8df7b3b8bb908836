"""How Luma's byte layouts are said in MSL: the members of structs in memory.

MSL lays memory out as C does, with vectors of three aligned like four.  Where that differs from
std140 or std430 a member is packed (a vector whose last four bytes hold its neighbour), aligned by
``alignas``, or padded to sixteen bytes (the elements of std140 arrays and columns).  A bool is a
uint.  Rules of None mean MSL's own layout: values, threadgroup and function memory.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from luma.language.layout import Layout, Rules, layout, round_up, rules_for
from luma.language.types import (
    BOOL,
    UINT,
    Array,
    Kind,
    Matrix,
    Scalar,
    Space,
    Struct,
    Type,
    Vector,
    scalar_of,
    with_scalar,
)

#: Address spaces whose bytes the host sees, so that their layout is Luma's and not MSL's.
HOST_SPACES = frozenset({Space.UNIFORM, Space.STORAGE, Space.PUSH_CONSTANT})


def memory_rules(space: Space) -> Rules | None:
    """The layout rules of an address space, None where MSL's own will do."""
    return rules_for(space) if space in HOST_SPACES else None


def stored(t: Type, rules: Rules | None) -> Type:
    """The type that holds a scalar or vector in memory: of a bool, a uint."""
    if rules is not None and isinstance(t, Scalar | Vector) and scalar_of(t) == BOOL:
        return with_scalar(t, UINT)
    return t


def native(t: Type, rules: Rules | None) -> tuple[int, int]:
    """The size and alignment that MSL gives to what holds ``t`` in memory.

    Specification: "Scalar Data Types", "Vector Data Types", "Matrix Data Types".
    """
    match t:
        case Scalar(kind):
            size = 2 if kind is Kind.HALF else 4
            return size, size
        case Vector(elem, count):
            whole = native(elem, rules)[0] * (2 if count == 2 else 4)
            return whole, whole
        case Matrix(cols):
            column, align = (16, 16) if pads(t.column, t, rules) else native(t.column, rules)
            return column * cols, align
        case Array(elem, count):
            item, align = (16, 16) if pads(elem, t, rules) else native(elem, rules)
            return item * (count or 1), align
        case Struct() if rules is not None:
            return layout(t, rules).size, members(t, rules).align
    raise TypeError(f"{t} has no place in host memory")


def pads(part: Type, whole: Type, rules: Rules | None) -> bool:
    """Whether the elements or columns of ``whole`` are padded to sixteen bytes each."""
    return rules is Rules.STD140 and native(part, rules)[0] != layout(whole, rules).stride


@dataclass(frozen=True, slots=True)
class Member:
    """One struct member: ``align`` is what must be said of its alignment (0: nothing)."""

    name: str
    type: Type
    packed: bool = False
    align: int = 0


@dataclass(frozen=True, slots=True)
class Members:
    """A struct's members in memory.

    ``align`` is the alignment they bring about; ``says`` is the struct's own, where it has to be
    said so that its size comes out right (0: it need not).
    """

    members: tuple[Member, ...]
    align: int
    says: int = 0


def members(struct: Struct, rules: Rules) -> Members:
    """The members that put every field where the rules want it."""
    whole = layout(struct, rules)
    found: list[Member] = []
    end, align = 0, 1
    for at, item in enumerate(struct.fields):
        offset = whole.offsets[at]
        limit = _limit(whole, at)
        packed = is_tight(item.type, limit - offset)
        size, own = native(item.type, rules)
        if packed:
            unit = native(scalar_of(item.type), rules)[0]
            size, own = unit * 3, unit
        said = 0 if round_up(end, own) == offset else layout(item.type, rules).align
        end = offset + size
        align = max(align, own, said)
        found.append(Member(item.name, item.type, packed, said))
    runtime = isinstance(struct.fields[-1].type, Array) and struct.fields[-1].type.size is None
    fits = runtime or round_up(end, align) == whole.size
    says = 0 if fits else whole.align
    return Members(tuple(found), max(align, says), says)


def _limit(whole: Layout, at: int) -> int:
    return whole.offsets[at + 1] if at + 1 < len(whole.offsets) else whole.size


def is_tight(t: Type, room: int) -> bool:
    """Whether a vector of three has no room for the fourth component that MSL gives it."""
    if not isinstance(t, Vector) or t.size != 3:
        return False
    return room < 4 * native(t.elem, Rules.STD430)[0]


def structs_in(t: Type) -> Iterator[Struct]:
    """The structs that a type is made of, members before what holds them."""
    match t:
        case Array(elem):
            yield from structs_in(elem)
        case Struct(fields=fields):
            for item in fields:
                yield from structs_in(item.type)
            yield t
