"""The interpreter: memory, stages, barriers, atomics, textures, limits."""

from __future__ import annotations

import math
import struct
from typing import Any

import numpy as np
import pytest

from luma.ir.interpret import (
    DivergentBarrier,
    FuelExhausted,
    InterpretError,
    MissingResource,
    Resources,
    Sampler,
    Texture,
    decode,
    encode,
    run_compute,
    run_fragment,
    run_function,
    run_vertex,
)
from luma.ir.module import Module
from luma.ir.text import parse_module
from luma.ir.verify import verify
from luma.language.types import (
    BOOL,
    FLOAT,
    HALF,
    INT,
    UINT,
    Array,
    Dim,
    Field,
    Matrix,
    Space,
    Struct,
    Type,
    Vector,
)
from tests.ir.random_ir import random_module, results

VEC2, VEC3 = Vector(FLOAT, 2), Vector(FLOAT, 3)


def module(text: str) -> Module:
    made = parse_module(text)
    assert verify(made) == []
    return made


def call(body: str, *args: Any, head: str, resources: Resources | None = None) -> Any:
    return run_function(module(f"{head} {{\n{body}\n}}"), "f", args, resources, fuel=100_000)


# ---------------------------------------------------------------- control flow

FACTORIAL = """
b0:
  %1: int = const 1
  br b1(%1, %1)
b1(%2: int, %3: int): loop merge b4 continue b3
  %4: bool = le %2, %0
  cond_br %4 b2(), b4()
b2:
  %5: int = mul %3, %2
  br b3()
b3:
  %6: int = add %2, %1
  br b1(%6, %5)
b4:
  return %3
"""


def test_loops_carry_values() -> None:
    head = 'function @f(%0 "n": int) -> (int)'
    assert [call(FACTORIAL, n, head=head) for n in (0, 1, 5, 13)] == [1, 1, 120, 1932053504]


def test_block_parameters_change_all_at_once() -> None:
    body = """
b0:
  %1: int = const 0
  %2: int = const 1
  %3: float = const 1.0
  %4: float = const 2.0
  br b1(%1, %3, %4)
b1(%5: int, %6: float, %7: float): loop merge b4 continue b3
  %8: bool = lt %5, %0
  cond_br %8 b2(), b4()
b2:
  br b3()
b3:
  %9: int = add %5, %2
  br b1(%9, %7, %6)
b4:
  %10: vec2 = construct %6, %7
  return %10
"""
    head = 'function @f(%0 "n": int) -> (vec2)'
    assert call(body, 3, head=head) == (2.0, 1.0)


def test_an_endless_loop_runs_out_of_fuel() -> None:
    body = """
b0:
  %0: bool = const true
  br b1()
b1: loop merge b3 continue b2
  cond_br %0 b2(), b3()
b2:
  br b1()
b3:
  return
"""
    with pytest.raises(FuelExhausted):
        call(body, head="function @f()")


def test_what_has_no_value_is_zero() -> None:
    body = """
b0:
  %1: int = div %0, %0
  %2: int = rem %0, %0
  %3: ptr<function, [3]int> = local
  %4: int = const 1
  %5: ptr<function, int> = access [.] %3, %4
  store %5, %4
  %6: int = const 7
  %7: ptr<function, int> = access [.] %3, %6
  store %7, %4
  %8: int = load %7
  %9: int = load %5
  %10: ivec4 = construct %1, %2, %8, %9
  return %10
"""
    assert call(body, 0, head='function @f(%0 "x": int) -> (ivec4)') == (0, 0, 0, 1)


# ---------------------------------------------------------------- memory

INNER = Struct("Inner", (Field("flag", BOOL), Field("v", VEC3)))
OUTER = Struct(
    "Outer",
    (
        Field("a", FLOAT),
        Field("m", Matrix(2, 2)),
        Field("items", Array(INNER, 2)),
        Field("weights", Array(FLOAT, 2)),
    ),
)
VALUE = (
    0.5,
    ((1.0, 2.0), (3.0, 4.0)),
    ((True, (1.0, 2.0, 3.0)), (False, (4.0, 5.0, 6.0))),
    (7.0, 8.0),
)


