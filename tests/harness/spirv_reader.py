"""The little of a SPIR-V module that the tests need: its interface and instruction counts."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass, field

MAGIC = 0x07230203
HEADER_WORDS = 5
NON_SEMANTIC = frozenset({3, 4, 5, 6, 7, 8, 317, 330})  # sources, names, lines

_OP_ENTRY_POINT, _OP_VARIABLE, _OP_DECORATE, _OP_FUNCTION = 15, 59, 71, 54
_OP_IMAGE, _OP_SAMPLER, _OP_SAMPLED_IMAGE, _OP_ARRAY, _OP_RUNTIME_ARRAY = 25, 26, 27, 28, 29
_OP_POINTER = 32
_BINDING, _DESCRIPTOR_SET, _BUFFER_BLOCK = 33, 34, 3
_UNIFORM_CONSTANT, _UNIFORM, _STORAGE_BUFFER = 0, 2, 12


def instructions(binary: bytes) -> Iterator[tuple[int, tuple[int, ...]]]:
    """Every instruction as (opcode, operand words).  Raises ValueError on a malformed stream."""
    if len(binary) % 4 or len(binary) < 4 * HEADER_WORDS:
        raise ValueError(f"{len(binary)} bytes are not a SPIR-V module")
    words = struct.unpack(f"<{len(binary) // 4}I", binary)
    if words[0] != MAGIC:
        raise ValueError(f"wrong magic number {words[0]:#010x}")
    at = HEADER_WORDS
    while at < len(words):
        count = words[at] >> 16
        if count == 0 or at + count > len(words):
            raise ValueError(f"instruction of {count} words at word {at}")
        yield words[at] & 0xFFFF, words[at + 1 : at + count]
        at += count


@dataclass(slots=True)
class Interface:
    """What a module asks of its host: descriptor kinds by (group, binding)."""

    slots: dict[tuple[int, int], str] = field(default_factory=dict)


def interface(binary: bytes) -> Interface:
    """The descriptors a module declares: ``uniform``, ``storage``, ``texture``, ``sampler`` or
    ``combined`` by slot."""
    types: dict[int, tuple[int, tuple[int, ...]]] = {}
    decorations: dict[int, dict[int, tuple[int, ...]]] = {}
    variables: dict[int, tuple[int, int]] = {}
    for op, words in instructions(binary):
        if op == _OP_DECORATE:
            decorations.setdefault(words[0], {})[words[1]] = words[2:]
        elif 19 <= op <= 33:
            types[words[0]] = (op, words[1:])
        elif op == _OP_VARIABLE:
            variables[words[1]] = (words[0], words[2])
        elif op == _OP_FUNCTION:
            break
    found = Interface()
    for variable, (pointer, space) in variables.items():
        marks = decorations.get(variable, {})
        if _BINDING in marks:
            pointee = _pointee(types, pointer)
            block = _BUFFER_BLOCK in decorations.get(pointee, {})
            slot = (marks[_DESCRIPTOR_SET][0], marks[_BINDING][0])
            found.slots[slot] = _kind(types[pointee][0], space, block)
    return found


def _pointee(types: dict[int, tuple[int, tuple[int, ...]]], pointer: int) -> int:
    op, words = types[pointer]
    if op != _OP_POINTER:
        raise ValueError(f"type %{pointer} is no pointer")
    target = words[1]
    while types[target][0] in (_OP_ARRAY, _OP_RUNTIME_ARRAY):
        target = types[target][1][0]
    return target


def _kind(op: int, space: int, buffer_block: bool) -> str:
    if space == _UNIFORM_CONSTANT:
        return {_OP_IMAGE: "texture", _OP_SAMPLER: "sampler", _OP_SAMPLED_IMAGE: "combined"}[op]
    if space == _STORAGE_BUFFER or (space == _UNIFORM and buffer_block):
        return "storage"
    return "uniform"


def instruction_count(binary: bytes) -> int:
    """How many instructions a module has, debug names and lines left out."""
    return sum(op not in NON_SEMANTIC for op, _ in instructions(binary))


def stripped_size(binary: bytes) -> int:
    """The bytes of a module without its debug names and lines."""
    words = sum(1 + len(rest) for op, rest in instructions(binary) if op not in NON_SEMANTIC)
    return 4 * (HEADER_WORDS + words)


def body_count(binary: bytes) -> int:
    """How many instructions stand inside functions, labels and lines left out."""
    inside, count = False, 0
    for op, _ in instructions(binary):
        inside = inside or op == _OP_FUNCTION
        count += inside and op not in NON_SEMANTIC and op not in (_OP_FUNCTION, 55, 56, 248)
    return count
