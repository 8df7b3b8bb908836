"""A SPIR-V module under construction: its sections, ids, and what may stand in it only once.

Instructions are kept as flat lists of 32-bit words, one list a section, in the order of the
specification's "Logical Layout of a Module" (2.4).  Ids are given out in the order of first use.
"""

from __future__ import annotations

import sys
from array import array

from luma.backends.spirv.grammar import (
    MAGIC,
    AddressingModel,
    Capability,
    MemoryModel,
    Op,
)
from luma.backends.spirv.problems import Unsupported

VERSION_1_3 = 0x00010300

#: Most words of one instruction (the count is 16 bits wide).
MAX_WORDS = 0xFFFF

#: Universal limits (SPIR-V specification, 2.17).
MAX_BOUND = 0x3FFFFF
MAX_MEMBERS = 16_383
MAX_DEPTH = 255
MAX_PARAMETERS = 255


def text_words(text: str) -> tuple[int, ...]:
    """A literal string: UTF-8, ended by a zero byte, padded to whole words."""
    raw = text.encode("utf-8", "replace").replace(b"\0", b"?")
    raw += bytes(4 - len(raw) % 4)
    return tuple(int.from_bytes(raw[i : i + 4], "little") for i in range(0, len(raw), 4))


class Builder:
    """The sections of one module and the tables that keep declarations unique."""

    __slots__ = (
        "_capabilities",
        "_std",
        "_unique",
        "bound",
        "decorations",
        "entry_points",
        "functions",
        "globals",
        "modes",
        "named",
        "names",
        "sources",
    )

    def __init__(self) -> None:
        self.bound = 1
        self._capabilities: dict[int, None] = {Capability.Shader: None}
        self._std = 0
        self._unique: dict[tuple[int, ...], int] = {}
        self.entry_points: list[int] = []
        self.modes: list[int] = []
        self.sources: list[int] = []  # OpString, OpSource
        self.names: list[int] = []
        self.named: set[int] = set()
        self.decorations: list[int] = []
        self.globals: list[int] = []  # types, constants, variables
        self.functions: list[int] = []

    def new_id(self) -> int:
        """An id that nothing else has."""
        self.bound += 1
        return self.bound - 1

    def capability(self, capability: int) -> None:
        """Declare that the module needs a capability."""
        self._capabilities[capability] = None

    @property
    def std(self) -> int:
        """The id of the GLSL.std.450 instruction set."""
        if not self._std:
            self._std = self.new_id()
        return self._std

    def type(self, op: int, *operands: int) -> int:
        """The id of a type, declared once."""
        key = (op, *operands)
        found = self._unique.get(key)
        if found is None:
            found = self._unique[key] = self.new_type(op, *operands)
        return found

    def new_type(self, op: int, *operands: int) -> int:
        """The id of a type of its own, even if there is an equal one (structs, arrays)."""
        result = self.new_id()
        put(self.globals, op, result, *operands)
        return result

    def constant(self, op: int, type_id: int, *operands: int) -> int:
        """The id of a constant, declared once."""
        key = (op, type_id, *operands)
        found = self._unique.get(key)
        if found is None:
            found = self._unique[key] = self.new_constant(op, type_id, *operands)
        return found

    def new_constant(self, op: int, type_id: int, *operands: int) -> int:
        """The id of a constant or variable of its own."""
        result = self.new_id()
        put(self.globals, op, type_id, result, *operands)
        return result

    def decorate(self, target: int, decoration: int, *operands: int) -> None:
        """Decorate a whole type, variable or constant."""
        put(self.decorations, Op.Decorate, target, decoration, *operands)

    def decorate_member(self, struct: int, member: int, decoration: int, *operands: int) -> None:
        """Decorate one member of a struct type."""
        put(self.decorations, Op.MemberDecorate, struct, member, decoration, *operands)

    def assemble(self) -> bytes:
        """The finished module, little endian.  Raises Unsupported if it has too many ids."""
        words = array("I", (MAGIC, VERSION_1_3, 0, 0, 0))
        head: list[int] = []
        for capability in self._capabilities:
            put(head, Op.Capability, capability)
        if self._std:
            put(head, Op.ExtInstImport, self._std, *text_words("GLSL.std.450"))
        put(head, Op.MemoryModel, AddressingModel.Logical, MemoryModel.GLSL450)
        words.extend(head)
        for section in (
            self.entry_points,
            self.modes,
            self.sources,
            self.names,
            self.decorations,
            self.globals,
            self.functions,
        ):
            words.extend(section)
        if self.bound > MAX_BOUND:
            raise Unsupported("the module has more values than SPIR-V allows")
        words[3] = self.bound
        if sys.byteorder == "big":
            words.byteswap()
        return words.tobytes()


def put(section: list[int], op: int, *operands: int) -> None:
    """Append one instruction to a section.  Raises Unsupported if it is too long to encode."""
    count = len(operands) + 1
    if count > MAX_WORDS:
        raise Unsupported(f"{count} words are too many for one SPIR-V instruction")
    section.append(count << 16 | op)
    section.extend(operands)