def test_layouts_of_uniform_and_storage_memory() -> None:
    uniform = encode(OUTER, VALUE, Space.UNIFORM)
    floats = [struct.unpack_from("<f", uniform, at)[0] for at in (0, 16, 20, 32, 64, 72, 112, 128)]
    assert floats == [0.5, 1.0, 2.0, 3.0, 1.0, 3.0, 7.0, 8.0]
    assert struct.unpack_from("<I", uniform, 48) == (1,)
    storage = encode(OUTER, VALUE)
    floats = [struct.unpack_from("<f", storage, at)[0] for at in (0, 8, 16, 48, 80, 96, 100)]
    assert floats == [0.5, 1.0, 3.0, 1.0, 4.0, 7.0, 8.0]
    for space in (Space.UNIFORM, Space.STORAGE):
        assert decode(OUTER, encode(OUTER, VALUE, space), space) == VALUE


@pytest.mark.parametrize(
    ("t", "value"),
    [
        (BOOL, True),
        (Vector(BOOL, 3), (True, False, True)),
        (UINT, 2**32 - 1),
        (INT, -(2**31)),
        (HALF, 65504.0),
        (Vector(HALF, 3), (1.0, -0.5, math.inf)),
        (Matrix(4, 3), tuple((float(c), 1.0, 2.0) for c in range(4))),
        (Array(Array(VEC3, 2), 2), (((1.0, 2.0, 3.0),) * 2,) * 2),
    ],
)
def test_values_come_back_from_memory(t: Type, value: Any) -> None:
    for space in (Space.UNIFORM, Space.STORAGE):
        assert decode(t, encode(t, value, space), space) == value


COPY = """
struct Inner { flag: bool, v: vec3 }
struct Outer { a: float, m: mat2, items: [2]Inner, weights: [2]float }
uniform @u: Outer group(0) binding(0)
storage @s: Outer read_write group(0) binding(1)
storage @list: []vec3 read_write group(0) binding(2)
push_constant @pc: Inner
spec @N: int id(3) = 4
entry compute main = @main {
}
function @main() {
b0:
  %0: ptr<uniform, Outer> = global @u
  %1: Outer = load %0
  %2: ptr<storage, Outer> = global @s
  store %2, %1
  %3: int = const 1
  %4: ptr<uniform, float> = access [2, ., 1, .] %0, %3, %3
  %5: float = load %4
  %6: ptr<storage, float> = access [1, ., 0] %2, %3
  store %6, %5
  %7: ptr<storage, []vec3> = global @list
  %8: int = array_length %7
  %9: float = convert %8
  %10: int = spec @N
  %11: float = convert %10
  %12: ptr<push_constant, Inner> = global @pc
  %13: ptr<push_constant, float> = access [1, 2] %12
  %14: float = load %13
  %15: vec3 = construct %9, %11, %14
  %16: ptr<storage, vec3> = access [.] %7, %3
  store %16, %15
  %17: int = const -1
  %18: ptr<storage, vec3> = access [.] %7, %17
  store %18, %15
  return
}
"""


def test_memory_of_every_space() -> None:
    shader = module(COPY)
    out, numbers = bytearray(112), bytearray(16 * 3)
    resources = Resources(
        buffers={"u": encode(OUTER, VALUE, Space.UNIFORM), (0, 1): out, "list": numbers},
        push_constants=encode(INNER, (False, (0.0, 0.0, 9.0))),
        constants={3: 11},
    )
    run_compute(shader, "main", (1, 1, 1), resources)
    a, m, items, weights = decode(OUTER, out)
    assert (a, items, weights) == (VALUE[0], VALUE[2], VALUE[3])
    assert m == ((1.0, 2.0), (5.0, 4.0))
    assert decode(Array(VEC3, 3), numbers) == ((0.0,) * 3, (3.0, 11.0, 9.0), (0.0,) * 3)
    resources.constants = {"N": 5}
    run_compute(shader, "main", (1, 1, 1), resources)
    assert decode(VEC3, numbers, offset=16) == (3.0, 5.0, 9.0)


