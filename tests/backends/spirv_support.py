"""IR text to validated SPIR-V, and IR values to the bytes of a buffer and back."""

from __future__ import annotations

import struct
from collections import Counter
from typing import Any

from luma.backends import EmitOptions
from luma.backends.spirv import BACKEND

from luma.ir.text import parse_module
from luma.ir.verify import verify
from luma.language.layout import Rules, layout
from luma.language.types import Array, Kind, Matrix, Scalar, Struct, Type, Vector
from luma.source import Source
from tests.harness.spirv_reader import instructions
from tests.harness.validators import validate_spirv

_FORMATS = {
    Kind.BOOL: "<I",
    Kind.INT: "<i",
    Kind.UINT: "<I",
    Kind.FLOAT: "<f",
    Kind.HALF: "<e",
}


def assemble(text: str, *, debug: bool = False, source: Source | None = None) -> bytes:
    """The valid SPIR-V of valid IR text."""
    module = parse_module(text)
    problems = verify(module)
    assert not problems, problems
    emitted = BACKEND.emit(module, EmitOptions(debug=debug, source=source))
    assert emitted.diagnostics == ()
    validate_spirv(emitted.output)
    return emitted.output


def opcode_counts(binary: bytes) -> Counter[int]:
    """How many instructions of each opcode a module has."""
    return Counter(op for op, _ in instructions(binary))


def pack(t: Type, value: Any, rules: Rules = Rules.STD430) -> bytes:
    """A value's bytes in a buffer (padding is 0xAA, so that nothing relies on it)."""
    data = bytearray(b"\xaa" * layout(t, rules).size)
    _pack_into(data, 0, t, value, rules)
    return bytes(data)


def _pack_into(data: bytearray, at: int, t: Type, value: Any, rules: Rules) -> None:
    if isinstance(t, Scalar):
        struct.pack_into(_FORMATS[t.kind], data, at, value)
        return
    for part, offset, inner in zip(value, *_parts(t, rules), strict=True):
        _pack_into(data, at + offset, inner, part, rules)


def unpack(t: Type, data: bytes, at: int = 0, rules: Rules = Rules.STD430) -> Any:
    """The value that lies in a buffer at an offset."""
    if isinstance(t, Scalar):
        (value,) = struct.unpack_from(_FORMATS[t.kind], data, at)
        return bool(value) if t.kind is Kind.BOOL else value
    offsets, types = _parts(t, rules)
    return tuple(unpack(i, data, at + o, rules) for o, i in zip(offsets, types, strict=True))


def _parts(t: Type, rules: Rules) -> tuple[list[int], list[Type]]:
    """Offsets and types of an aggregate's parts."""
    whole = layout(t, rules)
    match t:
        case Vector(elem, size):
            step = layout(elem, rules).size
            return [step * i for i in range(size)], [elem] * size
        case Matrix(cols):
            return [whole.stride * i for i in range(cols)], [t.column] * cols
        case Array(elem, int() as size):
            return [whole.stride * i for i in range(size)], [elem] * size
        case Struct(fields=fields):
            return list(whole.offsets), [f.type for f in fields]
    raise TypeError(f"{t} has no parts")
