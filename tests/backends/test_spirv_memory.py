"""Memory in SPIR-V: layouts, bools in buffers, run-time indices, atomics; by execution."""

from __future__ import annotations

import struct
from typing import Any

import pytest
from luma.backends.spirv.grammar import Decoration, Op

from luma.ir.text import parse_module
from luma.language.layout import Rules, layout
from luma.language.types import FLOAT, Array, Struct, Type, Vector
from tests.backends.spirv_support import assemble, opcode_counts, pack, unpack
from tests.harness.jobs import Dispatch, Resources, Storage, Uniform
from tests.harness.spirv_reader import instructions
from tests.harness.worker import Driver

OUTPUT = (0, 1)


def run(driver: Driver, binary: bytes, size: int, **more: Any) -> bytes:
    """Dispatch one workgroup of ``main``; the bytes it leaves in the output buffer."""
    resources: Resources = {OUTPUT: Storage(bytes(size)), **more.pop("resources", {})}
    job = Dispatch("main", more.pop("groups", (1, 1, 1)), resources, **more)
    found = driver.run(job, (binary,))[OUTPUT]
    assert isinstance(found, bytes)
    return found


def counted(start: int, t: Type) -> tuple[Any, int]:
    """A value of a type made of the numbers from ``start`` on, and the next number."""
    from luma.language.types import BOOL, Scalar, element, element_count

    if isinstance(t, Scalar):
        return (start % 3 == 0 if t == BOOL else start), start + 1
    parts = []
    for at in range(element_count(t)):
        part, start = counted(start, element(t, at))
        parts.append(part)
    return tuple(parts), start


STRUCTS = """\
struct Inner { x: vec3, on: bool, y: float, w: [2]vec2 }
struct All { flag: bool, mask: bvec3, v: vec3, f: float, a: [3]float, m: mat3, n: mat2x3, k: mat4x2,
  inner: Inner, many: [2]Inner, deep: [2][3]vec3, grid: [2]mat2, i: ivec2, u: uint, b: [2]bool,
  last: float }
""".replace(",\n ", ",")

COPY = (
    STRUCTS
    + """\
uniform @u: All group(0) binding(0)
storage @s: All read_write group(0) binding(1)
entry compute main = @main {
}
function @main() {
b0:
  %1: ptr<uniform, All> = global @u
  %2: ptr<storage, All> = global @s
  %3: All = load %1
  store %2, %3
  return
}
"""
)


def struct_of(text: str, name: str) -> Struct:
    return next(s for s in parse_module(text).structs if s.name == name)


def test_whole_struct_from_std140_to_std430(driver: Driver) -> None:
    t = struct_of(COPY, "All")
    value, _ = counted(1, t)
    resources = {(0, 0): Uniform(pack(t, value, Rules.STD140))}
    out = run(driver, assemble(COPY), layout(t, Rules.STD430).size, resources=resources)
    assert unpack(t, out) == value


def test_members_one_by_one(driver: Driver) -> None:
    """Each field copied by its own load and store gives the same."""
    t = struct_of(COPY, "All")
    lines = []
    for at, field in enumerate(t.fields):
        a, b, c = 10 + 3 * at, 11 + 3 * at, 12 + 3 * at
        lines += [
            f"  %{a}: ptr<uniform, {field.type}> = access [{at}] %1",
            f"  %{b}: {field.type} = load %{a}",
            f"  %{c}: ptr<storage, {field.type}> = access [{at}] %2",
            f"  store %{c}, %{b}",
        ]
    text = COPY.replace("  %3: All = load %1\n  store %2, %3", "\n".join(lines))
    value, _ = counted(5, t)
    resources = {(0, 0): Uniform(pack(t, value, Rules.STD140))}
    out = run(driver, assemble(text), layout(t, Rules.STD430).size, resources=resources)
    assert unpack(t, out) == value