def test_resources_that_do_not_fit() -> None:
    shader = module(COPY)
    uniform = encode(OUTER, VALUE, Space.UNIFORM)
    good: dict[Any, Any] = {"u": uniform, "s": bytearray(112), "list": bytearray(16)}
    for change, message in (
        ({"u": uniform[:64]}, "@u takes 132 bytes"),
        ({"s": bytes(112)}, "@s is written"),
        ({"list": None}, "no buffer for @list"),
    ):
        given = {k: v for k, v in (good | change).items() if v is not None}
        with pytest.raises(MissingResource, match=message):
            run_compute(shader, "main", (1, 1, 1), Resources(given, push_constants=bytes(32)))
    with pytest.raises(MissingResource, match="@pc takes 28 bytes"):
        run_compute(shader, "main", (1, 1, 1), Resources(good))


# ---------------------------------------------------------------- compute

SCAN = """
storage @data: []uint read_write group(0) binding(0)
workgroup @tile: [8]uint read_write
entry compute main = @main workgroup(8, 1, 1) {
  in "gid": uvec3 builtin(global_invocation_id)
  in "lid": uint builtin(local_invocation_index)
}
function @main(%0 "gid": uvec3, %1 "lid": uint) {
b0:
  %2: ptr<workgroup, [8]uint> = global @tile
  %3: ptr<storage, []uint> = global @data
  %4: uint = extract [0] %0
  %5: ptr<storage, uint> = access [.] %3, %4
  %6: uint = load %5
  %7: ptr<workgroup, uint> = access [.] %2, %1
  store %7, %6
  %8: uint = const 1
  %9: uint = const 8
  br b1(%8)
b1(%10 "step": uint): loop merge b6 continue b5
  %11: bool = lt %10, %9
  cond_br %11 b2(), b6()
b2:
  workgroup_barrier
  %12: bool = ge %1, %10
  %13: uint = sub %1, %10
  %14: ptr<workgroup, uint> = access [.] %2, %13
  %15: uint = load %7
  cond_br %12 b3(), b4(%15) merge b4
b3:
  %16: uint = load %14
  %17: uint = add %15, %16
  br b4(%17)
b4(%18: uint):
  workgroup_barrier
  store %7, %18
  br b5()
b5:
  %19: uint = add %10, %10
  br b1(%19)
b6:
  workgroup_barrier
  %20: uint = load %7
  store %5, %20
  return
}
"""


def test_barriers_keep_a_workgroup_in_step() -> None:
    data = bytearray(struct.pack("<16I", *range(1, 17)))
    run_compute(module(SCAN), "main", (2, 1, 1), Resources({"data": data}))
    values = np.frombuffer(bytes(data), np.uint32).reshape(2, 8)
    assert (values == np.cumsum(np.arange(1, 17).reshape(2, 8), axis=1)).all()


def test_a_barrier_that_not_all_reach_is_an_error() -> None:
    text = """
entry compute main = @main workgroup(2, 1, 1) {
  in "lid": uint builtin(local_invocation_index)
}
function @main(%0 "lid": uint) {
b0:
  %1: uint = const 0
  %2: bool = eq %0, %1
  cond_br %2 b1(), b2() merge b3
b1:
  workgroup_barrier
  br b3()
b2:
  br b3()
b3:
  return
}
"""
    with pytest.raises(DivergentBarrier):
        run_compute(module(text), "main")
    with pytest.raises(DivergentBarrier):
        run_compute(module(text.replace("b2:\n", "b2:\n  workgroup_barrier\n")), "main")


