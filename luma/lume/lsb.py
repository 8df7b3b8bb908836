"""LSB, the engine's form of a shader's reflection: what it holds, and how it is written.

All numbers are little endian, nothing is padded, and offsets count from the start of the file.  The
sections stand in the order of the header's offsets.  Version 1 tells the shape of each image.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable
from dataclasses import dataclass
from enum import IntEnum

from luma.lume.problems import UNFIT, failure

TAG = b"rfl"

#: Versions that the engine reads; the later one is the one it writes.
VERSIONS = (0, 1)
NEWEST = 1

#: Tag and version, the stage, and the offsets of the five sections.
HEADER = struct.Struct("<3sB6H")

#: Descriptor sets that the engine has, its bindings in one, and its bytes of push constants.
MAX_SETS, MAX_BINDINGS, MAX_PUSH_BYTES = 4, 16, 128

#: Most push constants that a file can count.
MAX_MEMBERS = 255


class Stage(IntEnum):
    """A shader's stage, as VkShaderStageFlagBits has it."""

    VERTEX = 0x01
    FRAGMENT = 0x10
    COMPUTE = 0x20


class Descriptor(IntEnum):
    """What is bound, as VkDescriptorType has it; of the last one an LSB holds the low 16 bits."""

    SAMPLER = 0
    COMBINED_IMAGE_SAMPLER = 1
    SAMPLED_IMAGE = 2
    STORAGE_IMAGE = 3
    UNIFORM_TEXEL_BUFFER = 4
    STORAGE_TEXEL_BUFFER = 5
    UNIFORM_BUFFER = 6
    STORAGE_BUFFER = 7
    UNIFORM_BUFFER_DYNAMIC = 8
    STORAGE_BUFFER_DYNAMIC = 9
    INPUT_ATTACHMENT = 10
    ACCELERATION_STRUCTURE = 1000150000 & 0xFFFF


class ConstantType(IntEnum):
    """The type of a specialization constant."""

    INVALID = 0
    BOOL = 1
    UINT = 2
    INT = 3
    FLOAT = 4


class ImageFlags:
    """The bits that tell an image's kind."""

    DEPTH = 1
    ARRAYED = 2
    MULTISAMPLED = 4
    SAMPLED = 8
    LOAD_STORE = 16
    ALL = 31


#: The greatest number of an image's dimension: that of an input attachment.
MAX_DIM = 6


@dataclass(frozen=True, slots=True)
class Member:
    """A member of the push constants: ``gl_type`` is OpenGL's number, sizes are bytes.

    ``array_size`` is 0 for what is no array, ``matrix_stride`` for what is no matrix.
    """

    name: str
    gl_type: int
    offset: int
    size: int
    array_size: int
    array_stride: int
    matrix_stride: int


@dataclass(frozen=True, slots=True)
class PushConstants:
    """The push constants: the bytes that the shader accesses, and every member."""

    size: int
    members: tuple[Member, ...]


@dataclass(frozen=True, slots=True)
class Constant:
    """A specialization constant."""

    id: int
    type: int


@dataclass(frozen=True, slots=True)
class Binding:
    """A binding: ``count`` is 0 for an array without a size; version 0 lacks the last two."""

    binding: int
    descriptor: int
    count: int
    dim: int = 0
    flags: int = 0


@dataclass(frozen=True, slots=True)
class DescriptorSet:
    """The bindings of one set, ascending."""

    set: int
    bindings: tuple[Binding, ...]


@dataclass(frozen=True, slots=True)
class Input:
    """An input of the stage: ``format`` is a VkFormat, 0 where there is none."""

    location: int
    format: int


@dataclass(frozen=True, slots=True)
class Reflection:
    """What an LSB holds of one shader; ``local_size`` only of a compute shader."""

    stage: int
    push_constants: PushConstants | None = None
    constants: tuple[Constant, ...] = ()
    sets: tuple[DescriptorSet, ...] = ()
    inputs: tuple[Input, ...] = ()
    local_size: tuple[int, int, int] | None = None


def write(reflection: Reflection, version: int = NEWEST) -> bytes:
    """The LSB of a reflection.  Raises LumaError (E0844) if a number does not fit its field."""
    if version not in VERSIONS:
        raise ValueError(f"{version} is not a version of LSB")
    sections = [
        _push_constants(reflection.push_constants),
        _constants(reflection.constants),
        _sets(reflection.sets, version),
        _inputs(reflection.inputs),
    ]
    if reflection.local_size is not None:
        sections.append(_pack("<3I", "the size of the workgroup", *reflection.local_size))
    offsets = [HEADER.size]
    for section in sections:
        offsets.append(offsets[-1] + len(section))
    starts = [*offsets[: len(sections)], 0][:5]
    place = "an offset"
    head = _pack("<3sBH", "the stage", TAG, version, reflection.stage) + _pack(
        "<5H", place, *starts
    )
    return b"".join([head, *sections])


def _pack(form: str, what: str, *values: int | bytes) -> bytes:
    """Numbers as bytes, or an error where one is too great: a smaller one would be a lie."""
    try:
        return struct.pack(form, *values)
    except struct.error:
        shown = ", ".join(str(v) for v in values if isinstance(v, int))
        raise failure(UNFIT, f"an LSB cannot hold {what} of {shown}") from None


def _push_constants(pushed: PushConstants | None) -> bytes:
    if pushed is None:
        return b"\0"
    size = _pack("<BH", "a size of push constants", 1, pushed.size)
    count = _pack("<B", "a number of push constants", len(pushed.members))
    return size + count + b"".join(_member(m) for m in pushed.members)


def _member(member: Member) -> bytes:
    name = member.name.encode()
    what = f"the push constant '{member.name}', with numbers"
    numbers = (member.offset, member.size, member.array_size, member.array_stride)
    return _pack("<I6H", what, member.gl_type, *numbers, member.matrix_stride, len(name)) + name


def _constants(constants: Iterable[Constant]) -> bytes:
    parts = [_pack("<2I", "a specialization constant", c.id, c.type) for c in constants]
    return _pack("<I", "a number of constants", len(parts)) + b"".join(parts)


def _sets(sets: tuple[DescriptorSet, ...], version: int) -> bytes:
    parts = [_pack("<H", "a number of sets", len(sets))]
    for group in sets:
        parts.append(_pack("<2H", "a set and its bindings", group.set, len(group.bindings)))
        parts += [_binding(group.set, b, version) for b in group.bindings]
    return b"".join(parts)


def _binding(group: int, item: Binding, version: int) -> bytes:
    what = f"in set {group} a binding, type and count"
    head = _pack("<3H", what, item.binding, item.descriptor, item.count)
    return head if version == 0 else head + _pack("<2B", "an image", item.dim, item.flags)


def _inputs(inputs: tuple[Input, ...]) -> bytes:
    parts = [_pack("<2H", "an input's location and format", i.location, i.format) for i in inputs]
    return _pack("<H", "a number of inputs", len(inputs)) + b"".join(parts)
