"""Reading SPIR-V: what a module declares, and nothing but Malformed for what is none."""

from __future__ import annotations

import random
import struct
from collections.abc import Iterator

import pytest
from luma.backends.spirv.builder import text_words
from luma.backends.spirv.grammar import BuiltIn, Decoration, ExecutionModel, Op, StorageClass
from luma.backends.spirv.reader import (
    Instruction,
    Malformed,
    Module,
    instructions,
    read,
    rewritten,
    text,
)

import luma
from luma.diagnostics import LumaError
from luma.lume.reflect import reflect
from tests.harness import spirv_reader

SHADER = """
struct Push
    scale: float
end
@group(2) @binding(1) uniform tint: vec4
@push_constant uniform push: Push
@entry(vertex)
function place(@location(3) position: vec3) -> (@builtin(position) p: vec4)
    return { p = vec4(position * push.scale, 1.0) + tint }
end
"""


@pytest.fixture(scope="module")
def binary() -> bytes:
    result = luma.compile(SHADER, target="spirv", opt="none", debug=True)
    assert result.success, result.diagnostics
    return result.output


def named(module: Module, name: str) -> int:
    """The variable of a name."""
    return next(v for v in module.variables if module.names.get(v) == name)


def test_the_instructions_are_those_of_the_module(binary: bytes) -> None:
    found = [(i.op, i.words) for i in instructions(binary)]
    assert found == list(spirv_reader.instructions(binary))


def test_a_module_tells_what_it_declares(binary: bytes) -> None:
    module = read(binary)
    (entry,) = module.entry_points
    assert module.version == (1, 3)
    assert (entry.model, entry.name) == (ExecutionModel.Vertex, "place")
    assert set(entry.interface) <= set(module.variables)
    assert entry.function in module.bodies
    tint = named(module, "tint")
    assert module.decoration(tint, Decoration.DescriptorSet) == 2
    assert module.decoration(tint, Decoration.Binding) == 1
    assert module.variables[tint].word(2) == StorageClass.Uniform
    block = module.pointee(module.variables[named(module, "push")].word(0))
    assert module.type(block).op == Op.TypeStruct
    assert module.member_names[block, 0] == "scale"
    assert module.member_decoration(block, 0, Decoration.Offset) == 0
    assert module.member_decoration(block, 1, Decoration.Offset) is None
    builtins = [module.decoration(v, Decoration.BuiltIn) for v in module.variables]
    assert BuiltIn.Position in builtins


def test_rewriting_with_the_same_instructions_changes_nothing(binary: bytes) -> None:
    assert rewritten(binary, instructions(binary)) == binary


def test_strings_end_where_they_end() -> None:
    for string in ("", "abc", "abcd", "ä" * 7):
        assert text(text_words(string)) == string
    with pytest.raises(Malformed):
        text((0x64636261,))


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"", "0 bytes"),
        (bytes(19), "19 bytes"),
        (bytes(20), "magic"),
        (b"\x07\x23\x02\x03" + bytes(16), "magic"),  # big endian
        (struct.pack("<6I", 0x07230203, 0x10300, 0, 1, 0, 0), "does not end"),
        (struct.pack("<6I", 0x07230203, 0x10300, 0, 1, 0, 5 << 16 | 17), "does not end"),
    ],
)
def test_what_is_no_module_is_malformed(data: bytes, told: str) -> None:
    with pytest.raises(Malformed, match=told):
        read(data)


def test_questions_about_what_is_not_there_are_malformed(binary: bytes) -> None:
    module = read(binary)
    for ask in (module.type, module.constant, module.pointee):
        with pytest.raises(Malformed):
            ask(0xFFFF)
    with pytest.raises(Malformed):
        Instruction(Op.TypeFloat, (1,)).word(1)


def broken(binary: bytes) -> Iterator[bytes]:
    """Copies with words changed, dropped and doubled."""
    chance = random.Random(7)
    words = list(struct.unpack(f"<{len(binary) // 4}I", binary))
    for _ in range(400):
        copy = list(words)
        for _ in range(chance.randint(1, 4)):
            at = chance.randrange(5, len(copy))
            match chance.randrange(4):
                case 0:
                    copy[at] = chance.choice([0, 1, 0xFFFFFFFF, chance.getrandbits(32)])
                case 1:
                    copy[at] = chance.choice(words)
                case 2:
                    del copy[at]
                case _:
                    copy.insert(at, copy[at])
        yield struct.pack(f"<{len(copy)}I", *copy)


def test_broken_modules_are_reflected_or_refused(binary: bytes) -> None:
    for data in broken(binary):
        try:
            reflect(data)
        except LumaError as fault:
            assert all(d.code in ("E0843", "E0844") for d in fault.diagnostics)