def test_barriers_inside_called_functions() -> None:
    text = """
storage @out: [4]uint read_write group(0) binding(0)
workgroup @tile: [4]uint read_write
entry compute main = @main workgroup(4, 1, 1) {
  in "lid": uint builtin(local_invocation_index)
}
function @other(%0 "i": uint) -> (uint) {
b0:
  %1: ptr<workgroup, [4]uint> = global @tile
  %2: ptr<workgroup, uint> = access [.] %1, %0
  store %2, %0
  workgroup_barrier
  %3: uint = const 3
  %4: uint = sub %3, %0
  %5: ptr<workgroup, uint> = access [.] %1, %4
  %6: uint = load %5
  return %6
}
function @main(%0 "lid": uint) {
b0:
  %1: uint = call @other %0
  %2: ptr<storage, [4]uint> = global @out
  %3: ptr<storage, uint> = access [.] %2, %0
  store %3, %1
  return
}
"""
    out = bytearray(16)
    run_compute(module(text), "main", (1, 1, 1), Resources({"out": out}))
    assert struct.unpack("<4I", out) == (3, 2, 1, 0)


def test_invocation_ids() -> None:
    names = ("global_invocation_id", "local_invocation_id", "workgroup_id", "num_workgroups")
    inputs = "\n".join(f'  in "{n}": uvec3 builtin({n})' for n in names)
    params = ", ".join(f'%{i} "{n}": uvec3' for i, n in enumerate(names))
    stores = "\n".join(
        f"  %{20 + i}: uint = const {i}\n  %{30 + i}: uint = add %11, %{20 + i}\n"
        f"  %{40 + i}: ptr<storage, uvec3> = access [.] %12, %{30 + i}\n  store %{40 + i}, %{i}"
        for i in range(4)
    )
    text = f"""
storage @out: []uvec3 read_write group(0) binding(0)
entry compute main = @main workgroup(2, 3, 1) {{
{inputs}
  in "flat": uint builtin(local_invocation_index)
}}
function @main({params}, %4 "flat": uint) {{
b0:
  %5: uint = const 6
  %6: uint = const 4
  %7: uint = extract [2] %2
  %8: uint = mul %7, %5
  %9: uint = add %8, %4
  %11: uint = mul %9, %6
  %12: ptr<storage, []uvec3> = global @out
{stores}
  return
}}
"""
    out = bytearray(16 * 4 * 12)
    run_compute(module(text), "main", (1, 1, 2), Resources({"out": out}))
    rows = np.frombuffer(bytes(out), np.uint32).reshape(12, 4, 4)[:, :, :3].tolist()
    assert rows[3] == [[1, 1, 0], [1, 1, 0], [0, 0, 0], [1, 1, 2]]
    assert rows[10] == [[0, 2, 1], [0, 2, 0], [0, 0, 1], [1, 1, 2]]


@pytest.mark.parametrize(
    ("op", "t", "start", "arguments", "end"),
    [
        ("atomic_add", "uint", 2**32 - 1, (2,), 1),
        ("atomic_add", "int", 2**31 - 1, (1,), -(2**31)),
        ("atomic_min", "int", -3, (2,), -3),
        ("atomic_max", "uint", 3, (2**31,), 2**31),
        ("atomic_and", "uint", 12, (10,), 8),
        ("atomic_or", "uint", 12, (10,), 14),
        ("atomic_xor", "uint", 12, (10,), 6),
        ("atomic_exchange", "int", 12, (-1,), -1),
        ("atomic_compare_exchange", "int", 12, (12, 5), 5),
        ("atomic_compare_exchange", "int", 12, (11, 5), 12),
    ],
)
def test_atomics(op: str, t: str, start: int, arguments: tuple[int, ...], end: int) -> None:
    constants = "\n".join(f"  %{10 + i}: {t} = const {x}" for i, x in enumerate(arguments))
    operands = "".join(f", %{10 + i}" for i in range(len(arguments)))
    text = f"""
storage @s: [2]{t} read_write group(0) binding(0)
function @f() -> ({t}) {{
b0:
  %0: ptr<storage, [2]{t}> = global @s
  %1: ptr<storage, {t}> = access [1] %0
{constants}
  %2: {t} = {op} %1{operands}
  return %2
}}
"""
    kind = INT if t == "int" else UINT
    memory = bytearray(4) + bytearray(encode(kind, start))
    assert run_function(module(text), "f", (), Resources({"s": memory})) == start
    assert decode(kind, memory, offset=4) == end


