"""The text form of the IR: it comes back equal, and bad text is an error that names its line."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from luma.frontend.typed import Access, Unroll
from luma.ir.module import (
    Block,
    Branch,
    CondBranch,
    Discard,
    EntryPoint,
    Function,
    FunctionParam,
    Global,
    Instr,
    IOVariable,
    Loop,
    Module,
    Param,
    Return,
    SpecConstant,
    Unreachable,
)
from luma.ir.text import parse_module, print_module
from luma.ir.verify import verify
from luma.language.stages import Stage
from luma.language.types import (
    BOOL,
    FLOAT,
    INT,
    UINT,
    VOID,
    Array,
    Dim,
    Field,
    Matrix,
    Pointer,
    Sampler,
    Space,
    Struct,
    Texture,
    Vector,
)
from tests.ir.random_ir import random_module

VEC3 = Vector(FLOAT, 3)

SAMPLE = """\
struct Light { position: vec3, intensity: float }
struct Scene { lights: [2]Light, rest: [4][2]mat2x3 }

uniform @scene: Scene group(0) binding(0)
handle @t_tex: texture2D group(0) binding(1) combined("t")
handle @t_samp: sampler group(0) binding(2) combined("t")
storage @out: []float read_write group(1) binding(0)
workgroup @tile: [64]int read_write

spec @N: int id(0) = 4
spec @Fast: bool id(7) = true

entry fragment main = @main {
  in "uv": vec2 location(0)
  in "id": int location(1) interpolation(flat)
  out "color": vec4 location(0)
}

entry compute "odd name" = @"odd name" workgroup(8, 8, 1) early_depth {
}

