"""Entry points, stage inputs and outputs, textures, constants and debug information in SPIR-V."""

from __future__ import annotations

import math
import struct

import numpy as np
import pytest
from luma.backends import EmitOptions
from luma.backends.spirv import BACKEND
from luma.backends.spirv.grammar import BuiltIn, Capability, Decoration, ExecutionMode, Op

from luma.ir.module import Module
from luma.ir.text import parse_module
from luma.source import Source, Span
from tests.backends.spirv_support import assemble, opcode_counts
from tests.harness.jobs import Dispatch, Draw, Image, Resources, SamplerState, Storage
from tests.harness.spirv_reader import instructions
from tests.harness.worker import Driver


def decorations(binary: bytes) -> list[tuple[int, ...]]:
    return [words[1:] for op, words in instructions(binary) if op == Op.Decorate]


def capabilities(binary: bytes) -> set[int]:
    return {words[0] for op, words in instructions(binary) if op == Op.Capability}


def modes(binary: bytes) -> list[tuple[int, ...]]:
    return [words[1:] for op, words in instructions(binary) if op == Op.ExecutionMode]


# ---------------------------------------------------------------- stages

PIPELINE = """\
entry vertex transform = @transform {
  in "corner": vec2 location(0)
  in "vertex": int builtin(vertex_id)
  in "instance": int builtin(instance_id)
  out "position": vec4 builtin(position)
  out "uv": vec2 location(0)
  out "id": uvec2 location(3) interpolation(flat)
  out "size": float builtin(point_size)
}
entry fragment shade = @shade early_depth {
  in "uv": vec2 location(0) interpolation(noperspective)
  in "id": uvec2 location(3) interpolation(flat)
  in "coord": vec4 builtin(frag_coord)
  in "front": bool builtin(front_facing)
  out "color": vec4 location(0)
  out "depth": float builtin(frag_depth)
}
function @transform(%0 "corner": vec2, %1 "vertex": int, %2 "instance": int)
  -> (vec4, vec2, uvec2, float) {
b0:
  %3: float = const 0.0
  %4: float = const 1.0
  %5: vec4 = construct %0, %3, %4
  %6: uint = convert %1
  %7: uint = convert %2
  %8: uvec2 = construct %6, %7
  return %5, %0, %8, %4
}
function @shade(%0 "uv": vec2, %1 "id": uvec2, %2 "coord": vec4, %3 "front": bool)
  -> (vec4, float) {
b0:
  %4: uint = extract [0] %1
  %5: float = convert %4
  %6: float = extract [0] %2
  %7: float = const 0.25
  %8: float = const 0.75
  %9: float = select %3, %7, %8
  %10: float = dfdx %6
  %11: vec4 = construct %5, %6, %9, %10
  return %11, %7
}
""".replace("\n  ->", " ->")


def test_pipeline_in_one_module(driver: Driver) -> None:
    binary = assemble(PIPELINE)
    found = decorations(binary)
    assert found.count((Decoration.Flat,)) == 1  # on the fragment's input only
    assert found.count((Decoration.NoPerspective,)) == 1
    assert (Decoration.BuiltIn, BuiltIn.VertexIndex) in found
    assert modes(binary) == [
        (ExecutionMode.OriginUpperLeft,),
        (ExecutionMode.EarlyFragmentTests,),
        (ExecutionMode.DepthReplacing,),
    ]
    corners = np.array([[-1, -1], [3, -1], [-1, 3]], np.float32)
    job = Draw("transform", "shade", (4, 4), attributes={0: corners}, instances=2)
    colour = np.asarray(driver.run(job, (binary, binary))[0])
    assert colour[1, :, 1].tolist() == [0.5, 1.5, 2.5, 3.5]
    assert set(colour[..., 2].flat) <= {0.25, 0.75}
    assert set(colour[..., 3].flat) == {1.0}


def test_builtin_inputs_ask_for_their_capabilities() -> None:
    text = """\
entry fragment main = @main {
  in "sample": int builtin(sample_id)
  in "primitive": int builtin(primitive_id)
  out "color": ivec2 location(0)
}
function @main(%0 "sample": int, %1 "primitive": int) -> (ivec2) {
b0:
  %2: ivec2 = construct %0, %1
  return %2
}
"""
    binary = assemble(text)
    assert {Capability.SampleRateShading, Capability.Geometry} <= capabilities(binary)
    unused = text.replace("construct %0, %1", "construct %2, %2").replace("%2: ivec2", "%3: ivec2")
    unused = unused.replace("b0:\n", "b0:\n  %2: int = const 1\n").replace("return %2", "return %3")
    assert capabilities(assemble(unused)) == {Capability.Shader}


