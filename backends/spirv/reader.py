"""Reading SPIR-V of any compiler: the declarations of a module and the bodies of its functions.

It is the counterpart of :mod:`~luma.backends.spirv.builder` and shares its numbers.  A module is
taken as it is: what is well formed but unknown stays an instruction like the others.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from luma.backends.spirv.grammar import MAGIC, Op

HEADER_WORDS = 5


class Malformed(Exception):
    """Raised for bytes that are no SPIR-V module; the message says why."""


@dataclass(frozen=True, slots=True)
class Instruction:
    """One instruction: its opcode and operand words (with the result's type and id, if any)."""

    op: int
    words: tuple[int, ...]

    def word(self, index: int) -> int:
        """An operand.  Raises Malformed if the instruction is too short to have it."""
        if index >= len(self.words):
            raise Malformed(f"instruction {self.op} has only {len(self.words)} operands")
        return self.words[index]


@dataclass(frozen=True, slots=True)
class EntryPoint:
    """An entry point: ``function`` and ``interface`` are ids."""

    model: int
    function: int
    name: str
    interface: tuple[int, ...]


@dataclass(slots=True)
class Module:
    """The declarations of a module by id, each group in the module's order.

    ``types``, ``constants`` and ``variables`` hold the declaring instructions; ``decorations`` map
    a target's decorations to their operands, ``member_decorations`` those of ``(struct, member)``;
    ``modes`` are the execution modes' instructions and ``bodies`` the functions' instructions.
    """

    version: tuple[int, int]
    instructions: tuple[Instruction, ...]
    entry_points: list[EntryPoint] = field(default_factory=list)
    modes: list[Instruction] = field(default_factory=list)
    names: dict[int, str] = field(default_factory=dict)
    member_names: dict[tuple[int, int], str] = field(default_factory=dict)
    decorations: dict[int, dict[int, tuple[int, ...]]] = field(default_factory=dict)
    member_decorations: dict[tuple[int, int], dict[int, tuple[int, ...]]] = field(
        default_factory=dict
    )
    types: dict[int, Instruction] = field(default_factory=dict)
    constants: dict[int, Instruction] = field(default_factory=dict)
    variables: dict[int, Instruction] = field(default_factory=dict)
    bodies: dict[int, list[Instruction]] = field(default_factory=dict)

    def type(self, id: int) -> Instruction:
        """The instruction that declares a type.  Raises Malformed if there is none."""
        return _found(self.types, id, "type")

    def constant(self, id: int) -> Instruction:
        """The instruction that declares a constant.  Raises Malformed if there is none."""
        return _found(self.constants, id, "constant")

    def pointee(self, id: int) -> int:
        """The id of the type that a pointer type points to.  Raises Malformed."""
        pointer = self.type(id)
        if pointer.op != Op.TypePointer:
            raise Malformed(f"type %{id} is not a pointer")
        return pointer.word(2)

    def decoration(self, id: int, decoration: int) -> int | None:
        """The first operand of a decoration, or None if the target has no such decoration."""
        operands = self.decorations.get(id, {}).get(decoration)
        return operands[0] if operands else None

    def member_decoration(self, struct: int, member: int, decoration: int) -> int | None:
        """The first operand of a member's decoration, or None if it has no such decoration."""
        operands = self.member_decorations.get((struct, member), {}).get(decoration)
        return operands[0] if operands else None


def _found(table: dict[int, Instruction], id: int, kind: str) -> Instruction:
    found = table.get(id)
    if found is None:
        raise Malformed(f"%{id} is not a {kind}")
    return found


def instructions(binary: bytes) -> Iterator[Instruction]:
    """Every instruction of a little-endian module.  Raises Malformed."""
    words = _words(binary)
    at = HEADER_WORDS
    while at < len(words):
        count = words[at] >> 16
        if count == 0 or at + count > len(words):
            raise Malformed(f"the instruction at word {at} does not end within the module")
        yield Instruction(words[at] & 0xFFFF, words[at + 1 : at + count])
        at += count


def _words(binary: bytes) -> tuple[int, ...]:
    if len(binary) < 4 * HEADER_WORDS or len(binary) % 4:
        raise Malformed(f"{len(binary)} bytes are not a SPIR-V module")
    words = struct.unpack(f"<{len(binary) // 4}I", binary)
    if words[0] != MAGIC:
        raise Malformed(f"{words[0]:#010x} is not the magic number of little-endian SPIR-V")
    return words


def rewritten(binary: bytes, kept: Iterable[Instruction]) -> bytes:
    """A module with the header of another one and these instructions."""
    words = [w for i in kept for w in ((len(i.words) + 1) << 16 | i.op, *i.words)]
    return binary[: 4 * HEADER_WORDS] + struct.pack(f"<{len(words)}I", *words)


def text(words: Sequence[int]) -> str:
    """A literal string.  Raises Malformed if it does not end."""
    return _string(words)[0]


def _string(words: Sequence[int]) -> tuple[str, int]:
    """A literal string and how many words it takes."""
    raw = struct.pack(f"<{len(words)}I", *words)
    end = raw.find(b"\0")
    if end < 0:
        raise Malformed("a string does not end within its instruction")
    return raw[:end].decode("utf-8", "replace"), end // 4 + 1


def read(binary: bytes) -> Module:
    """The declarations and functions of a module.  Raises Malformed."""
    found = tuple(instructions(binary))
    version = _words(binary[: 4 * HEADER_WORDS])[1]
    module = Module((version >> 16 & 0xFF, version >> 8 & 0xFF), found)
    body: list[Instruction] | None = None
    for instruction in found:
        if instruction.op == Op.Function:
            body = module.bodies.setdefault(instruction.word(1), [])
        elif instruction.op == Op.FunctionEnd:
            body = None
        elif body is not None:
            body.append(instruction)
        else:
            _declare(module, instruction)
    return module


def _declare(module: Module, instruction: Instruction) -> None:
    """Enter an instruction that stands outside functions."""
    word, words = instruction.word, instruction.words
    match instruction.op:
        case Op.EntryPoint:
            module.entry_points.append(_entry_point(instruction))
        case Op.ExecutionMode | Op.ExecutionModeId:
            module.modes.append(instruction)
        case Op.Name:
            module.names[word(0)] = text(words[1:])
        case Op.MemberName:
            module.member_names[word(0), word(1)] = text(words[2:])
        case Op.Decorate:
            module.decorations.setdefault(word(0), {})[word(1)] = words[2:]
        case Op.MemberDecorate:
            key = word(0), word(1)
            module.member_decorations.setdefault(key, {})[word(2)] = words[3:]
        case Op.Variable:
            module.variables[word(1)] = instruction
        case op if op in _TYPES:
            module.types[word(0)] = instruction
        case op if op in _CONSTANTS:
            module.constants[word(1)] = instruction


_CONSTANTS = frozenset(range(Op.ConstantTrue, Op.SpecConstantOp + 1))

#: Types have their id as the first operand, all other instructions their type.
_TYPES = frozenset({*range(Op.TypeVoid, Op.TypeFunction + 1), Op.TypeAccelerationStructureKHR})


def _entry_point(instruction: Instruction) -> EntryPoint:
    name, length = _string(instruction.words[2:])
    interface = instruction.words[2 + length :]
    return EntryPoint(instruction.word(0), instruction.word(1), name, interface)
