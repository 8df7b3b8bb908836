"""Byte layouts, proved by execution: std140 uniforms, std430 buffers and push constants.

For each type one shader is made that reads every component from a uniform, a buffer and (where it
fits) a push constant, writes every component of a buffer, and copies the uniform as a whole into
another buffer, whose layout may differ.  The bytes come from the tests' own packer.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import count
from typing import Any

import numpy as np

from tests.harness.cases import Case, Expected, Key
from tests.harness.jobs import Dispatch, Resource, Slot, Storage, Uniform, Values
from tests.harness.reference import (
    STD140,
    STD430,
    ArraySpec,
    Spec,
    array,
    components,
    measure,
    pack,
    unpack,
)

PUSH_LIMIT = 128
FILL = 0xCD

_INNER = {"p": "vec3", "w": "float", "q": "vec2"}

#: Types by the name of their case.
TYPES: dict[str, Spec] = {
    "vec3_then_float": {"a": "vec3", "b": "float", "c": "vec3", "d": "vec3", "e": "float"},
    "scalars_and_vectors": {
        "a": "float", "b": "vec2", "c": "float", "d": "vec4", "e": "int", "f": "uvec3",
        "g": "uint", "h": "ivec2", "i": "ivec4",
    },
    "float_array": {"a": "float", "b": array("float", 3), "c": "float"},
    "vector_arrays": {
        "a": array("vec2", 3), "b": "float", "c": array("vec3", 2), "d": "float",
        "e": array("uint", 2), "f": "uint",
    },
    "mat2": {"a": "vec2", "m": "mat2", "b": "float"},
    "mat3": {"a": "float", "m": "mat3", "b": "float"},
    "mat2x3": {"m": "mat2x3", "b": "float"},
    "mat3x2": {"a": "float", "m": "mat3x2", "b": "float"},
    "mat2x4_mat4x2": {"a": "mat2x4", "b": "mat4x2", "c": "float"},
    "mat3x4_mat4x3": {"a": "float", "b": "mat3x4", "c": "mat4x3", "d": "float"},
    "matrix_arrays": {"a": array("mat3x2", 2), "b": array("mat3", 2), "c": array("mat2", 3)},
    "nested_structs": {
        "foo": {"a": "float", "b": "float", "c": "float"},
        "bar": {"d": "vec3", "e": "float"},
        "tail": "float",
    },
    "tail_padding": {"inner": {"v": "vec3"}, "f": "float", "pair": {"x": "float"}, "g": "float"},
    "array_of_structs": {"n": "float", "items": array(_INNER, 3), "z": "float"},
    "array_of_arrays": {"a": array(array("vec3", 2), 3), "b": array(array("float", 2), 3)},
    "struct_with_matrix": {"x": "float", "items": array({"m": "mat3", "s": "float"}, 2)},
    "flagged": {"items": array({"on": "bool", "v": "vec3"}, 3), "k": "float"},
    "flagged_deep": {
        "first": {"items": array({"z": "float", "on": "bool"}, 2), "y": "float"},
        "rows": array(array({"pair": "bvec2", "n": "int"}, 2), 2),
    },
    "bools": {
        "flag": "bool", "mask": "bvec3", "on": array("bool", 3), "pair": "bvec2", "z": "float",
    },
    "halves": {"a": "half", "b": "hvec3", "c": "half", "d": "float", "e": array("half", 3)},
    "half_vectors": {"a": "hvec2", "b": "hvec3", "c": "hvec4", "d": "half", "e": array("hvec2", 2)},
    "two_vec3_vec2": {"a": "vec3", "b": "vec3", "c": "vec2"},
    "vec4_mat2": {"tint": "vec4", "sr": "mat2"},
    "deep_structs": {
        "a": "float", "b": {"c": {"d": "vec2", "e": "vec3"}, "f": array({"g": "mat2"}, 2)},
        "h": "int",
    },
    "plain_array": array("float", 5),
    "plain_struct_array": array(_INNER, 2),
    "plain_matrix": "mat3x2",
    "plain_bool": "bool",
    "plain_vector": "uvec3",
}  # fmt: skip

#: Types that end in a runtime array, which only buffers may have, by case.
RUNTIME_TYPES: dict[str, Spec] = {
    "runtime_vec3": array("vec3"),
    "runtime_struct": array(_INNER),
    "runtime_mat3": array("mat3"),
    "runtime_bool": array("bool"),
    "runtime_rows": array(array("vec3", 2)),
    "runtime_float": array("float"),
    "runtime_deep": array({"a": array("vec2", 2), "b": "bool", "c": {"d": "ivec3"}}),
    "runtime_tail": {"n": "uint", "data": array("vec4")},
    "runtime_struct_tail": {"m": "mat2", "x": "float", "data": array({"v": "vec3", "n": "int"})},
}
RUNTIME_COUNT = 3


# ---------------------------------------------------------------- values


def make_value(spec: Spec, numbers: Iterator[int]) -> Any:
    """A value whose components count up (bools: no pattern that a shift would keep)."""
    if isinstance(spec, Mapping):
        return {name: make_value(member, numbers) for name, member in spec.items()}
    if isinstance(spec, ArraySpec):
        size = RUNTIME_COUNT if spec.count is None else spec.count
        return [make_value(spec.element, numbers) for _ in range(size)]
    scalar, rows, columns = components(spec)
    one = [_number(scalar, next(numbers)) for _ in range(rows * max(columns, 1))]
    if columns:
        return [one[c * rows : (c + 1) * rows] for c in range(columns)]
    return one if rows > 1 else one[0]


def _number(scalar: str, n: int) -> int:
    return (n * n + n // 3) % 5 % 2 if scalar == "bool" else n


# ---------------------------------------------------------------- Luma text


@dataclass(slots=True)
class _Structs:
    """Declarations of the structs a type needs, inner ones first."""

    text: list[str] = field(default_factory=list)

    def spell(self, spec: Spec) -> str:
        """The Luma name of a type."""
        if isinstance(spec, str):
            return spec
        if isinstance(spec, ArraySpec):
            size = "" if spec.count is None else spec.count
            return f"[{size}]{self.spell(spec.element)}"
        fields = [f"  {name}: {self.spell(member)}" for name, member in spec.items()]
        name = f"S{len(self.text)}"
        self.text.append("\n".join([f"struct {name}", *fields, "end\n"]))
        return name


def leaves(spec: Spec, place: str, index: str) -> Iterator[tuple[str, str]]:
    """(Luma place, scalar) of every component; ``index`` formats an array index."""
    if isinstance(spec, Mapping):
        for name, member in spec.items():
            yield from leaves(member, f"{place}.{name}", index)
    elif isinstance(spec, ArraySpec):
        for i in range(RUNTIME_COUNT if spec.count is None else spec.count):
            yield from leaves(spec.element, f"{place}[{index.format(i)}]", index)
    else:
        scalar, rows, columns = components(spec)
        for c in range(max(columns, 1)):
            column = f"{place}[{c}]" if columns else place
            for r in range(rows):
                yield (f"{column}.{'xyzw'[r]}" if rows > 1 else column), scalar


def _literal(scalar: str, n: int) -> str:
    if scalar == "bool":
        return "true" if n else "false"
    return f"{n}.0" if scalar in ("float", "half") else str(n)


def make_source(spec: Spec, *, uniform: bool, push: bool) -> str:
    """The shader of a type; see the module's docstring."""
    structs = _Structs()
    name = structs.spell(spec)
    reads = list(leaves(spec, "r", "i + {}"))
    total = len(reads)
    lines = [f"  out[{k}] = float({place})" for k, (place, _) in enumerate(reads)]
    numbers = count(1001)
    for place, scalar in leaves(spec, "w", "i + {}"):
        lines.append(f"  {place} = {_literal(scalar, _number(scalar, next(numbers)))}")
    declared = [
        f"@binding(1) buffer readonly r: {name}",
        f"@binding(2) buffer storage w: {name}",
        "@binding(3) buffer writeonly out: []float",
    ]
    if uniform:
        declared += [f"@binding(0) uniform u: {name}", f"@binding(4) buffer writeonly c: {name}"]
        for k, (place, _) in enumerate(leaves(spec, "u", "{}")):
            lines.append(f"  out[{total + k}] = float({place})")
        lines.append("  c = u")
    if push:
        declared.append(f"@push_constant uniform p: {name}")
        for k, (place, _) in enumerate(leaves(spec, "p", "{}")):
            lines.append(f"  out[{2 * total + k}] = float({place})")
    entry = [
        "@entry(compute)",
        "@workgroup_size(1)",
        "function main(@builtin(global_invocation_id) id: uvec3)",
        "  let i = int(id.x)",
        *lines,
        "end",
    ]
    return "\n".join([*structs.text, *declared, "", *entry, ""])


