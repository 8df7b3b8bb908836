"""Reflection of SPIR-V that glslang does not make: put together instruction by instruction."""

from __future__ import annotations

import struct
from collections.abc import Sequence

import pytest
from luma.backends.spirv.builder import text_words
from luma.backends.spirv.grammar import (
    Decoration,
    Dim,
    ExecutionMode,
    ExecutionModel,
    Op,
    StorageClass,
)

from luma.diagnostics import LumaError
from luma.lume.lsb import Binding, DescriptorSet, Input, Reflection, Stage
from luma.lume.reflect import reflect

Line = tuple[int, ...]

MAIN, VOID, FUNCTION, LABEL, FLOAT, VEC4, UINT = 1, 2, 3, 4, 5, 6, 7

HEAD: list[Line] = [
    (Op.Capability, 1),
    (Op.MemoryModel, 0, 1),
]
TYPES: list[Line] = [
    (Op.TypeVoid, VOID),
    (Op.TypeFunction, FUNCTION, VOID),
    (Op.TypeFloat, FLOAT, 32),
    (Op.TypeVector, VEC4, FLOAT, 4),
    (Op.TypeInt, UINT, 32, 0),
]


def module(
    declarations: Sequence[Line],
    body: Sequence[Line] = (),
    *,
    model: int = ExecutionModel.Fragment,
    interface: Sequence[int] = (),
    decorations: Sequence[Line] = (),
    version: int = 0x10000,
    entries: int = 1,
) -> bytes:
    """A module with one function, which is its entry point (or several)."""
    entry = (Op.EntryPoint, model, MAIN, *text_words("main"), *interface)
    lines = [*HEAD, *([entry] * entries), *decorations, *TYPES, *declarations]
    lines += [(Op.Function, VOID, MAIN, 0, FUNCTION), (Op.Label, LABEL), *body]
    lines += [(Op.Return,), (Op.FunctionEnd,)]
    words = [0x07230203, version, 0, 1000, 0]
    for op, *rest in lines:
        words += [(len(rest) + 1) << 16 | op, *rest]
    return struct.pack(f"<{len(words)}I", *words)


def of(*args: Sequence[Line], **options: object) -> Reflection:
    return reflect(module(*args, **options)).reflection  # type: ignore[arg-type]


PUSH: list[Line] = [
    (Op.TypeStruct, 10, VEC4, VEC4),
    (Op.TypePointer, 11, StorageClass.PushConstant, 10),
    (Op.TypePointer, 12, StorageClass.PushConstant, VEC4),
    (Op.Variable, 11, 13, StorageClass.PushConstant),
    (Op.Constant, UINT, 14, 1),
]
PUSH_OFFSETS: list[Line] = [
    (Op.MemberDecorate, 10, 0, Decoration.Offset, 0),
    (Op.MemberDecorate, 10, 1, Decoration.Offset, 16),
    (Op.Decorate, 10, Decoration.Block),
]


def test_loading_a_whole_block_accesses_nothing() -> None:
    assert of(PUSH, [(Op.Load, 10, 20, 13)], decorations=PUSH_OFFSETS).push_constants is None


@pytest.mark.parametrize(
    "access",
    [
        (Op.AccessChain, 12, 20, 13, 14),
        (Op.InBoundsAccessChain, 12, 20, 13, 14),
        (Op.PtrAccessChain, 12, 20, 13, 14, 14),
        (Op.InBoundsPtrAccessChain, 12, 20, 13, 14, 14),
    ],
)
def test_every_kind_of_access_counts(access: Line) -> None:
    pushed = of(PUSH, [access], decorations=PUSH_OFFSETS).push_constants
    assert pushed is not None and pushed.size == 16
    assert [m.name for m in pushed.members] == ["."]  # names are equal, and the first is kept


def test_an_access_of_something_else_does_not_count() -> None:
    chain = [(Op.AccessChain, 11, 20, 13), (Op.AccessChain, 12, 21, 20, 14)]
    assert of(PUSH, chain, decorations=PUSH_OFFSETS).push_constants is None


def test_functions_that_call_each_other_end() -> None:
    calls = [(Op.FunctionCall, VOID, 21, MAIN), (Op.AccessChain, 12, 20, 13, 14)]
    pushed = of(PUSH, calls, decorations=PUSH_OFFSETS).push_constants
    assert pushed is not None and pushed.size == 16


UBO: list[Line] = [
    (Op.TypeStruct, 10, VEC4),
    (Op.TypePointer, 11, StorageClass.Uniform, 10),
    (Op.Variable, 11, 13, StorageClass.Uniform),
]
UBO_OFFSETS: list[Line] = [
    (Op.MemberDecorate, 10, 0, Decoration.Offset, 0),
    (Op.Decorate, 10, Decoration.Block),
]