def test_every_invocation_counts_once() -> None:
    text = """
storage @s: uint read_write group(0) binding(0)
entry compute main = @main workgroup(4, 2, 2) {
}
function @main() {
b0:
  %0: ptr<storage, uint> = global @s
  %1: uint = const 1
  %2: uint = atomic_add %0, %1
  return
}
"""
    memory = bytearray(4)
    run_compute(module(text), "main", (3, 2, 1), Resources({"s": memory}))
    assert decode(UINT, memory) == 16 * 6


# ---------------------------------------------------------------- vertex and fragment

VERTEX = """
entry vertex main = @main {
  in "position": vec3 location(0)
  in "id": int builtin(vertex_id)
  in "instance": int builtin(instance_id)
  out "position": vec4 builtin(position)
  out "sum": int location(1)
}
function @main(%0 "p": vec3, %1 "id": int, %2 "instance": int) -> (vec4, int) {
b0:
  %3: float = const 1.0
  %4: vec4 = construct %0, %3
  %5: int = const 10
  %6: int = mul %2, %5
  %7: int = add %6, %1
  return %4, %7
}
"""


def test_vertex_stage() -> None:
    found = run_vertex(module(VERTEX), "main", {0: [(1, 2, 3), (0.1, 0, 0)]}, 2, 2)
    assert [o[1] for o in found] == [0, 1, 10, 11]
    assert found[0]["position"] == (1.0, 2.0, 3.0, 1.0)
    assert found[3]["position"][0] == float(np.float32(0.1))


FRAGMENT = """
storage @count: uint read_write group(0) binding(0)
entry fragment main = @main {
  in "v": float location(0)
  in "at": vec4 builtin(frag_coord)
  out "color": vec4 location(0)
}
function @main(%0 "v": float, %1 "at": vec4) -> (vec4) {
b0:
  %2: ptr<storage, uint> = global @count
  %3: uint = const 1
  %4: uint = atomic_add %2, %3
  %5: float = extract [0] %1
  %6: float = const 2.5
  %7: bool = eq %5, %6
  cond_br %7 b1(), b2() merge b2
b1:
  discard
b2:
  %8: float = dfdx %0
  %9: float = dfdy %0
  %10: float = fwidth %0
  %11: vec4 = construct %8, %9, %10, %0
  return %11
}
"""


def test_derivatives_and_discard_in_quads() -> None:
    memory = bytearray(4)
    rows = run_fragment(
        module(FRAGMENT),
        "main",
        lambda x, y: {0: 3 * x - 5 * y},
        5,
        3,
        Resources({"count": memory}),
    )
    assert decode(UINT, memory) == 15  # helpers at the odd edges count for nothing
    assert [len(row) for row in rows] == [5, 5, 5]
    assert all(row[2] is None for row in rows)
    assert rows[0][0] == {0: (3.0, -5.0, 8.0, -1.0)}
    assert rows[2][4] == {0: (3.0, -5.0, 8.0, 1.0)}
    # the left neighbour in the quad has gone
    assert rows[1][3] == {0: (0.0, -5.0, 5.0, 3.0)}


def test_fragment_inputs_as_rows_and_as_one_value() -> None:
    memory = bytearray(4)
    shader, resources = module(FRAGMENT), Resources({"count": memory})
    rows = run_fragment(shader, "main", {0: [[1.0, 4.0], [2.0, 8.0]]}, 2, 2, resources)
    assert rows[1][1] == {0: (6.0, 4.0, 10.0, 8.0)}
    rows = run_fragment(shader, "main", {0: 7}, 1, 1, resources)
    assert rows == [[{0: (0.0, 0.0, 0.0, 7.0)}]]


