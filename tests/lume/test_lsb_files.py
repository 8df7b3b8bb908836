"""LSB files themselves: what fits, what reads back, what the engine would refuse."""

from __future__ import annotations

import struct
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from luma.diagnostics import LumaError
from luma.lume.lsb import (
    Binding,
    Constant,
    DescriptorSet,
    Input,
    Member,
    PushConstants,
    Reflection,
    Stage,
    write,
)
from luma.lume.lsb_reader import checked, read, refusals
from luma.lume.lsb_text import as_data, as_text

U8, U16, U32 = (st.integers(0, 2**bits - 1) for bits in (8, 16, 32))
NAMES = st.text(st.characters(codec="utf-8"), max_size=20)

MEMBERS = st.builds(Member, NAMES, U32, U16, U16, U16, U16, U16)
BINDINGS = st.builds(Binding, U16, U16, U16, U8, U8)
REFLECTIONS = st.builds(
    Reflection,
    U16,
    st.none() | st.builds(PushConstants, U16, st.lists(MEMBERS, max_size=4).map(tuple)),
    st.lists(st.builds(Constant, U32, U32), max_size=4).map(tuple),
    st.lists(
        st.builds(DescriptorSet, U16, st.lists(BINDINGS, max_size=4).map(tuple)), max_size=4
    ).map(tuple),
    st.lists(st.builds(Input, U16, U16), max_size=4).map(tuple),
    st.none() | st.tuples(U32, U32, U32),
)

ONE_SET = Reflection(Stage.FRAGMENT, sets=(DescriptorSet(0, (Binding(0, 1, 1, 1, 8),)),))


@given(REFLECTIONS)
@settings(max_examples=200, deadline=None)
def test_whatever_fits_reads_back(reflection: Reflection) -> None:
    assert read(write(reflection)).reflection == reflection


@given(REFLECTIONS)
@settings(max_examples=100, deadline=None)
def test_version_0_loses_the_shapes_of_images_only(reflection: Reflection) -> None:
    found = read(write(reflection, 0))
    assert write(found.reflection, 0) == write(reflection, 0)
    assert found.reflection.push_constants == reflection.push_constants
    assert not found.shapes


def test_the_whole_of_a_small_file() -> None:
    reflection = Reflection(
        Stage.FRAGMENT,
        PushConstants(4, (Member(".f", 0x1406, 0, 4, 0, 0, 0),)),
        (Constant(3, 4),),
        (DescriptorSet(1, (Binding(2, 1, 1, 1, 8),)),),
        (Input(0, 103),),
    )
    assert write(reflection).hex(" ", -2) == (
        "7266 6c01 1000 1000 2600 3200 4000 0000 "  # tag, stage, offsets 16, 38, 50, 64 and none
        "0104 0001 0614 0000 0000 0400 0000 0000 0000 0200 2e66 "  # 4 bytes, 1 member: ".f"
        "0100 0000 0300 0000 0400 0000 "  # 1 constant: id 3, a float
        "0100 0100 0100 0200 0100 0100 0108 "  # 1 set: 1; 1 binding: 2, combined, 1, 2D, sampled
        "0100 0000 6700"  # 1 input: at 0, two floats
    )


@pytest.mark.parametrize(
    "reflection",
    [
        Reflection(Stage.VERTEX, inputs=(Input(65536, 103),)),
        Reflection(Stage.VERTEX, constants=(Constant(-1, 1),)),
        Reflection(Stage.VERTEX, constants=(Constant(2**32, 1),)),
        Reflection(Stage.VERTEX, PushConstants(65536, ())),
        Reflection(Stage.VERTEX, PushConstants(4, (Member("x" * 65536, 1, 0, 4, 0, 0, 0),))),
        Reflection(Stage.VERTEX, PushConstants(4, (Member("x", 1, 70000, 4, 0, 0, 0),))),
        Reflection(Stage.VERTEX, PushConstants(4, (Member("x", 1, 0, 4, 0, 0, 0),) * 256)),
        Reflection(Stage.VERTEX, sets=(DescriptorSet(0, (Binding(0, 1, 100000),)),)),
        Reflection(Stage.VERTEX, sets=(DescriptorSet(0, (Binding(70000, 1, 1),)),)),
        Reflection(Stage.COMPUTE, local_size=(2**32, 1, 1)),
        # Each section fits, but the next one would begin beyond 65,535.
        Reflection(Stage.VERTEX, constants=tuple(Constant(i, 1) for i in range(9000))),
    ],
)
def test_what_does_not_fit_is_an_error(reflection: Reflection) -> None:
    with pytest.raises(LumaError) as caught:
        checked(reflection, 1)
    assert [d.code for d in caught.value.diagnostics] == ["E0844"]


