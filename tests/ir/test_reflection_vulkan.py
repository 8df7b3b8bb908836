"""What reflection says of SPIR-V, and to a Vulkan host, against the words of the module."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from typing import Any

import pytest
from luma.backends.spirv.grammar import BuiltIn, Decoration, ExecutionModel, Op, StorageClass

import luma
from luma.language.types import HALF, INT, UINT, Scalar, Vector
from luma.vulkan import vertex_format
from tests.harness.spirv_reader import instructions
from tests.ir.test_reflection_targets import LEVELS, PUSH, SHADERS, SOURCE

Data = dict[str, Any]

ALL = SOURCE + PUSH
_EXECUTION_MODE_LOCAL_SIZE = 17
_STAGES = {
    ExecutionModel.Vertex: "VK_SHADER_STAGE_VERTEX_BIT",
    ExecutionModel.Fragment: "VK_SHADER_STAGE_FRAGMENT_BIT",
    ExecutionModel.GLCompute: "VK_SHADER_STAGE_COMPUTE_BIT",
}


@dataclass(slots=True)
class Read:
    """The declarations of a module that was compiled with its names."""

    names: dict[int, str] = field(default_factory=dict)
    members: dict[tuple[int, int], str] = field(default_factory=dict)
    marks: dict[int, dict[int, int]] = field(default_factory=dict)
    entries: dict[str, tuple[int, int, tuple[int, ...]]] = field(default_factory=dict)
    sizes: dict[int, tuple[int, ...]] = field(default_factory=dict)
    types: dict[int, tuple[int, tuple[int, ...]]] = field(default_factory=dict)
    variables: dict[int, tuple[int, int]] = field(default_factory=dict)
    structs: dict[str, list[str]] = field(default_factory=dict)

    def places(self) -> dict[str, tuple[int, int]]:
        """The set and binding of each variable that has one."""
        return {
            self.names[i]: (m[Decoration.DescriptorSet], m[Decoration.Binding])
            for i, m in self.marks.items()
            if Decoration.Binding in m
        }

    def pushed(self) -> set[str]:
        """The names of the push-constant blocks."""
        blocks = (i for i, (_, s) in self.variables.items() if s == StorageClass.PushConstant)
        return {self.names[i] for i in blocks}

    def spec_ids(self) -> dict[str, int]:
        """The numbers of the specialization constants."""
        marked = ((i, m.get(Decoration.SpecId)) for i, m in self.marks.items())
        return {self.names[i]: number for i, number in marked if number is not None}


def _text(words: tuple[int, ...]) -> tuple[str, int]:
    raw = b"".join(word.to_bytes(4, "little") for word in words)
    length = raw.index(0)
    return raw[:length].decode(), length // 4 + 1


def read(binary: bytes) -> Read:
    found = Read()
    for op, words in instructions(binary):
        match op:
            case Op.Name:
                found.names[words[0]] = _text(words[1:])[0]
            case Op.MemberName:
                found.members[words[0], words[1]] = _text(words[2:])[0]
            case Op.Decorate if len(words) > 2:
                found.marks.setdefault(words[0], {})[words[1]] = words[2]
            case Op.EntryPoint:
                name, used = _text(words[2:])
                found.entries[name] = (words[0], words[1], words[2 + used :])
            case Op.ExecutionMode if words[1] == _EXECUTION_MODE_LOCAL_SIZE:
                found.sizes[words[0]] = words[2:]
            case Op.TypeInt | Op.TypeFloat | Op.TypeVector | Op.TypePointer:
                found.types[words[0]] = (op, words[1:])
            case Op.Variable:
                found.variables[words[1]] = (words[0], words[2])
            case Op.TypeStruct:
                fields = [found.members[words[0], at] for at in range(len(words) - 1)]
                found.structs.setdefault(found.names[words[0]], fields)
    return found


@cache
def compiled(source: str, opt: str, entry: str | None = None) -> Read:
    result = luma.compile(source, target="spirv", opt=opt, entry=entry, debug=True)
    assert result.success, "\n".join(d.render() for d in result.diagnostics)
    return read(result.output)


@cache
def view(source: str) -> Data:
    return dict(luma.reflect(source, spirv=True)["spirv"])


# ---------------------------------------------------------------- the target spirv


@pytest.mark.parametrize("opt", LEVELS)
def test_places_and_names_are_those_of_the_module(opt: str) -> None:
    told = luma.reflect(ALL, target="spirv", opt=opt)
    whole = compiled(ALL, opt)
    entries = told["target"]["entry_points"]
    assert [e["name"] for e in entries] == [e["name"] for e in told["entry_points"]]
    assert {e["emitted_name"] for e in entries} == set(whole.entries)
    ids = {c["name"]: c["spec_id"] for c in told["spec_constants"]}
    for entry in entries:
        alone = compiled(ALL, opt, entry["name"])
        bound = [b for b in entry["bindings"] if b["place"]]
        places = {b["emitted_name"]: (b["place"]["set"], b["place"]["binding"]) for b in bound}
        assert places == alone.places()
        unbound = {b["emitted_name"] for b in entry["bindings"] if not b["place"]}
        assert unbound == alone.pushed()
        for struct in entry["structs"]:
            fields = [f["emitted_name"] for f in struct["fields"]]
            assert alone.structs[struct["emitted_name"]] == fields
        constants = {c["emitted_name"]: ids[c["name"]] for c in entry["spec_constants"]}
        assert constants == alone.spec_ids()
        _, _, interface = alone.entries[entry["name"]]
        declared = {(alone.names[i], _semantic(alone.marks[i])) for i in interface}
        variables = (*entry["inputs"], *entry["outputs"])
        expected = {(v["emitted_name"], v["semantic"]) for v in variables if v["emitted_name"]}
        assert expected == declared


def _semantic(marks: dict[int, int]) -> str:
    if Decoration.Location in marks:
        return f"Location {marks[Decoration.Location]}"
    (name,) = (n for n, v in vars(BuiltIn).items() if v == marks[Decoration.BuiltIn])
    return f"BuiltIn {name}"


# ---------------------------------------------------------------- Vulkan's view


def sets(told: Data, entry: str) -> dict[str, tuple[int, int]]:
    """The bindings that an entry point reaches."""
    return {
        b["name"]: (s["set"], b["binding"])
        for s in told["descriptor_sets"]
        for b in s["bindings"]
        if entry in b["entry_points"]
    }


def test_sets_have_what_each_entry_point_declares() -> None:
    told = view(ALL)
    for entry in told["entry_points"]:
        alone = compiled(ALL, "none", entry["name"])
        assert sets(told, entry["name"]) == alone.places()
        assert _STAGES[alone.entries[entry["name"]][0]] == entry["stage"]
        ranges = {
            r["name"] for r in told["push_constant_ranges"] if entry["name"] in r["entry_points"]
        }
        assert ranges == alone.pushed()
        ids = {
            c["name"]: c["constant_id"]
            for c in told["specialization_map"]
            if entry["name"] in c["entry_points"]
        }
        assert ids == alone.spec_ids()


def test_no_optimized_shader_declares_more() -> None:
    for path in SHADERS:
        source = path.read_text(encoding="utf-8")
        result = luma.compile(source, target="spirv", opt="none", debug=True, name=str(path))
        told = luma.reflect(source, str(path), spirv=True)["spirv"]
        alone = read(result.output)
        every = {
            (b["name"], (s["set"], b["binding"]))
            for s in told["descriptor_sets"]
            for b in s["bindings"]
        }
        assert set(alone.places().items()) <= every, path.name
        assert set(alone.entries) == {e["name"] for e in told["entry_points"]}


def test_the_sets_of_a_module() -> None:
    told = view(ALL)["descriptor_sets"]
    assert [s["set"] for s in told] == [0, 1, 3]
    first = {b["name"]: b for b in told[0]["bindings"]}
    assert list(first) == ["scene", "albedo_tex", "albedo_samp", "time", "texture"]
    assert first["scene"]["descriptor_type"] == "VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER"
    assert first["scene"]["count"] == 1
    assert first["scene"]["stages"] == list(_STAGES.values())
    assert first["scene"]["entry_points"] == ["main", "shade", "kernel", "pushed"]
    assert first["albedo_tex"]["descriptor_type"] == "VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE"
    assert first["albedo_samp"]["descriptor_type"] == "VK_DESCRIPTOR_TYPE_SAMPLER"
    assert first["albedo_samp"]["stages"] == ["VK_SHADER_STAGE_FRAGMENT_BIT"]
    (last, loose) = told[2]["bindings"]
    assert (last["name"], last["binding"], loose["binding"]) == ("points", 2, 4)
    assert last["descriptor_type"] == "VK_DESCRIPTOR_TYPE_STORAGE_BUFFER"
    assert last["stages"] == ["VK_SHADER_STAGE_COMPUTE_BIT"]


def test_push_constants_and_specialization() -> None:
    told = view(ALL)
    assert told["push_constant_ranges"] == [
        {
            "name": "push",
            "offset": 0,
            "size": 48,
            "stages": ["VK_SHADER_STAGE_FRAGMENT_BIT"],
            "entry_points": ["pushed"],
        }
    ]
    rows = [
        (c["name"], c["constant_id"], c["offset"], c["size"]) for c in told["specialization_map"]
    ]
    assert rows == [("FANCY", 3, 0, 4), ("gain", 5, 4, 4)]
    assert told["specialization_map"][1]["stages"] == ["VK_SHADER_STAGE_VERTEX_BIT"]


def test_entry_points() -> None:
    entries = {e["name"]: e for e in view(ALL)["entry_points"]}
    module = compiled(ALL, "none")
    _, kernel, _ = module.entries["kernel"]
    assert list(module.sizes[kernel]) == entries["kernel"]["workgroup_size"] == [4, 2, 1]
    assert entries["shade"]["workgroup_size"] == [0, 0, 0]
    assert entries["shade"]["vertex_attributes"] == []
    assert entries["main"]["vertex_stride"] == 16
    attributes = {a["name"]: a for a in entries["main"]["vertex_attributes"]}
    assert [a["offset"] for a in attributes.values()] == [0, 12]
    alone = compiled(ALL, "none", "main")
    for identity in alone.entries["main"][2]:
        pointer, storage = alone.variables[identity]
        located = Decoration.Location in alone.marks[identity]
        if storage == StorageClass.Input and located:
            told = attributes.pop(alone.names[identity])
            assert told["location"] == alone.marks[identity][Decoration.Location]
            assert told["format"] == _format(alone, alone.types[pointer][1][1])
    assert not attributes


def _format(module: Read, type_id: int) -> str:
    op, words = module.types[type_id]
    size = 1
    if op == Op.TypeVector:
        size = words[1]
        op, words = module.types[words[0]]
    letters = "".join(f"{c}{words[0]}" for c in "RGBA"[:size])
    if op == Op.TypeFloat:
        return f"VK_FORMAT_{letters}_SFLOAT"
    return f"VK_FORMAT_{letters}_{'SINT' if words[1] else 'UINT'}"


@pytest.mark.parametrize(
    ("t", "expected"),
    [
        (INT, "VK_FORMAT_R32_SINT"),
        (Vector(UINT, 2), "VK_FORMAT_R32G32_UINT"),
        (Vector(HALF, 3), "VK_FORMAT_R16G16B16_SFLOAT"),
        (Vector(HALF, 4), "VK_FORMAT_R16G16B16A16_SFLOAT"),
    ],
    ids=str,
)
def test_vertex_formats(t: Scalar | Vector, expected: str) -> None:
    assert vertex_format(t) == expected


def test_halves_are_packed_by_twos() -> None:
    source = "@entry(vertex) function f(a: hvec3, b: float, c: half) -> "
    source += "(@builtin(position) p: vec4) return { p = vec4(float(a.x) + b + float(c)) } end"
    (entry,) = view(source)["entry_points"]
    assert [a["offset"] for a in entry["vertex_attributes"]] == [0, 8, 12]
    assert entry["vertex_stride"] == 16


def test_what_nothing_reaches_is_left_out() -> None:
    source = "uniform a: vec4 uniform b: vec4 @spec(1) const C = 1 "
    source += "@entry(fragment) function f() -> (c: vec4) return { c = b } end"
    told = view(source)
    assert [[b["name"] for b in s["bindings"]] for s in told["descriptor_sets"]] == [["b"]]
    assert told["specialization_map"] == []
