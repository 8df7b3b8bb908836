"""The LSB that a shader's comments tell of, put together without Luma's own writer.

A comment line ``//= KIND NUMBERS`` adds to the expectation, ``//!`` says what the shader shows:

    //= push BYTES              //= member NAME TYPE OFFSET SIZE ARRAY ARRAY-STRIDE MATRIX-STRIDE
    //= spec ID TYPE            //= set NUMBER, then //= binding NUMBER TYPE COUNT DIM FLAGS
    //= input LOCATION FORMAT   //= local X Y Z
    //= vulkan VERSION          //= warning CODE
"""

from __future__ import annotations

import struct
from dataclasses import dataclass, field
from pathlib import Path

STAGES = {".vert": 1, ".frag": 16, ".comp": 32}

SHADERS = sorted((Path(__file__).parent / "shaders").iterdir())


@dataclass(slots=True)
class Expected:
    """What a shader says of itself."""

    vulkan: str = "1.0"
    warnings: list[str] = field(default_factory=list)
    push: list[int] = field(default_factory=list)
    members: list[list[str]] = field(default_factory=list)
    constants: list[list[int]] = field(default_factory=list)
    sets: list[tuple[int, list[list[int]]]] = field(default_factory=list)
    inputs: list[list[int]] = field(default_factory=list)
    local: list[int] = field(default_factory=list)
    stage: int = 0

    def lsb(self, version: int) -> bytes:
        """The bytes of the file."""
        parts = [self._push(), self._constants(), self._sets(version), self._inputs()]
        if self.local:
            parts.append(struct.pack("<III", *self.local))
        offsets = [16 + sum(map(len, parts[:i])) for i in range(len(parts))]
        offsets += [0] * (5 - len(offsets))
        head = b"rfl" + bytes([version]) + struct.pack("<HHHHHH", self.stage, *offsets)
        return head + b"".join(parts)

    def _push(self) -> bytes:
        if not self.push:
            return b"\0"
        data = struct.pack("<BHB", 1, self.push[0], len(self.members))
        for name, kind, *rest in self.members:
            numbers = [int(n, 0) for n in rest]
            raw = name.encode()
            data += struct.pack("<IHHHHHH", int(kind, 0), *numbers, len(raw)) + raw
        return data

    def _constants(self) -> bytes:
        pairs = b"".join(struct.pack("<II", *pair) for pair in self.constants)
        return struct.pack("<I", len(self.constants)) + pairs

    def _sets(self, version: int) -> bytes:
        data = struct.pack("<H", len(self.sets))
        for number, bindings in self.sets:
            data += struct.pack("<HH", number, len(bindings))
            for binding in bindings:
                shape = struct.pack("<BB", *binding[3:]) if version else b""
                data += struct.pack("<HHH", *binding[:3]) + shape
        return data

    def _inputs(self) -> bytes:
        pairs = b"".join(struct.pack("<HH", *pair) for pair in self.inputs)
        return struct.pack("<H", len(self.inputs)) + pairs


def expected(path: Path) -> Expected:
    """What the comments of a shader tell."""
    found = Expected(stage=STAGES[path.suffix])
    for line in path.read_text().splitlines():
        if not line.startswith("//="):
            continue
        kind, *words = line.removeprefix("//=").split()
        match kind:
            case "vulkan":
                found.vulkan = words[0]
            case "warning":
                found.warnings += words
            case "member":
                found.members.append(words)
            case _:
                _add(found, kind, [int(word, 0) for word in words])
    return found


def _add(found: Expected, kind: str, numbers: list[int]) -> None:
    match kind:
        case "push":
            found.push = numbers
        case "spec":
            found.constants.append(numbers)
        case "set":
            found.sets.append((numbers[0], []))
        case "binding":
            found.sets[-1][1].append(numbers)
        case "input":
            found.inputs.append(numbers)
        case "local":
            found.local = numbers
        case _:
            raise ValueError(f"{kind} is no kind of expectation")