def test_plain_values_and_one_struct_in_two_roles(driver: Driver) -> None:
    """Uniforms that are no structs get a block; a root struct is another type when nested."""
    text = """\
struct S { a: float, b: vec2 }
struct T { s: S, c: mat2 }
uniform @s: S group(0) binding(0)
uniform @t: T group(0) binding(2)
uniform @m: mat3x2 group(0) binding(3)
uniform @list: [3]float group(0) binding(4)
storage @out: []vec3 read_write group(0) binding(1)
entry compute main = @main {
  in "id": uvec3 builtin(local_invocation_id)
}
function @main(%0 "id": uvec3) {
b0:
  %1: ptr<uniform, S> = global @s
  %2: ptr<uniform, vec2> = access [1] %1
  %3: vec2 = load %2
  %4: ptr<uniform, T> = global @t
  %5: ptr<uniform, vec2> = access [0, 1] %4
  %6: vec2 = load %5
  %7: vec2 = add %3, %6
  %8: ptr<uniform, mat3x2> = global @m
  %9: int = const 2
  %10: ptr<uniform, float> = access [., 1] %8, %9
  %11: float = load %10
  %12: ptr<storage, []vec3> = global @out
  %13: vec3 = construct %7, %11
  %14: ptr<storage, vec3> = access [0] %12
  store %14, %13
  %15: ptr<uniform, [3]float> = global @list
  %16: uint = extract [0] %0
  %17: ptr<uniform, float> = access [.] %15, %16
  %18: float = load %17
  %19: int = array_length %12
  %20: float = convert %19
  %21: ptr<uniform, mat2> = access [1] %4
  %22: mat2 = load %21
  %23: float = extract [1, 0] %22
  %24: vec3 = construct %18, %20, %23
  %25: ptr<storage, vec3> = access [1] %12
  store %25, %24
  return
}
"""
    s, t = struct_of(text, "S"), struct_of(text, "T")
    resources = {
        (0, 0): Uniform(pack(s, (1.0, (2.0, 3.0)), Rules.STD140)),
        (0, 2): Uniform(pack(t, ((4.0, (5.0, 6.0)), ((7.0, 8.0), (9.0, 10.0))), Rules.STD140)),
        (0, 3): Uniform(struct.pack("12f", 1, 2, 0, 0, 3, 4, 0, 0, 5, 6, 0, 0)),
        (0, 4): Uniform(struct.pack("12f", 21, 0, 0, 0, 22, 0, 0, 0, 23, 0, 0, 0)),
    }
    out = run(driver, assemble(text), 5 * 16, resources=resources)
    assert struct.unpack("3f4x3f", out[:28]) == (7.0, 9.0, 6.0, 21.0, 5.0, 9.0)


def test_push_constants(driver: Driver) -> None:
    """std430 offsets; a component chosen at run time; a bool."""
    text = """\
struct Push { tint: vec4, sr: mat2, on: bool }
push_constant @pc: Push
storage @out: [8]float read_write group(0) binding(1)
entry compute main = @main workgroup(8, 1, 1) {
  in "i": uint builtin(local_invocation_index)
}
function @main(%0 "i": uint) {
b0:
  %1: ptr<push_constant, Push> = global @pc
  %2: uint = const 3
  %3: uint = bit_and %0, %2
  %4: ptr<push_constant, float> = access [0, .] %1, %3
  %5: float = load %4
  %6: uint = const 1
  %7: uint = bit_and %0, %6
  %8: ptr<push_constant, float> = access [1, 1, .] %1, %7
  %9: float = load %8
  %10: ptr<push_constant, bool> = access [2] %1
  %11: bool = load %10
  %12: float = select %11, %5, %9
  %13: float = add %5, %9
  %14: float = add %13, %12
  %15: ptr<storage, [8]float> = global @out
  %16: ptr<storage, float> = access [.] %15, %0
  store %16, %14
  return
}
"""
    push = struct.pack("8fI", 1, 2, 3, 4, 10, 20, 30, 40, 5) + bytes(12)
    out = run(driver, assemble(text), 32, push=push)
    assert struct.unpack("8f", out) == (32.0, 44.0, 36.0, 48.0) * 2


DYNAMIC = """\
struct Pair { a: [3]vec2, m: mat3 }
uniform @u: Pair group(0) binding(0)
storage @out: [12]float read_write group(0) binding(1)
entry compute main = @main workgroup(3, 1, 1) {
  in "i": uint builtin(local_invocation_index)
}
function @main(%0 "i": uint) {
b0:
  %1: ptr<uniform, Pair> = global @u
  %2: Pair = load %1
  %3: vec2 = extract [0, .] %2, %0
  %4: float = extract [1] %3
  %5: float = extract [1, ., 2] %2, %0
  %6: mat3 = extract [1] %2
  %7: float = extract [., .] %6, %0, %0
  %8: float = const 0.5
  %9: float = const 1.5
  %10: float = const 2.5
  %11: [3]float = construct %8, %9, %10
  br b1()
b1:
  %12: float = extract [.] %11, %0
  %13: float = extract [.] %11, %14
  br b2()
b2:
  %16: uint = const 4
  %17: uint = mul %0, %16
  %18: ptr<storage, [12]float> = global @out
  %19: ptr<storage, float> = access [.] %18, %17
  store %19, %4
  %20: uint = const 1
  %21: uint = add %17, %20
  %22: ptr<storage, float> = access [.] %18, %21
  store %22, %5
  %23: uint = add %21, %20
  %24: ptr<storage, float> = access [.] %18, %23
  store %24, %7
  %25: uint = add %23, %20
  %26: ptr<storage, float> = access [.] %18, %25
  %27: float = add %12, %13
  store %26, %27
  return
}
""".replace("b1:\n", "b1:\n  %14: int = const 1\n")