function @light(%0 "n": vec3, %1 "t_tex": texture2D combined("t")) -> (float) {
b0:
  %2: int = const 0
  %3 "scene": ptr<uniform, Scene> = global @scene
  %4: ptr<uniform, float> = access [0, ., 1] %3, %2
  %5: float = load %4
  br b1(%2, %5)
b1(%6 "i": int, %7: float): loop merge b4 continue b3 unroll 4
  %8: int = spec @N
  %9: bool = lt %6, %8
  cond_br %9 b2(), b4()
b2:
  %10: float = const -inf
  %11: float = const 1e-45
  store %4, %11
  %12 = workgroup_barrier
  br b3()
b3:
  %13: int = add %6, %2
  br b1(%13, %7)
b4:
  %14: vec2 = shuffle [0, 1] %0
  cond_br %9 b5(), b6() merge b7
b5:
  discard
b6:
  return %7
b7:
  unreachable
}
"""


def test_text_comes_back_the_same() -> None:
    assert print_module(parse_module(SAMPLE)) == SAMPLE


def everything() -> Module:
    """A module that uses every part of the form; it need not make sense."""
    light = Struct("Light", (Field("position", VEC3), Field("odd name", Array(Matrix(2, 3), 2))))
    scene = Struct("odd struct", (Field("lights", Array(light, None)),))
    blocks = (
        Block(
            0,
            (),
            (
                Instr(2, "const", FLOAT, (), (-0.0,)),
                Instr(3, "const", FLOAT, (), (math.inf,)),
                Instr(4, "const", INT, (), (-(1 << 31),)),
                Instr(5, "const", BOOL, (), (False,)),
                Instr(6, "const", FLOAT, (), (1,)),
                Instr(7, "access", Pointer(Space.STORAGE, FLOAT), (0, 4), (0, None, 2)),
                Instr(-1, "store", VOID, (7, 3)),
                Instr(8, "call", VOID, (), ("odd name",)),
                Instr(9, "global", Pointer(Space.UNIFORM, scene), (), ("inf",)),
            ),
            Branch(1, (4,)),
        ),
        Block(
            1,
            (Param(10, INT),),
            (),
            CondBranch(5, Branch(2, (4, 4)), Branch(3), None),
            Loop(3, 2, Unroll.FULL),
        ),
        Block(2, (Param(11, INT), Param(12, INT)), (), Branch(1, (11,)), None),
        Block(3, (), (), CondBranch(5, Branch(4), Branch(5), 6), None),
        Block(4, (), (), Return((2, 3)), None),
        Block(5, (), (), Discard(), None),
        Block(6, (), (), Unreachable(), None),
    )
    params = (FunctionParam(0, "p", light), FunctionParam(1, "t", Texture(Dim.CUBE, True), "t"))
    names = {0: "p", 1: "t", 2: 'quote " and \\', 11: "naïve", 8: "x"}
    return Module(
        (scene, light),
        (
            Global("inf", scene, Space.UNIFORM, Access.READ, 0, 3),
            Global("s p", Sampler(True), Space.HANDLE, Access.READ, 1, 4, "s p"),
            Global("pc", light, Space.PUSH_CONSTANT),
            Global("b", Array(UINT, None), Space.STORAGE, Access.WRITE, 0, 4),
        ),
        (SpecConstant("S", FLOAT, 3, 0.1),),
        (Function("odd name", params, (FLOAT, FLOAT), blocks, names),),
        (
            EntryPoint(
                "nan",
                Stage.VERTEX,
                "odd name",
                (IOVariable("bones[1]", VEC3, 3, None, "flat"),),
                (IOVariable("position", VEC3, None, "position"),),
                (4, 2, 1),
                True,
            ),
        ),
    )


def test_every_part_comes_back() -> None:
    module = everything()
    text = print_module(module)
    back = parse_module(text)
    assert back == module
    assert print_module(back) == text
    assert dict(back.functions[0].names) == {2: 'quote " and \\', 11: "naïve", 0: "p", 1: "t"}
    zero = next(i for i in back.functions[0].instructions() if i.id == 2).imm[0]
    assert repr(zero) == "-0.0"


@pytest.mark.parametrize("value", [math.nan, 3.4028234663852886e38, 1.401298464324817e-45, 1e22])
def test_float_constants_keep_their_bits(value: float) -> None:
    block = Block(0, (), (Instr(0, "const", FLOAT, (), (value,)),), Return((0,)))
    text = print_module(Module((), (), (), (Function("f", (), (FLOAT,), (block,)),), ()))
    found = parse_module(text).functions[0].blocks[0].instrs[0].imm[0]
    assert repr(found) == repr(value)


@given(seed=st.integers(0, 2**32), size=st.integers(1, 80))
@settings(max_examples=40, deadline=None)
def test_random_modules_come_back(seed: int, size: int) -> None:
    module = random_module(seed, size)
    assert verify(module) == []
    text = print_module(module)
    back = parse_module(text)
    assert back == module
    assert print_module(back) == text


@given(seed=st.integers(0, 2**32), data=st.data())
@settings(max_examples=60, deadline=None)
def test_broken_text_is_a_value_error_or_a_module(seed: int, data: st.DataObject) -> None:
    """Whatever a character is changed to, the parser and the verifier do not fall over."""
    text = print_module(random_module(seed % 50, 12))
    at = data.draw(st.integers(0, len(text) - 1))
    put = data.draw(st.sampled_from(["", " ", "%", "9", "b0", "(", '"', ",", "\n", "-", "[", "."]))
    try:
        module = parse_module(text[:at] + put + text[at + 1 :])
    except ValueError as error:
        assert str(error).startswith("line ")
        return
    assert all(isinstance(problem, str) for problem in verify(module))


def test_empty_module() -> None:
    assert parse_module(print_module(Module((), (), (), (), ()))) == Module((), (), (), (), ())


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("struct S { s: S }", "line 1: .*holds itself"),
        ("struct S { x: float }\nstruct S { }", "line 2"),
        ("uniform @u: vec9", "line 1: expected a type, found 'vec9'"),
        ("\n\nfunction @f() {\nb0:\n  %0: float = const\n  return\n}", "line 5: expected a const"),
        ("function @f() {\nb0:\n  br c1()\n}", "line 3: expected a block"),
        ("function @f() {\nb0:\n  return %1,\n}", "line 3: expected a value"),
        ("function @f() {\nb0:\n  store %1 %2\n}", "line 3: expected the end of the line"),
        ("function @f() {\nb0:\n", "the text ends"),
        ("spec @N: int id(0) = .", "line 1"),
        ("entry mesh m = @m {\n}", "line 1: expected a stage"),
        ("what", "line 1"),
        ("uniform @u: " + "[1]" * 500 + "float", "line 1: expected a type less deeply"),
        ('function @f(%0 "\\q": float) {\n}', "line 1"),
        ("uniform ~u", "line 1: cannot read '~u'"),
    ],
)
def test_bad_text_is_an_error_with_its_line(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        parse_module(text)