def test_derivatives_after_a_divergent_branch() -> None:
    """Invocations that took different ways meet again before the derivative."""
    text = """
entry fragment main = @main {
  in "v": float location(0)
  out "o": float location(0)
}
function @main(%0 "v": float) -> (float) {
b0:
  %1: float = const 1.0
  %2: bool = gt %0, %1
  cond_br %2 b1(), b2(%0) merge b2
b1:
  %3: float = dfdx %0
  %4: float = mul %0, %0
  br b2(%4)
b2(%5: float):
  %6: float = dfdx %5
  return %6
}
"""
    rows = run_fragment(module(text), "main", {0: [[1.0, 3.0], [3.0, 4.0]]}, 2, 2)
    assert [[pixel[0] for pixel in row if pixel] for row in rows] == [[8.0, 8.0], [7.0, 7.0]]


def test_wrong_use() -> None:
    shader = module(VERTEX)
    with pytest.raises(KeyError):
        run_vertex(shader, "nope")
    with pytest.raises(InterpretError, match="vertex entry point"):
        run_compute(shader, "main")
    with pytest.raises(InterpretError, match="takes 3 arguments"):
        run_function(shader, "main", (1,))
    with pytest.raises(InterpretError, match="is no vec3"):
        run_function(shader, "main", ((1, 2), 0, 0))
    with pytest.raises(InterpretError, match="discards"):
        run_function(module("function @f() {\nb0:\n  discard\n}"), "f")


# ---------------------------------------------------------------- textures


def texture_call(
    op: str, kind: str, result: str, operands: list[tuple[str, Any]], texture: Texture,
    sampler: Sampler,
) -> Any:  # fmt: skip
    """The result of one texture operation on ``@t`` and ``@s``."""
    shadow = "Shadow" if "Depth" in kind else ""
    samples = op.startswith("sample")
    params = "".join(f', %{9 + i} "p{i}": {t}' for i, (t, _) in enumerate(operands))
    values = "".join(f", %{9 + i}" for i in range(len(operands)))
    text = f"""
handle @t: {kind} group(0) binding(0)
handle @s: sampler{shadow} group(0) binding(1)
function @f(%0 "t": {kind}, %1 "s": sampler{shadow}{params}) -> ({result}) {{
b0:
  %2: {result} = {op} %0{", %1" if samples else ""}{values}
  return %2
}}
"""
    resources = Resources(textures={"t": texture}, samplers={(0, 1): sampler})
    args = ["t", "s", *(value for _, value in operands)]
    return run_function(module(text), "f", args, resources)


RNG = np.random.default_rng(7)
IMAGE = RNG.uniform(size=(4, 8, 4)).astype(np.float32)  # 8 wide, 4 high


def bilinear(image: Any, u: float, v: float, wrap: Any) -> Any:
    """A second opinion: bilinear filtering of one image, in double precision."""
    height, width = image.shape[:2]
    x, y = u * width - 0.5, v * height - 0.5
    x0, y0 = math.floor(x), math.floor(y)
    fx, fy = x - x0, y - y0
    rows = [image[wrap(y0 + j, height)].astype(np.float64) for j in (0, 1)]
    left = [row[wrap(x0, width)] for row in rows]
    right = [row[wrap(x0 + 1, width)] for row in rows]
    top, bottom = (a * (1 - fx) + b * fx for a, b in zip(left, right, strict=True))
    return top * (1 - fy) + bottom * fy


WRAPS: dict[str, Any] = {
    "repeat": lambda i, n: i % n,
    "clamp": lambda i, n: min(max(i, 0), n - 1),
    "mirror": lambda i, n: min(i % (2 * n), 2 * n - 1 - i % (2 * n)),
}


@pytest.mark.parametrize("address", ["repeat", "clamp", "mirror"])
def test_bilinear_filtering_and_addressing(address: str) -> None:
    texture = Texture(Dim.D2, [IMAGE.tolist()])
    for u, v in ((0.3, 0.4), (0.01, 0.99), (-0.3, 1.7), (2.25, -1.1), (0.5, 0.5)):
        found = texture_call("sample_level", "texture2D", "vec4", [("vec2", (u, v)), ("float", 0)],
                             texture, Sampler(True, address))  # fmt: skip
        expected = bilinear(IMAGE, float(np.float32(u)), float(np.float32(v)), WRAPS[address])
        assert np.allclose(found, expected, atol=1e-6)