def test_run_time_indices_into_values(driver: Driver) -> None:
    t = struct_of(DYNAMIC, "Pair")
    value = (
        ((1.0, 2.0), (3.0, 4.0), (5.0, 6.0)),
        ((11.0, 12.0, 13.0),) * 2 + ((17.0, 18.0, 19.0),),
    )
    binary = assemble(DYNAMIC)
    resources = {(0, 0): Uniform(pack(t, value, Rules.STD140))}
    out = struct.unpack("12f", run(driver, binary, 48, resources=resources))
    assert out == (2.0, 13.0, 11.0, 2.0, 4.0, 13.0, 12.0, 3.0, 6.0, 19.0, 19.0, 4.0)


def test_a_constant_array_is_one_initialised_variable() -> None:
    binary = assemble(DYNAMIC)
    initialised = [words for op, words in instructions(binary) if op == Op.Variable and words[3:]]
    assert len(initialised) == 1


def test_local_and_workgroup_memory(driver: Driver) -> None:
    """Plain types without layout, bool included; run-time indices on both."""
    text = """\
struct Cell { on: bool, v: vec2 }
workgroup @tile: [4]Cell read_write
storage @out: [4]float read_write group(0) binding(1)
entry compute main = @main workgroup(4, 1, 1) {
  in "i": uint builtin(local_invocation_index)
}
function @main(%0 "i": uint) {
b0:
  %1: ptr<function, [4]float> = local
  %2: ptr<workgroup, [4]Cell> = global @tile
  %3: ptr<workgroup, Cell> = access [.] %2, %0
  %4: uint = const 1
  %5: uint = bit_and %0, %4
  %6: bool = convert %5
  %7: float = convert %0
  %8: vec2 = splat %7
  %9: Cell = construct %6, %8
  store %3, %9
  workgroup_barrier
  %10: uint = const 3
  %11: uint = sub %10, %0
  %12: ptr<workgroup, bool> = access [., 0] %2, %11
  %13: bool = load %12
  %14: ptr<workgroup, float> = access [., 1, 1] %2, %11
  %15: float = load %14
  %16: ptr<function, float> = access [.] %1, %11
  store %16, %15
  %17: ptr<function, float> = access [.] %1, %11
  %18: float = load %17
  %19: float = neg %18
  %20: float = select %13, %18, %19
  %21: ptr<storage, [4]float> = global @out
  %22: ptr<storage, float> = access [.] %21, %0
  store %22, %20
  storage_barrier
  return
}
"""
    binary = assemble(text)
    assert struct.unpack("4f", run(driver, binary, 16)) == (3.0, -2.0, 1.0, -0.0)
    laid_out = {Decoration.Offset, Decoration.ArrayStride}
    decorated = [w for op, w in instructions(binary) if op in (Op.Decorate, Op.MemberDecorate)]
    assert sum(w[1] in laid_out or w[2] in laid_out for w in decorated if len(w) > 2) == 2


@pytest.mark.parametrize(
    ("op", "start", "result"),
    [
        ("atomic_add", 100, 100 + 45),
        ("atomic_min", 7, 0),
        ("atomic_max", 7, 9),
        ("atomic_and", 0xFF, 0),
        ("atomic_or", 0x100, 0x10F),
        ("atomic_xor", 0, 1),
    ],
)
@pytest.mark.parametrize("kind", ["int", "uint"])
def test_atomics(driver: Driver, op: str, start: int, result: int, kind: str) -> None:
    """Ten invocations on a buffer and on shared memory."""
    text = f"""\
struct Out {{ total: {kind}, shared_total: {kind} }}
storage @out: Out read_write group(0) binding(1)
workgroup @counter: {kind} read_write
entry compute main = @main workgroup(10, 1, 1) {{
  in "i": uint builtin(local_invocation_index)
}}
function @main(%0 "i": uint) {{
b0:
  %1: ptr<storage, Out> = global @out
  %2: ptr<workgroup, {kind}> = global @counter
  %3: {kind} = const {start}
  store %2, %3
  workgroup_barrier
  %4: {kind} = convert %0
  %5: ptr<storage, {kind}> = access [0] %1
  %6: {kind} = {op} %5, %4
  %7: {kind} = {op} %2, %4
  workgroup_barrier
  %8: {kind} = load %2
  %9: ptr<storage, {kind}> = access [1] %1
  store %9, %8
  return
}}
"""
    resources = {OUTPUT: Storage(struct.pack("2I", start, 0))}
    out = run(driver, assemble(text), 8, resources=resources)
    assert struct.unpack("2I", out) == (result, result)


