"""Reading LSB: for people, and as the engine does, which says what it would refuse."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass

from luma.lume.lsb import (
    HEADER,
    MAX_BINDINGS,
    MAX_DIM,
    MAX_PUSH_BYTES,
    MAX_SETS,
    TAG,
    VERSIONS,
    Binding,
    Constant,
    ConstantType,
    Descriptor,
    DescriptorSet,
    ImageFlags,
    Input,
    Member,
    PushConstants,
    Reflection,
    Stage,
    write,
)
from luma.lume.problems import LSB, failure


@dataclass(frozen=True, slots=True)
class Lsb:
    """A file that was read: its version and what it holds.

    ``shapes`` tells whether the bindings have the dimensions and flags of images, as in version 1;
    one build of the engine's tools wrote them under version 0.
    """

    version: int
    shapes: bool
    reflection: Reflection


class _Cursor:
    """Reads one section; running out of it is an error of the file."""

    __slots__ = ("at", "data", "section")

    def __init__(self, data: bytes, section: str) -> None:
        self.data, self.section, self.at = data, section, 0

    def take(self, form: str) -> tuple[int, ...]:
        end = self.at + struct.calcsize(form)
        if end > len(self.data):
            raise failure(LSB, f"the {self.section} end after {len(self.data)} bytes")
        found = struct.unpack_from(form, self.data, self.at)
        self.at = end
        return found

    def one(self, form: str) -> int:
        return self.take(form)[0]

    def text(self, length: int) -> str:
        return bytes(self.take(f"<{length}B")).decode("utf-8", "replace")

    def close(self) -> None:
        rest = len(self.data) - self.at
        if rest:
            raise failure(LSB, f"{rest} bytes too many in the {self.section}")


SECTIONS = ("push constants", "specialization constants", "descriptor sets", "inputs", "local size")


def read(data: bytes) -> Lsb:
    """What a file holds, of either version.  Raises LumaError (E0845) for any other bytes."""
    version, stage, parts = _split(data)
    pushed, constants, sets, inputs, size = (
        None if part is None else _Cursor(part, name)
        for part, name in zip(parts, SECTIONS, strict=True)
    )
    shapes = version > 0 or (sets is not None and not _sets_fit(sets.data, shapes=False))
    reflection = Reflection(
        stage,
        None if pushed is None else _push_constants(pushed),
        () if constants is None else _constants(constants),
        () if sets is None else _sets(sets, shapes),
        () if inputs is None else _inputs(inputs),
        None if size is None else _local_size(size),
    )
    for cursor in (pushed, constants, sets, inputs, size):
        if cursor is not None:
            cursor.close()
    return Lsb(version, shapes, reflection)


def _split(data: bytes) -> tuple[int, int, list[bytes | None]]:
    """Version, stage, and the bytes of each section that there is."""
    if len(data) < HEADER.size or data[:3] != TAG:
        raise failure(LSB, "the file does not begin as an LSB does")
    _, version, stage, *offsets = HEADER.unpack_from(data)
    if version not in VERSIONS:
        raise failure(LSB, f"version {version} of LSB is unknown")
    return (
        version,
        stage,
        [None if not offset else data[offset : _end(data, offset, offsets)] for offset in offsets],
    )


def _end(data: bytes, offset: int, offsets: list[int]) -> int:
    """Where a section ends: at the next one, or with the file.  Raises LumaError (E0845)."""
    if offset < HEADER.size or offset >= len(data):
        raise failure(LSB, f"a section at byte {offset} of {len(data)}")
    return min((o for o in offsets if o > offset), default=len(data))


def _push_constants(cursor: _Cursor) -> PushConstants | None:
    count = cursor.one("<B")
    if count > 1:
        raise failure(LSB, f"{count} blocks of push constants")
    if count == 0:
        return None
    size, members = cursor.take("<HB")
    return PushConstants(size, tuple(_member(cursor) for _ in range(members)))


def _member(cursor: _Cursor) -> Member:
    gl_type, *numbers, length = cursor.take("<I6H")
    return Member(cursor.text(length), gl_type, *numbers)


def _constants(cursor: _Cursor) -> tuple[Constant, ...]:
    return tuple(Constant(*cursor.take("<2I")) for _ in range(cursor.one("<I")))


def _sets(cursor: _Cursor, shapes: bool) -> tuple[DescriptorSet, ...]:
    form = "<3H2B" if shapes else "<3H"
    found = []
    for _ in range(cursor.one("<H")):
        group, count = cursor.take("<2H")
        bindings = tuple(Binding(*cursor.take(form)) for _ in range(count))
        found.append(DescriptorSet(group, bindings))
    return tuple(found)


def _sets_fit(data: bytes, shapes: bool) -> bool:
    """Whether the descriptor sets are exactly their bytes, with or without the images' shapes."""
    at, step = 2, 8 if shapes else 6
    for _ in range(int.from_bytes(data[:2], "little")):
        at += 4 + step * int.from_bytes(data[at + 2 : at + 4], "little")
    return at == len(data)


