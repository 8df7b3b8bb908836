"""The memory layout that GLSL's rules give is, byte for byte, the one that Luma promises."""

from __future__ import annotations

import random

import pytest
from luma.backends import EmitOptions
from luma.backends.glsl import BACKEND
from luma.backends.spirv.grammar import Decoration, Op

from luma.frontend.typed import Access
from luma.ir.module import Block, EntryPoint, Function, Global, Module, Return
from luma.language.layout import Layout, Rules, layout, rules_for
from luma.language.stages import Stage
from luma.language.types import (
    BOOL,
    FLOAT,
    HALF,
    INT,
    UINT,
    Array,
    Field,
    Matrix,
    Space,
    Struct,
    Type,
    Vector,
)
from tests.harness.spirv_reader import instructions
from tests.harness.validators import glsl_to_spirv

SCALARS = (BOOL, INT, UINT, FLOAT, HALF)
LEAVES: tuple[Type, ...] = (
    *SCALARS,
    *(Vector(s, n) for s in SCALARS for n in (2, 3, 4)),
    *(Matrix(c, r) for c in (2, 3, 4) for r in (2, 3, 4)),
)


class Spirv:
    """The types and layout decorations of a SPIR-V module."""

    def __init__(self, binary: bytes) -> None:
        self.types: dict[int, tuple[int, tuple[int, ...]]] = {}
        self.offsets: dict[tuple[int, int], int] = {}
        self.matrix_strides: dict[tuple[int, int], int] = {}
        self.strides: dict[int, int] = {}
        self.blocks: list[int] = []
        for op, words in instructions(binary):
            match op:
                case Op.MemberDecorate if words[2] == Decoration.Offset:
                    self.offsets[words[0], words[1]] = words[3]
                case Op.MemberDecorate if words[2] == Decoration.MatrixStride:
                    self.matrix_strides[words[0], words[1]] = words[3]
                case Op.Decorate if words[1] == Decoration.ArrayStride:
                    self.strides[words[0]] = words[2]
                case Op.Decorate if words[1] in (Decoration.Block, Decoration.BufferBlock):
                    self.blocks.append(words[0])
                case Op.TypeArray | Op.TypeRuntimeArray | Op.TypeStruct:
                    self.types[words[0]] = op, words[1:]

    def check(self, made: int, t: Type, rules: Rules, matrix_stride: int | None) -> None:
        """Compare the layout of a type with Luma's."""
        wanted: Layout = layout(t, rules)
        match t:
            case Matrix():
                assert matrix_stride == wanted.stride
            case Array(elem=elem):
                assert self.strides[made] == wanted.stride
                self.check(self.types[made][1][0], elem, rules, matrix_stride)
            case Struct(fields=fields):
                members = self.types[made][1]
                assert len(members) == len(fields)
                for at, (member, field) in enumerate(zip(members, fields, strict=True)):
                    assert self.offsets[made, at] == wanted.offsets[at], field
                    self.check(member, field.type, rules, self.matrix_strides.get((made, at)))


def module_of(t: Type, space: Space) -> tuple[Module, Struct]:
    """A module with one block of a type, and the struct that its block is."""
    structs: list[Struct] = []
    gather(t, structs)
    place = (None, None) if space is Space.PUSH_CONSTANT else (0, 0)
    item = Global("data", t, space, Access.READ, *place)
    main = Function("main", (), (), (Block(0, (), (), Return()),))
    entry = EntryPoint("main", Stage.COMPUTE, "main", (), ())
    module = Module(tuple(structs), (item,), (), (main,), (entry,))
    return module, t if isinstance(t, Struct) else Struct("Wrapped", (Field("data", t),))


def gather(t: Type, found: list[Struct]) -> None:
    if isinstance(t, Array):
        gather(t.elem, found)
    elif isinstance(t, Struct) and t not in found:
        for field in t.fields:
            gather(field.type, found)
        found.append(t)


def check(t: Type, space: Space) -> None:
    module, block = module_of(t, space)
    text = BACKEND.emit(module, EmitOptions()).output.decode()
    spirv = Spirv(glsl_to_spirv(text, "compute"))
    (made,) = spirv.blocks
    spirv.check(made, block, rules_for(space), None)


def random_type(rng: random.Random, depth: int, count: list[int]) -> Type:
    kind = rng.random()
    if depth == 0 or kind < 0.5:
        return rng.choice(LEAVES)
    if kind < 0.7:
        return Array(random_type(rng, depth - 1, count), rng.randint(1, 3))
    return random_struct(rng, depth - 1, count)


def random_struct(rng: random.Random, depth: int, count: list[int]) -> Struct:
    fields = tuple(
        Field(f"m{at}", random_type(rng, depth, count)) for at in range(rng.randint(1, 5))
    )
    count[0] += 1
    return Struct(f"S{count[0]}", fields)


SPACES = (Space.UNIFORM, Space.STORAGE, Space.PUSH_CONSTANT)


@pytest.mark.parametrize("space", SPACES, ids=lambda s: s.value)
def test_every_leaf_is_followed_where_luma_says(space: Space) -> None:
    """Each type after a half and before a half; then arrays of each."""
    parts: list[Type] = [HALF]
    for leaf in LEAVES:
        parts += [leaf, HALF, Array(leaf, 2), HALF]
    check(Struct("All", tuple(Field(f"f{at}", t) for at, t in enumerate(parts))), space)


@pytest.mark.parametrize("space", SPACES, ids=lambda s: s.value)
@pytest.mark.parametrize("seed", range(12))
def test_random_structs(seed: int, space: Space) -> None:
    check(random_struct(random.Random(seed), 3, [0]), space)


@pytest.mark.parametrize("space", (Space.UNIFORM, Space.STORAGE))
@pytest.mark.parametrize("t", (FLOAT, BOOL, Vector(FLOAT, 3), Matrix(2, 3), Array(Matrix(3, 2), 2)))
def test_plain_values(t: Type, space: Space) -> None:
    check(t, space)


def test_runtime_arrays() -> None:
    item = Struct("Item", (Field("a", Vector(FLOAT, 3)), Field("b", HALF)))
    check(Array(item, None), Space.STORAGE)
    check(Array(Vector(FLOAT, 3), None), Space.STORAGE)
    tail = Struct("Tail", (Field("n", UINT), Field("items", Array(item, None))))
    check(tail, Space.STORAGE)


def test_a_struct_is_padded_before_what_follows() -> None:
    """The scalar after a struct does not slip into the struct's tail."""
    inner = Struct("Inner", (Field("v", Vector(FLOAT, 3)), Field("h", HALF)))
    outer = Struct("Outer", (Field("s", inner), Field("f", HALF), Field("t", inner)))
    for space in SPACES:
        check(outer, space)