def test_compute_inputs(driver: Driver) -> None:
    text = """\
storage @out: []uint read_write group(0) binding(0)
entry compute main = @main workgroup(2, 3, 1) {
  in "global": uvec3 builtin(global_invocation_id)
  in "local": uvec3 builtin(local_invocation_id)
  in "group": uvec3 builtin(workgroup_id)
  in "groups": uvec3 builtin(num_workgroups)
  in "index": uint builtin(local_invocation_index)
}
function @main(%0 "g": uvec3, %1 "l": uvec3, %2 "w": uvec3, %3 "n": uvec3, %4 "i": uint) {
b0:
  %5: uint = extract [0] %2
  %6: uint = const 6
  %7: uint = mul %5, %6
  %8: uint = add %7, %4
  %9: uint = extract [0] %0
  %10: uint = extract [1] %1
  %11: uint = extract [0] %3
  %12: uint = const 100
  %13: uint = mul %10, %12
  %14: uint = add %9, %13
  %15: uint = const 1000
  %16: uint = mul %11, %15
  %17: uint = add %14, %16
  %18: ptr<storage, []uint> = global @out
  %19: ptr<storage, uint> = access [.] %18, %8
  store %19, %17
  return
}
"""
    job = Dispatch("main", (2, 1, 1), {(0, 0): Storage(bytes(48))})
    out = driver.run(job, (assemble(text),))[0, 0]
    assert isinstance(out, bytes)
    wanted = [2000 + 2 * g + i % 2 + 100 * (i // 2) for g in (0, 1) for i in range(6)]
    assert list(struct.unpack("12I", out)) == wanted


# ---------------------------------------------------------------- textures

SHAPES = {"2D": ("vec2", "ivec2"), "3D": ("vec3", "ivec3"), "Cube": ("vec3", "ivec2"),
          "2DArray": ("vec3", "ivec3")}  # fmt: skip


@pytest.mark.parametrize("shape", SHAPES)
def test_every_way_to_sample(shape: str) -> None:
    """One module per shape: handles as parameters, used twice, in two blocks."""
    coord, size = SHAPES[shape]
    grad = "vec3" if shape in ("3D", "Cube") else "vec2"
    texel = "ivec3" if coord == "vec3" else "ivec2"
    fetch = shape != "Cube"
    text = f"""\
handle @t: texture{shape} group(0) binding(0)
handle @s: sampler group(0) binding(1)
entry fragment main = @main {{
  in "c": {coord} location(0)
  in "g": {grad} location(1)
  in "x": {texel} location(2) interpolation(flat)
  out "color": vec4 location(0)
}}
function @all(%0 "t": texture{shape}, %1 "s": sampler, %2 "c": {coord}, %3 "g": {grad},
 %4 "x": {texel}) -> (vec4) {{
b0:
  %5: float = const 1.5
  %6: vec4 = sample %0, %1, %2
  %7: vec4 = sample_bias %0, %1, %2, %5
  %8: vec4 = sample_level %0, %1, %2, %5
  %9: vec4 = sample_grad %0, %1, %2, %3, %3
  %10: int = const 0
  %11: {size} = texture_size %0, %10
  %12: int = extract [1] %11
  %13: float = convert %12
  %14: vec4 = splat %13
  %15: vec4 = add %6, %7
  %16: vec4 = add %8, %9
  %17: vec4 = add %15, %16
  %18: vec4 = mul %17, %14
  {"%19: vec4 = texel_fetch %0, %4, %10" if fetch else "%19: vec4 = sqrt %18"}
  %20: vec4 = add %18, %19
  return %20
}}
function @main(%0 "c": {coord}, %1 "g": {grad}, %2 "x": {texel}) -> (vec4) {{
b0:
  %3: texture{shape} = global @t
  %4: sampler = global @s
  %5: vec4 = call @all %3, %4, %0, %1, %2
  %6: float = extract [0] %0
  %7: float = const 0.5
  %8: bool = lt %6, %7
  cond_br %8 b1(), b2(%5) merge b2
b1:
  %9: vec4 = sample_level %3, %4, %0, %7
  br b2(%9)
b2(%10: vec4):
  return %10
}}
""".replace("\n %4 ", " %4 ")
    binary = assemble(text)
    counts = opcode_counts(binary)
    assert counts[Op.ImageSampleImplicitLod] == 2
    assert counts[Op.ImageSampleExplicitLod] == 3
    assert counts[Op.SampledImage] == 2  # one a block
    assert Capability.ImageQuery in capabilities(binary)


SHADOW = """\
handle @t: textureDepth2D group(0) binding(0)
handle @s: samplerShadow group(0) binding(1)
storage @out: [2]float read_write group(0) binding(2)
entry compute main = @main {
}
entry fragment shade = @shade {
  in "uv": vec2 location(0)
  out "light": float location(0)
}
function @lit(%0 "t": textureDepth2D, %1 "s": samplerShadow, %2 "uv": vec2, %3 "z": float)
  -> (float) {
b0:
  %4: float = sample_compare %0, %1, %2, %3
  return %4
}
function @main() {
b0:
  %1: textureDepth2D = global @t
  %2: samplerShadow = global @s
  %3: float = const 0.75
  %4: vec2 = splat %3
  %5: float = const 0.5
  %6: float = call @lit %1, %2, %4, %5
  %7: ptr<storage, [2]float> = global @out
  %8: ptr<storage, float> = access [0] %7
  store %8, %6
  %9: float = call @lit %1, %2, %4, %3
  %10: ptr<storage, float> = access [1] %7
  store %10, %9
  return
}
function @shade(%0 "uv": vec2) -> (float) {
b0:
  %1: textureDepth2D = global @t
  %2: samplerShadow = global @s
  %3: float = extract [0] %0
  %4: float = call @lit %1, %2, %0, %3
  return %4
}
""".replace("\n  ->", " ->")


def test_depth_comparison_in_two_kinds_of_stages(driver: Driver) -> None:
    """The shared function is written twice: with derivatives, and at level 0."""
    binary = assemble(SHADOW)
    counts = opcode_counts(binary)
    assert counts[Op.ImageSampleDrefImplicitLod] == 1
    assert counts[Op.ImageSampleDrefExplicitLod] == 1
    depth = np.array([[0.1, 0.2], [0.3, 0.6]], np.float32)
    resources: Resources = {
        (0, 0): Image((depth,), depth=True),
        (0, 1): SamplerState(linear=False, compare="less"),
        (0, 2): Storage(bytes(8)),
    }
    out = driver.run(Dispatch("main", (1, 1, 1), resources), (binary,))[0, 2]
    assert isinstance(out, bytes)
    assert struct.unpack("2f", out) == (1.0, 0.0)


# ---------------------------------------------------------------- constants

CONSTANTS = """\
spec @N: int id(3) = -4
spec @X: float id(4) = 1.5
spec @On: bool id(5) = true
spec @U: uint id(6) = 7
storage @out: [12]float read_write group(0) binding(0)
entry compute main = @main {
}
function @main() {
b0:
  %1: ptr<storage, [12]float> = global @out
  %2: int = spec @N
  %3: float = convert %2
  %4: float = spec @X
  %5: float = add %3, %4
  %6: bool = spec @On
  %7: uint = spec @U
  %8: float = convert %7
  %9: float = select %6, %5, %8
  %10: ptr<storage, float> = access [0] %1
  store %10, %9
"""


def test_specialization(driver: Driver) -> None:
    binary = assemble(CONSTANTS + "  return\n}\n")
    for spec, wanted in (({}, -2.5), ({3: 10}, 11.5), ({4: 0.5, 5: True}, -3.5), ({5: False}, 7)):
        job = Dispatch("main", (1, 1, 1), {(0, 0): Storage(bytes(48))}, spec=spec)
        out = driver.run(job, (binary,))[0, 0]
        assert isinstance(out, bytes)
        assert struct.unpack("f", out[:4]) == (wanted,)


SPECIAL_FLOATS = (
    ("-0.0", 0x80000000),
    ("inf", 0x7F800000),
    ("-inf", 0xFF800000),
    ("1.401298464324817e-45", 1),
    ("3.4028234663852886e+38", 0x7F7FFFFF),
    ("0.10000000149011612", 0x3DCCCCCD),
)


def test_floats_by_their_bits(driver: Driver) -> None:
    lines = []
    for at, (text, _) in enumerate(SPECIAL_FLOATS):
        lines += [
            f"  %{100 + 2 * at}: float = const {text}",
            f"  %{101 + 2 * at}: ptr<storage, float> = access [{at}] %1",
            f"  store %{101 + 2 * at}, %{100 + 2 * at}",
        ]
    binary = assemble(CONSTANTS + "\n".join(lines) + "\n  return\n}\n")
    job = Dispatch("main", (1, 1, 1), {(0, 0): Storage(bytes(48))})
    out = driver.run(job, (binary,))[0, 0]
    assert isinstance(out, bytes)
    wanted = tuple(bits for _, bits in SPECIAL_FLOATS)
    assert struct.unpack("6I", out[:24])[: len(wanted)] == wanted


def test_nan_is_a_constant() -> None:
    binary = assemble(CONSTANTS + "  %90: float = const nan\n  store %10, %90\n  return\n}\n")
    found = [w for op, w in instructions(binary) if op == Op.Constant]
    assert any(math.isnan(struct.unpack("f", struct.pack("I", w[2]))[0]) for w in found)


def test_composites_of_constants_are_constants() -> None:
    """Each once, whatever they are made of; all zero is null; only -0.0 is not zero."""
    text = """\
struct S { v: vec4, a: [2]vec2 }
storage @out: S read_write group(0) binding(0)
entry compute main = @main {
}
function @main() {
b0:
  %1: ptr<storage, S> = global @out
  %2: float = const 0.0
  %3: float = const -0.0
  %4: float = const 2.0
  %5: vec2 = construct %2, %4
  %6: vec2 = construct %2, %4
  %7: vec4 = construct %5, %6
  %8: ptr<storage, vec4> = access [0] %1
  store %8, %7
  %9: vec4 = splat %2
  store %8, %9
  %10: vec4 = splat %3
  store %8, %10
  %11: vec4 = construct %2, %4, %2, %4
  store %8, %11
  return
}
"""
    counts = opcode_counts(assemble(text))
    assert counts[Op.ConstantComposite] == 2
    assert counts[Op.ConstantNull] == 1
    assert counts[Op.CompositeConstruct] == 0


# ---------------------------------------------------------------- debug, errors


def test_names_and_lines_only_when_asked() -> None:
    import dataclasses

    text = "first line\nsecond line\n"
    source = Source.plain(text, "shader.luma")
    plain = assemble(PIPELINE)
    assert not {Op.Name, Op.MemberName, Op.Source, Op.String, Op.Line} & set(opcode_counts(plain))
    module = parse_module(PIPELINE)
    spans = {5: Span(0, 5), 6: Span(0, 3), 8: Span(11, 15)}
    shaded = (dataclasses.replace(module.functions[0], spans=spans), *module.functions[1:])
    module = dataclasses.replace(module, functions=shaded)
    output = BACKEND.emit(module, EmitOptions(debug=True, source=source)).output
    from tests.harness.validators import validate_spirv

    validate_spirv(output)
    lines = [words[1:] for op, words in instructions(output) if op == Op.Line]
    assert lines == [(1, 1), (2, 1)]
    assert b"shader.luma" in output and b"second line" in output
    assert b"transform" in output and b"corner" in output


def test_no_entry_point_is_an_error() -> None:
    emitted = BACKEND.emit(Module((), (), (), (), ()), EmitOptions())
    assert [d.code for d in emitted.diagnostics] == ["E0803"]


BIG_VALUE = """\
uniform @u: [70000]float group(0) binding(0)
storage @out: [70000]float read_write group(0) binding(1)
entry compute main = @main {
}
function @main() {
b0:
  %1: ptr<uniform, [70000]float> = global @u
  %2: [70000]float = load %1
  %3: ptr<storage, [70000]float> = global @out
  store %3, %2
  return
}
"""

MANY_FIELDS = f"""\
struct S {{ {", ".join(f"f{i}: int" for i in range(16_384))} }}
uniform @u: S group(0) binding(0)
entry compute main = @main {{
}}
function @main() {{
b0:
  %1: ptr<uniform, S> = global @u
  %2: S = load %1
  %3: int = extract [0] %2
  %4: ptr<function, int> = local
  store %4, %3
  return
}}
"""

MANY_PARAMETERS = f"""\
entry compute main = @main {{
}}
function @f({", ".join(f'%{i} "p": int' for i in range(256))}) {{
b0:
  return
}}
function @main() {{
b0:
  %1: int = const 0
  %2 = call @f {", ".join(["%1"] * 256)}
  return
}}
"""


@pytest.mark.parametrize("text", [BIG_VALUE, MANY_FIELDS, MANY_PARAMETERS])
def test_what_is_beyond_the_limits_is_an_error(text: str) -> None:
    emitted = BACKEND.emit(parse_module(text), EmitOptions())
    assert [d.code for d in emitted.diagnostics] == ["E0701"]


def test_halves_cross_stages_and_have_derivatives() -> None:
    """Derivatives exist in 32 bits only, so a half's is taken of the widened value."""
    text = """\
entry fragment main = @main {
  in "c": hvec2 location(0)
  out "color": hvec2 location(0)
}
function @main(%0 "c": hvec2) -> (hvec2) {
b0:
  %1: hvec2 = dfdx %0
  %2: hvec2 = dfdy %0
  %3: hvec2 = fwidth %0
  %4: hvec2 = add %1, %2
  %5: hvec2 = add %3, %4
  return %5
}
"""
    binary = assemble(text)
    assert opcode_counts(binary)[Op.FConvert] == 6
    assert {Capability.Float16, Capability.StorageInputOutput16} <= capabilities(binary)