def test_bindings_of_version_1_under_version_0_are_read() -> None:
    data = bytearray(write(ONE_SET))
    data[3] = 0
    found = read(bytes(data))
    assert (found.version, found.shapes) == (0, True)
    assert found.reflection == ONE_SET
    assert refusals(bytes(data)) == ["bindings of version 1 under version 0"]


@pytest.mark.parametrize(
    ("reflection", "told"),
    [
        (replace(ONE_SET, stage=2), "stage 0x2"),
        (replace(ONE_SET, stage=Stage.COMPUTE), "a local size belongs to"),
        (replace(ONE_SET, local_size=(1, 1, 1)), "a local size belongs to"),
        (replace(ONE_SET, sets=(DescriptorSet(4, ONE_SET.sets[0].bindings),)), "set 4"),
        (replace(ONE_SET, sets=ONE_SET.sets * 2), "sets out of order"),
        (replace(ONE_SET, sets=(DescriptorSet(0, ()),)), "set 0: bindings []"),
        (
            replace(ONE_SET, sets=(DescriptorSet(0, ONE_SET.sets[0].bindings * 2),)),
            "bindings [0, 0]",
        ),
        (
            replace(ONE_SET, sets=(DescriptorSet(0, tuple(Binding(i, 1, 1) for i in range(17))),)),
            "17 bindings",
        ),
        (replace(ONE_SET, sets=(DescriptorSet(0, (Binding(0, 11, 1),)),)), "descriptor 11"),
        (replace(ONE_SET, sets=(DescriptorSet(0, (Binding(0, 1, 1, 7),)),)), "dimension 7"),
        (replace(ONE_SET, sets=(DescriptorSet(0, (Binding(0, 1, 1, 1, 32),)),)), "flags 0x20"),
        (replace(ONE_SET, push_constants=PushConstants(129, ())), "129 bytes"),
        (replace(ONE_SET, push_constants=PushConstants(0, ())), "0 bytes"),
        (replace(ONE_SET, constants=(Constant(0, 5),)), "of type 5"),
        (replace(ONE_SET, inputs=(Input(2, 103), Input(1, 103))), "inputs at [2, 1]"),
    ],
)
def test_what_the_engine_would_refuse_is_told(reflection: Reflection, told: str) -> None:
    assert any(told in refusal for refusal in refusals(write(reflection)))


def test_broken_files_are_errors_and_nothing_else() -> None:
    whole = write(replace(ONE_SET, inputs=(Input(0, 103),), constants=(Constant(1, 2),)))
    for end in range(len(whole)):
        with pytest.raises(LumaError):
            read(whole[:end])
    for at in range(len(whole)):
        for value in (0, 1, 0x7F, 0xFF):
            broken = bytearray(whole)
            broken[at] = value
            try:
                as_text(read(bytes(broken)))
                refusals(bytes(broken))
            except LumaError as fault:
                assert [d.code for d in fault.diagnostics] == ["E0845"]


@given(st.binary(max_size=80))
@settings(max_examples=200, deadline=None)
def test_any_bytes_are_read_or_refused(tail: bytes) -> None:
    data = b"rfl" + tail
    try:
        as_data(read(data))
    except LumaError as fault:
        assert [d.code for d in fault.diagnostics] == ["E0845"]


def test_the_text_names_what_it_can() -> None:
    member = Member(".a", 0x8B52, 0, 32, 2, 16, 0)
    reflection = replace(
        ONE_SET,
        push_constants=PushConstants(32, (member,)),
        constants=(Constant(1, 2),),
        inputs=(Input(0, 103), Input(1, 12345)),
    )
    assert as_text(read(write(reflection))) == "\n".join(
        [
            "LSB version 1, fragment shader",
            "push constants: 32 bytes accessed",
            "  .a: vec4[2] at offset 0, 32 bytes",
            "specialization constant 1: uint",
            "set 0",
            "  binding 0: combined_image_sampler (2d, sampled)",
            "input 0: r32g32_sfloat",
            "input 1: 12345",
        ]
    )


def test_version_0_has_no_shapes_to_tell() -> None:
    told = as_data(read(write(ONE_SET, 0)))
    assert told["descriptor_sets"][0]["bindings"] == [
        {"binding": 0, "type": "combined_image_sampler", "count": 1}
    ]


def test_the_header_is_sixteen_bytes() -> None:
    data = write(Reflection(Stage.VERTEX))
    assert len(data) == 25 and struct.unpack("<6H", data[4:16]) == (1, 16, 17, 21, 23, 0)