def test_a_resource_without_a_place_is_at_binding_0_of_set_0() -> None:
    found = of(UBO, decorations=UBO_OFFSETS).sets
    assert found == (DescriptorSet(0, (Binding(0, 6, 1),)),)


@pytest.mark.parametrize(
    ("version", "interface", "listed"),
    [
        (0x10000, (), True),
        (0x10300, (), True),
        (0x10400, (), False),
        (0x10600, (), False),
        (0x10600, (13,), True),
    ],
)
def test_from_1_4_on_only_the_interface_counts(
    version: int, interface: tuple[int, ...], listed: bool
) -> None:
    found = of(UBO, decorations=UBO_OFFSETS, version=version, interface=interface)
    assert bool(found.sets) == listed


def test_an_input_without_a_location_is_at_0() -> None:
    pointer, variable = (Op.TypePointer, 11, StorageClass.Input, VEC4), (Op.Variable, 11, 13, 1)
    assert of([pointer, variable]).inputs == (Input(0, 109),)


def test_a_builtin_input_is_left_out() -> None:
    pointer, variable = (Op.TypePointer, 11, StorageClass.Input, VEC4), (Op.Variable, 11, 13, 1)
    marks = [(Op.Decorate, 13, Decoration.BuiltIn, 15)]
    assert of([pointer, variable], decorations=marks).inputs == ()


def test_an_image_of_a_rectangle_has_its_dimension() -> None:
    image: list[Line] = [
        (Op.TypeImage, 10, FLOAT, Dim.Rect, 0, 0, 0, 1, 0),
        (Op.TypePointer, 11, StorageClass.UniformConstant, 10),
        (Op.Variable, 11, 13, StorageClass.UniformConstant),
    ]
    assert of(image).sets[0].bindings == (Binding(0, 2, 1, 4, 8),)


def test_the_local_size_comes_from_the_mode() -> None:
    mode: list[Line] = [(Op.ExecutionMode, MAIN, ExecutionMode.LocalSize, 3, 2, 1)]
    found = of([], model=ExecutionModel.GLCompute, decorations=mode)
    assert (found.stage, found.local_size) == (Stage.COMPUTE, (3, 2, 1))


DEEP = 200

#: A struct of two structs of two structs ...: more members than there are atoms.
EXPLODING: list[Line] = [
    (Op.TypeStruct, 100, VEC4, VEC4),
    *((Op.TypeStruct, 101 + i, 100 + i, 100 + i) for i in range(DEEP)),
    (Op.TypePointer, 11, StorageClass.PushConstant, 100 + DEEP),
    (Op.TypePointer, 12, StorageClass.PushConstant, VEC4),
    (Op.Variable, 11, 13, StorageClass.PushConstant),
    (Op.Constant, UINT, 14, 0),
]
EXPLODING_OFFSETS: list[Line] = [
    *((Op.MemberDecorate, 100 + i, 0, Decoration.Offset, 0) for i in range(DEEP + 1)),
    *((Op.MemberDecorate, 100 + i, 1, Decoration.Offset, 16) for i in range(DEEP + 1)),
]
EXPLODING_NAMES: list[Line] = [
    (Op.MemberName, 100 + i, m, *text_words("ab"[m])) for i in range(DEEP + 1) for m in (0, 1)
]


def test_more_members_than_a_file_can_count_are_an_error() -> None:
    marks = [*EXPLODING_NAMES, *EXPLODING_OFFSETS]
    with pytest.raises(LumaError, match="E0844"):
        of(EXPLODING, [(Op.AccessChain, 12, 20, 13, 14)], decorations=marks)


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"no SPIR-V at all", "are not a SPIR-V module"),
        (module([], entries=0), "0 entry points"),
        (module([], entries=2), "2 entry points"),
        (module([], model=ExecutionModel.Geometry), "only vertex, fragment and compute"),
        (module([], model=ExecutionModel.GLCompute), "no workgroup size"),
        (module([(Op.Variable, 99, 13, StorageClass.Uniform)]), "not a type"),
        (module([(Op.Variable, FLOAT, 13, StorageClass.Uniform)]), "not a pointer"),
        (
            module(
                [
                    (Op.TypeArray, 10, 10, 14),
                    (Op.TypePointer, 11, 2, 10),
                    (Op.Variable, 11, 13, 2),
                ]
            ),
            "array of itself",
        ),
        (
            module(
                [(Op.TypeVector, 10, 10, 4), (Op.TypePointer, 11, 1, 10), (Op.Variable, 11, 13, 1)]
            ),
            "never end",
        ),
        (module(PUSH, [(Op.AccessChain, 12, 20, 13, 14)]), "has no offset"),
    ],
)
def test_what_makes_no_sense_is_refused(data: bytes, told: str) -> None:
    with pytest.raises(LumaError, match="E0843") as caught:
        reflect(data)
    assert told in str(caught.value)