def _inputs(cursor: _Cursor) -> tuple[Input, ...]:
    return tuple(Input(*cursor.take("<2H")) for _ in range(cursor.one("<H")))


def _local_size(cursor: _Cursor) -> tuple[int, int, int]:
    x, y, z = cursor.take("<3I")
    return x, y, z


def checked(reflection: Reflection, version: int) -> bytes:
    """The LSB of a reflection, which reads back as the same.

    Raises LumaError (E0844, E0845) if there is none.
    """
    data = write(reflection, version)
    if write(read(data).reflection, version) != data:
        raise failure(LSB, "the LSB does not read back", "please report this shader")
    return data


# ---------------------------------------------------------------- as the engine reads


def refusals(data: bytes) -> list[str]:
    """Why the engine would refuse a file, or lose part of it: nothing for one that it takes whole.

    Raises LumaError (E0845) for what is no LSB at all.
    """
    found = read(data)
    if found.version == 0 and found.shapes:
        return ["bindings of version 1 under version 0"]
    return [
        *_header_refusals(data),
        *_constant_refusals(found.reflection),
        *_set_refusals(found.reflection.sets),
        *_input_refusals(found.reflection),
    ]


def _header_refusals(data: bytes) -> Iterator[str]:
    _, _, stage, *offsets = HEADER.unpack_from(data)
    present = [offset for offset in offsets if offset]
    if stage not in set(Stage):
        yield f"stage {stage:#x}"
    if present != sorted(set(present)):
        yield "sections out of order"
    if len(present) < 4 or 0 in offsets[:4]:
        yield "a section is missing"
    if (stage == Stage.COMPUTE) != bool(offsets[4]):
        yield "a local size belongs to compute shaders, and to no others"


def _constant_refusals(reflection: Reflection) -> Iterator[str]:
    pushed = reflection.push_constants
    if pushed is not None and not 0 < pushed.size <= MAX_PUSH_BYTES:
        yield f"{pushed.size} bytes of push constants"
    for constant in reflection.constants:
        if constant.type not in set(ConstantType):
            yield f"specialization constant {constant.id} of type {constant.type}"


def _set_refusals(sets: tuple[DescriptorSet, ...]) -> Iterator[str]:
    if [s.set for s in sets] != sorted({s.set for s in sets}):
        yield "sets out of order"
    for group in sets:
        numbers = [b.binding for b in group.bindings]
        if group.set >= MAX_SETS:
            yield f"set {group.set}: the engine has {MAX_SETS}"
        if not numbers or numbers != sorted(set(numbers)):
            yield f"set {group.set}: bindings {numbers}"
        if len(numbers) > MAX_BINDINGS:
            yield f"set {group.set}: {len(numbers)} bindings, and the engine has {MAX_BINDINGS}"
        for item in group.bindings:
            place = f"set {group.set}, binding {item.binding}"
            if item.descriptor not in set(Descriptor):
                yield f"{place}: descriptor {item.descriptor}"
            if item.dim > MAX_DIM or item.flags & ~ImageFlags.ALL:
                yield f"{place}: image of dimension {item.dim}, flags {item.flags:#x}"


def _input_refusals(reflection: Reflection) -> Iterator[str]:
    locations = [i.location for i in reflection.inputs]
    if locations != sorted(locations):
        yield f"inputs at {locations}"
    if reflection.stage == Stage.COMPUTE and locations:
        yield "inputs of a compute shader"
