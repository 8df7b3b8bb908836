"""Values to bytes and back, by the language's layouts.

A pointer is a pair of a buffer and an offset.  What lies outside the buffer reads as zero, and
writes there go nowhere, as with the robust access of the APIs.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from functools import lru_cache
from typing import Any, TypeAlias

from luma.language.evaluate import zero
from luma.language.layout import Rules, layout, rules_for
from luma.language.types import (
    BOOL,
    Array,
    Kind,
    Matrix,
    Scalar,
    Space,
    Struct,
    Type,
    Vector,
    element,
    element_count,
)

Buffer: TypeAlias = Any  # bytes, bytearray or memoryview
Pointer: TypeAlias = tuple[Buffer, int]
Decode: TypeAlias = Callable[[Buffer, int], Any]
Encode: TypeAlias = Callable[[Buffer, int, Any], None]

#: A pointer to no memory at all.
NOWHERE: Pointer = (b"", 0)

_CODES = {Kind.BOOL: "I", Kind.INT: "i", Kind.UINT: "I", Kind.FLOAT: "f", Kind.HALF: "e"}


def encode(t: Type, value: Any, space: Space = Space.STORAGE) -> bytes:
    """The bytes of a value of type ``t`` in the memory of a space."""
    rules = rules_for(space)
    buffer = bytearray(layout(t, rules).size)
    writer(t, rules)(buffer, 0, value)
    return bytes(buffer)


def decode(t: Type, data: Buffer, space: Space = Space.STORAGE, offset: int = 0) -> Any:
    """The value of type ``t`` that lies in memory at an offset."""
    return reader(t, rules_for(space))(data, offset)


@lru_cache(maxsize=1024)
def reader(t: Type, rules: Rules) -> Decode:
    """The function that reads a value of type ``t`` at an offset of a buffer."""
    match t:
        case Scalar() | Vector():
            return _simple_reader(t)
        case Struct(fields=fields):
            offsets = layout(t, rules).offsets
            parts = [(reader(f.type, rules), at) for f, at in zip(fields, offsets, strict=True)]
            return lambda buffer, at: tuple([read(buffer, at + place) for read, place in parts])
        case Matrix() | Array():
            read = reader(element(t), rules)
            stride, count = layout(t, rules).stride, element_count(t)
            return lambda buffer, at: tuple([read(buffer, at + stride * i) for i in range(count)])
    raise TypeError(f"{t} has no place in memory")


def _simple_reader(t: Scalar | Vector) -> Decode:
    form = _form(t)
    size, unpack, outside = form.size, form.unpack_from, zero(t)
    if isinstance(t, Vector):
        truth = t.elem == BOOL

        def read_vector(buffer: Buffer, at: int) -> Any:
            if at < 0 or at + size > len(buffer):
                return outside
            found = unpack(buffer, at)
            return tuple([x != 0 for x in found]) if truth else found

        return read_vector
    truth = t == BOOL

    def read(buffer: Buffer, at: int) -> Any:
        if at < 0 or at + size > len(buffer):
            return outside
        found = unpack(buffer, at)[0]
        return found != 0 if truth else found

    return read


@lru_cache(maxsize=1024)
def writer(t: Type, rules: Rules) -> Encode:
    """The function that writes a value of type ``t`` at an offset of a buffer."""
    match t:
        case Scalar() | Vector():
            return _simple_writer(t)
        case Struct(fields=fields):
            offsets = layout(t, rules).offsets
            return _parts_writer(
                [(writer(f.type, rules), at) for f, at in zip(fields, offsets, strict=True)]
            )
        case Matrix() | Array():
            write, stride = writer(element(t), rules), layout(t, rules).stride
            return _parts_writer([(write, stride * i) for i in range(element_count(t))])
    raise TypeError(f"{t} has no place in memory")


def _parts_writer(parts: list[tuple[Encode, int]]) -> Encode:
    def write_parts(buffer: Buffer, at: int, value: Any) -> None:
        for (write, place), part in zip(parts, value, strict=True):
            write(buffer, at + place, part)

    return write_parts


def _simple_writer(t: Scalar | Vector) -> Encode:
    form = _form(t)
    size, pack = form.size, form.pack_into
    vector = isinstance(t, Vector)

    def write(buffer: Buffer, at: int, value: Any) -> None:
        if at < 0 or at + size > len(buffer):
            return
        if vector:
            pack(buffer, at, *value)
        else:
            pack(buffer, at, value)

    return write


def _form(t: Scalar | Vector) -> struct.Struct:
    if isinstance(t, Vector):
        return struct.Struct(f"<{t.size}{_CODES[t.elem.kind]}")
    return struct.Struct(f"<{_CODES[t.kind]}")