def test_nearest_filtering() -> None:
    texture = Texture(Dim.D2, [IMAGE.tolist()])
    found = texture_call("sample_level", "texture2D", "vec4", [("vec2", (0.99, 0.3)), ("float", 0)],
                         texture, Sampler(False))  # fmt: skip
    assert np.array_equal(found, IMAGE[1, 7])


LEVELS = Texture(Dim.D2, [[[float(n)] * (4 >> n)] * (4 >> n) for n in range(3)])


@pytest.mark.parametrize(
    ("lod", "linear", "nearest"),
    [(-1.0, 0.0, 0.0), (0.25, 0.25, 0.0), (0.75, 0.75, 1.0), (1.5, 1.5, 1.0), (9.0, 2.0, 2.0)],
)
def test_levels_of_detail(lod: float, linear: float, nearest: float) -> None:
    for sampler, expected in ((Sampler(True), linear), (Sampler(False), nearest)):
        found = texture_call("sample_level", "texture2D", "vec4",
                             [("vec2", (0.4, 0.6)), ("float", lod)], LEVELS, sampler)  # fmt: skip
        assert found == (expected, 0.0, 0.0, 1.0)


def test_gradients_choose_the_level() -> None:
    for change, expected in ((0.25, 0.0), (0.5, 1.0), (1.0, 2.0), (0.0, 0.0)):
        found = texture_call("sample_grad", "texture2D", "vec4",
                             [("vec2", (0.4, 0.6)), ("vec2", (change, 0)), ("vec2", (0, 0))],
                             LEVELS, Sampler())  # fmt: skip
        assert found[0] == expected


SAMPLED = """
handle @t_tex: texture2D group(0) binding(0) combined("t")
handle @t_samp: sampler group(0) binding(1) combined("t")
entry fragment main = @main {
  in "uv": vec2 location(0)
  out "plain": vec4 location(0)
  out "biased": vec4 location(1)
}
function @main(%0 "uv": vec2) -> (vec4, vec4) {
b0:
  %1: texture2D = global @t_tex
  %2: sampler = global @t_samp
  %3: vec4 = sample %1, %2, %0
  %4: float = const 1.0
  %5: vec4 = sample_bias %1, %2, %0, %4
  return %3, %5
}
"""


def test_implicit_level_of_detail() -> None:
    resources = Resources(textures={"t": LEVELS}, samplers={"t": Sampler()})
    for size, expected in ((4, 0.0), (2, 1.0)):
        rows = run_fragment(
            module(SAMPLED),
            "main",
            lambda x, y, size=size: {0: (x / size, y / size)},
            size,
            size,
            resources,
        )
        for pixel in (p for row in rows for p in row):
            assert pixel is not None
            assert pixel[0][0] == expected
            assert pixel[1][0] == expected + 1


def test_volume_textures() -> None:
    image = RNG.uniform(size=(2, 3, 4)).astype(np.float32)
    found = texture_call("sample_level", "texture3D", "vec4",
                         [("vec3", (0.5, 0.5, 0.5)), ("float", 0)],
                         Texture(Dim.D3, [image.tolist()]), Sampler())  # fmt: skip
    assert found[0] == pytest.approx(float(image[:, 1, 1:3].mean()), abs=1e-6)
    size = texture_call("texture_size", "texture3D", "ivec3", [("int", 0)],
                        Texture(Dim.D3, [image.tolist()]), Sampler())  # fmt: skip
    assert size == (4, 3, 2)


@pytest.mark.parametrize(("layer", "expected"), [(-3.0, 0), (0.5, 0), (1.5, 2), (9.0, 2)])
def test_array_layers_round_to_even_and_clamp(layer: float, expected: int) -> None:
    texture = Texture(Dim.D2_ARRAY, [[[[float(n)]] for n in range(3)]])
    found = texture_call("sample_level", "texture2DArray", "vec4",
                         [("vec3", (0.5, 0.5, layer)), ("float", 0)], texture,
                         Sampler())  # fmt: skip
    assert found[0] == expected


