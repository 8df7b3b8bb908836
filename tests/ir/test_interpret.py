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
    MissingResource,
    Resources,
    decode,
    encode,
    run_compute,
    run_function,
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


# ---------------------------------------------------------------- random modules


@pytest.mark.parametrize("seed", range(20))
def test_random_modules_run_and_stay_finite(seed: int) -> None:
    floats, ints = results(random_module(seed))
    assert all(math.isfinite(x) for x in floats)
    assert (floats, ints) == results(random_module(seed))