def test_exchange_and_compare_exchange(driver: Driver) -> None:
    text = """\
storage @out: [6]int read_write group(0) binding(1)
entry compute main = @main {
}
function @main() {
b0:
  %1: ptr<storage, [6]int> = global @out
  %2: int = const 5
  %3: int = const 7
  %4: int = const 9
  %5: ptr<storage, int> = access [0] %1
  %6: int = atomic_exchange %5, %2
  %7: int = atomic_compare_exchange %5, %3, %4
  %8: int = atomic_compare_exchange %5, %2, %3
  %9: int = load %5
  %10: ptr<storage, int> = access [1] %1
  store %10, %6
  %11: ptr<storage, int> = access [2] %1
  store %11, %7
  %12: ptr<storage, int> = access [3] %1
  store %12, %8
  %13: ptr<storage, int> = access [4] %1
  store %13, %9
  return
}
"""
    resources = {OUTPUT: Storage(struct.pack("6i", 3, 0, 0, 0, 0, 0))}
    out = run(driver, assemble(text), 24, resources=resources)
    assert struct.unpack("6i", out)[:5] == (7, 3, 5, 5, 7)


def test_access_of_buffers_is_declared() -> None:
    text = """\
storage @a: []float group(0) binding(0)
storage @b: []float write group(0) binding(1)
storage @c: []float read_write group(0) binding(2)
entry compute main = @main {
}
function @main() {
b0:
  %1: ptr<storage, []float> = global @a
  %2: ptr<storage, float> = access [0] %1
  %3: float = load %2
  %4: ptr<storage, []float> = global @b
  %5: ptr<storage, float> = access [0] %4
  store %5, %3
  %6: ptr<storage, []float> = global @c
  %7: ptr<storage, float> = access [0] %6
  store %7, %3
  return
}
"""
    found = [w[1] for op, w in instructions(assemble(text)) if op == Op.Decorate]
    assert found.count(Decoration.NonWritable) == 1
    assert found.count(Decoration.NonReadable) == 1


@pytest.mark.parametrize(
    ("space", "capability"),
    [("storage", 4433), ("uniform", 4434), ("push_constant", 4435)],
)
def test_halves_in_memory_ask_for_their_capability(space: str, capability: int) -> None:
    """Moving and widening needs 16-bit storage only; arithmetic needs Float16 too."""
    place = "" if space == "push_constant" else " group(0) binding(0)"
    text = f"""\
struct S {{ h: half, v: hvec3 }}
{space} @s: S{place}
storage @out: []float read_write group(0) binding(1)
entry compute main = @main {{
}}
function @main() {{
b0:
  %1: ptr<{space}, S> = global @s
  %2: ptr<{space}, half> = access [0] %1
  %3: half = load %2
  %4: float = convert %3
  %5: ptr<storage, []float> = global @out
  %6: ptr<storage, float> = access [0] %5
  store %6, %4
  return
}}
"""
    float16 = 9
    declared = [w[0] for op, w in instructions(assemble(text)) if op == Op.Capability]
    assert capability in declared and float16 not in declared
    text = text.replace("%4: float = convert %3", "%9: half = add %3, %3\n  %4: float = convert %9")
    declared = [w[0] for op, w in instructions(assemble(text)) if op == Op.Capability]
    assert capability in declared and float16 in declared


def test_runtime_array_of_vec3_has_stride_16() -> None:
    assert layout(Array(Vector(FLOAT, 3), None), Rules.STD430).stride == 16


def test_parts_of_a_loaded_struct_are_taken_from_what_was_loaded(driver: Driver) -> None:
    """Without converting the rest of it; a bool among them is converted."""
    body = """\
  %3: All = load %1
  %4: bool = extract [0] %3
  %5: Inner = extract [9, 1] %3
  %6: float = extract [2] %5
  %7: Inner = extract [8] %3
  %8: ptr<storage, Inner> = access [8] %2
  store %8, %7
  %9: ptr<storage, bool> = access [0] %2
  store %9, %4
  %10: ptr<storage, float> = access [3] %2
  store %10, %6"""
    text = COPY.replace("  %3: All = load %1\n  store %2, %3", body)
    t = struct_of(text, "All")
    value, _ = counted(2, t)
    binary = assemble(text)
    assert opcode_counts(binary)[Op.CompositeConstruct] == 2  # of Inner, for memory alone
    resources = {(0, 0): Uniform(pack(t, value, Rules.STD140))}
    out = unpack(t, run(driver, binary, layout(t, Rules.STD430).size, resources=resources))
    assert (out[0], out[3], out[8]) == (value[0], value[9][1][2], value[8])