@pytest.mark.parametrize("face", range(6))
def test_cube_faces(face: int) -> None:
    cube = Texture(Dim.CUBE, [[[[float(f)] * 4] * 4 for f in range(6)]])
    direction = [0.1, -0.2, 0.15]
    direction[face // 2] = -2.0 if face % 2 else 2.0
    found = texture_call("sample_level", "textureCube", "vec4",
                         [("vec3", direction), ("float", 0)], cube, Sampler())  # fmt: skip
    assert found[0] == face


def test_cube_orientation_and_seams() -> None:
    ramp = [[x + 10.0 * y for x in range(2)] for y in range(2)]
    cube = Texture(Dim.CUBE, [[ramp] * 6])
    nearest = Sampler(False)

    def at(*direction: float, sampler: Sampler = nearest) -> float:
        found: tuple[float, ...] = texture_call(
            "sample_level", "textureCube", "vec4", [("vec3", direction), ("float", 0)], cube,
            sampler,
        )  # fmt: skip
        return found[0]

    assert at(1, 0.5, -0.5) == 1.0  # +x: s runs to -z, t to -y
    assert at(-1, -0.5, 0.5) == 11.0
    assert at(0.5, 1, -0.5) == 1.0
    assert at(0.5, -1, -0.5) == 11.0
    assert at(-0.5, 0.5, 1) == 0.0
    assert at(0.5, 0.5, -1) == 0.0
    # on the edge of +x and +z both faces count half
    assert at(1, 0.5, 1 - 1e-7, sampler=Sampler()) == pytest.approx(0.5, abs=1e-5)


def test_depth_comparison() -> None:
    depth = Texture(Dim.D2, [[[0.2, 0.8]]])

    def compare(u: float, reference: float, sampler: Sampler) -> float:
        found: float = texture_call(
            "sample_compare", "textureDepth2D", "float",
            [("vec2", (u, 0.5)), ("float", reference)], depth, sampler,
        )  # fmt: skip
        return found

    nearest, clamp = Sampler(False, "clamp"), Sampler(True, "clamp")
    assert compare(0.25, 0.5, nearest) == 0.0
    assert compare(0.75, 0.5, nearest) == 1.0
    assert compare(0.5, 0.5, clamp) == 0.5  # half of the texels pass
    assert compare(0.25, 0.5, Sampler(False, "clamp", "greater")) == 1.0


def test_fetching_texels() -> None:
    texture = Texture(Dim.D2, [IMAGE.tolist(), IMAGE[::2, ::2].tolist()])
    for at, level, expected in (
        ((3, 1), 0, IMAGE[1, 3]),
        ((3, 1), 1, IMAGE[2, 6]),
        ((8, 0), 0, np.zeros(4)),
        ((0, 0), 2, np.zeros(4)),
    ):
        found = texture_call("texel_fetch", "texture2D", "vec4", [("ivec2", at), ("int", level)],
                             texture, Sampler())  # fmt: skip
        assert np.array_equal(found, expected)
    for level, size in ((0, (8, 4)), (1, (4, 2)), (2, (0, 0))):
        assert texture_call("texture_size", "texture2D", "ivec2", [("int", level)], texture,
                            Sampler()) == size  # fmt: skip


def test_textures_that_do_not_fit() -> None:
    for texture, message in (
        (Texture(Dim.D3, [[[[0.0]]]]), "not a 3D"),
        (Texture(Dim.D2, []), "without texels"),
    ):
        with pytest.raises(MissingResource, match=message):
            texture_call("texture_size", "texture2D", "ivec2", [("int", 0)], texture, Sampler())


# ---------------------------------------------------------------- random modules


@pytest.mark.parametrize("seed", range(20))
def test_random_modules_run_and_stay_finite(seed: int) -> None:
    floats, ints = results(random_module(seed))
    assert all(math.isfinite(x) for x in floats)
    assert (floats, ints) == results(random_module(seed))