# ---------------------------------------------------------------- cases


def _floats(values: Values) -> Values:
    result: Values = values.astype(np.float32)
    return result


def _pushes(name: str, spec: Spec) -> bool:
    return measure(spec, STD430)[1] <= PUSH_LIMIT and not name.startswith("hal")


def _case(name: str, spec: Spec, *, runtime: bool, push: bool, **more: Any) -> Case:
    runs = RUNTIME_COUNT if runtime else 0
    values = [make_value(spec, count(start)) for start in (1, 301, 601)]
    flat = [unpack(spec, pack(spec, v, STD430), STD430, runs) for v in values]
    after = pack(spec, make_value(spec, count(1001)), STD430)
    size = flat[0].size

    def job() -> Dispatch:
        blank = bytes([FILL]) * len(after)
        resources: dict[Slot, Resource] = {
            (0, 1): Storage(pack(spec, values[0], STD430, FILL)),
            (0, 2): Storage(blank),
            (0, 3): Storage(bytes(4 * 3 * size)),
        }
        if not runtime:
            resources[0, 0] = Uniform(pack(spec, values[1], STD140, FILL))
            resources[0, 4] = Storage(blank)
        pushed = pack(spec, values[2], STD430, FILL) if push else b""
        return Dispatch("main", (1, 1, 1), resources, push=pushed)

    def expected() -> Mapping[Key, Expected]:
        zero = np.zeros(size)
        parts = [flat[0], zero if runtime else flat[1], flat[2] if push else zero]
        found: dict[Key, Expected] = {
            (0, 3): Expected(_floats(np.concatenate(parts))),
            (0, 2): _components(spec, after),
        }
        if not runtime:
            found[0, 4] = _components(spec, pack(spec, values[1], STD430))
        return found

    source = make_source(spec, uniform=not runtime, push=push)
    return Case(f"layout_{name}", source, job, expected, **more)


def _components(spec: Spec, packed: bytes) -> Expected:
    """All bytes that hold a component; the padding may be anything."""
    value = make_value(spec, count(1))
    low, high = pack(spec, value, STD430, 0x00), pack(spec, value, STD430, 0xFF)
    used = np.frombuffer(low, np.uint8) == np.frombuffer(high, np.uint8)
    return Expected(np.frombuffer(packed, np.uint8), mask=used)


def _cases() -> Iterator[Case]:
    for name, spec in TYPES.items():
        if _pushes(name, spec):
            yield _case(name, spec, runtime=False, push=True, refused={"wgsl": "E0731"})
            yield _case(f"{name}_memory", spec, runtime=False, push=False, executors=("wgsl",))
        else:
            yield _case(name, spec, runtime=False, push=False)
    for name, spec in RUNTIME_TYPES.items():
        yield _case(name, spec, runtime=True, push=False)


CASES = tuple(_cases())
