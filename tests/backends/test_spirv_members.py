"""SPIR-V without names declares the members that are used, each where it lies, and like structs
once."""

from __future__ import annotations

import struct
from typing import Any

import pytest
from luma.backends.spirv.grammar import Decoration, Op

import luma
from tests.harness.jobs import Dispatch, Resources, Storage, Uniform
from tests.harness.spirv_reader import instructions
from tests.harness.worker import Driver

HEAD = """
    struct Light
      color: vec3
      bright: float
      turn: mat3
      on: bool
    end
    struct Scene
      ambient: vec3
      many: int
      lights: [2]Light
      unused: mat4
      scale: float
    end
    uniform scene: Scene
    buffer storage result: []float
"""
SCENE_BYTES = 16 + 2 * 80 + 64 + 16
LEVELS = ("none", "aggressive")


def compiled(text: str, opt: str, debug: bool = False) -> bytes:
    source = HEAD + text
    made = luma.compile(source, target="spirv", opt=opt, debug=debug, validate=True)
    assert made.success, made.diagnostics
    assert isinstance(made.output, bytes)
    return made.output


def offsets(binary: bytes) -> dict[int, tuple[int, ...]]:
    """The offsets of the members of each struct, by the struct's id."""
    found: dict[int, tuple[int, ...]] = {}
    for op, words in instructions(binary):
        if op == Op.MemberDecorate and words[2] == Decoration.Offset:
            found[words[0]] = (*found.get(words[0], ()), words[3])
    return found


def main(body: str) -> str:
    return f"@entry(compute) @workgroup_size(1) function main() {body} end"


def scene() -> bytes:
    """Color ``i + 1, i + 2, i + 3``, brightness ``10 + i`` and turn ``20 + i, ...`` of light i."""
    lights = b""
    for i in range(2):
        turn = [v for c in range(3) for v in (20.0 + i + 3 * c, 21.0 + i + 3 * c, 22.0 + i, 0.0)]
        lights += struct.pack("<4f", i + 1, i + 2, i + 3, 10 + i)
        lights += struct.pack("<12fIIII", *turn, i, 0, 0, 0)
    ambient = struct.pack("<3fi", 0.25, 0.5, 0.75, 7)
    data = ambient + lights + struct.pack("<16f", *range(16)) + struct.pack("<4f", 3.5, 0, 0, 0)
    assert len(data) == SCENE_BYTES
    return data


def run(driver: Driver, binary: bytes, floats: int) -> tuple[Any, ...]:
    resources: Resources = {(0, 0): Uniform(scene()), (0, 1): Storage(bytes(4 * floats))}
    found = driver.run(Dispatch("main", (1, 1, 1), resources), (binary,))[0, 1]
    assert isinstance(found, bytes)
    return struct.unpack(f"<{floats}f", found)


PARTS = main(
    """
    let i = int(result[3])
    result[0] = scene.scale
    result[1] = scene.lights[i].bright + scene.lights[1 - i].bright
    result[2] = (scene.lights[i + 1].turn * vec3(0, 1, 0)).y
    if scene.lights[i + 1].on then result[3] = scene.ambient.y end
    """
)


@pytest.mark.parametrize("opt", LEVELS)
def test_members_that_are_used_keep_their_places(driver: Driver, opt: str) -> None:
    binary = compiled(PARTS, opt)
    assert set(offsets(binary).values()) == {(0, 16, 240), (12, 16, 64), (0,)}
    assert run(driver, binary, 4) == (3.5, 21.0, 25.0, 0.5)


@pytest.mark.parametrize("opt", LEVELS)
def test_names_keep_all_members(driver: Driver, opt: str) -> None:
    binary = compiled(PARTS, opt, debug=True)
    assert set(offsets(binary).values()) == {(0, 12, 16, 176, 240), (0, 12, 16, 64), (0,)}
    assert run(driver, binary, 4) == (3.5, 21.0, 25.0, 0.5)


@pytest.mark.parametrize("opt", LEVELS)
def test_a_struct_moved_as_a_whole_keeps_all_members(driver: Driver, opt: str) -> None:
    whole = """
    buffer storage kept: []Light
    """ + main("kept[0] = scene.lights[1]")
    binary = compiled(whole, opt)
    assert (0, 12, 16, 64) in offsets(binary).values()
    resources: Resources = {(0, 0): Uniform(scene()), (0, 2): Storage(bytes(80))}
    found = driver.run(Dispatch("main", (1, 1, 1), resources), (binary,))[0, 2]
    assert isinstance(found, bytes)
    assert struct.unpack_from("<4f", found) == (2.0, 3.0, 4.0, 11.0)
    assert struct.unpack_from("<I", found, 64) == (1,)


def test_the_array_that_is_asked_for_its_length_stays(driver: Driver) -> None:
    text = """
    struct Row
      number: int
      weights: [3]float
    end
    struct Table
      first: vec4
      rows: []Row
    end
    buffer storage table: Table
    """ + main("result[0] = float(array_length(table.rows))")
    binary = compiled(text, "aggressive")
    assert (16,) in offsets(binary).values()
    resources: Resources = {(0, 1): Storage(bytes(4)), (0, 2): Storage(bytes(16 + 5 * 16))}
    found = driver.run(Dispatch("main", (1, 1, 1), resources), (binary,))[0, 1]
    assert found == struct.pack("<f", 5.0)


@pytest.mark.parametrize(("debug", "blocks"), [(False, 1), (True, 3)])
def test_buffers_that_lie_alike_share_a_type(driver: Driver, debug: bool, blocks: int) -> None:
    text = """
    buffer storage a: []float
    buffer storage b: []float
    """ + main("result[0] = a[1] + b[0]")
    binary = compiled(text, "basic", debug)
    made = [words for op, words in instructions(binary) if op == Op.TypeStruct]
    assert len(made) == blocks
    sources = {(0, 2): Storage(struct.pack("<2f", 1, 2)), (0, 3): Storage(struct.pack("<f", 5))}
    resources: Resources = {(0, 1): Storage(bytes(4)), **sources}
    found = driver.run(Dispatch("main", (1, 1, 1), resources), (binary,))[0, 1]
    assert found == struct.pack("<f", 7.0)


def test_the_same_struct_in_two_layouts_is_two_types(driver: Driver) -> None:
    text = """
    struct Pair
      a: [2]float
      b: float
    end
    uniform from: Pair
    buffer storage to: Pair
    """ + main("to.a[1] = from.a[1] to.b = from.b")
    binary = compiled(text, "aggressive")
    assert {(0, 32), (0, 8)} <= set(offsets(binary).values())
    data = struct.pack("<12f", 1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0)
    resources: Resources = {(0, 2): Uniform(data), (0, 3): Storage(bytes(12))}
    found = driver.run(Dispatch("main", (1, 1, 1), resources), (binary,))[0, 3]
    assert found == struct.pack("<3f", 0.0, 2.0, 3.0)
