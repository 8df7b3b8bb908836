"""Shader stages, the builtin values that cross their borders, and the attributes."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from luma.language.types import BOOL, FLOAT, INT, UINT, Type, Vector


class Stage(Enum):
    """A pipeline stage; the value is its name in ``@entry(...)`` and ``--stage``."""

    VERTEX = "vertex"
    FRAGMENT = "fragment"
    COMPUTE = "compute"


#: Stages of the language that are not implemented yet; naming one is an error that says so.
PLANNED_STAGES = ("geometry", "tessellation_control", "tessellation_eval")


@dataclass(frozen=True, slots=True)
class BuiltinValue:
    """A value that the pipeline gives to or takes from an entry point.

    ``spirv`` is the name of the SPIR-V BuiltIn; a text backend spells it by ``name``.
    """

    name: str
    stage: Stage
    output: bool
    type: Type
    spirv: str
    doc: str


_UVEC3 = Vector(UINT, 3)
_VEC4 = Vector(FLOAT, 4)
_V, _F, _C = Stage

# fmt: off
#: One row a builtin value.
BUILTIN_VALUES: tuple[BuiltinValue, ...] = (
    BuiltinValue("vertex_id", _V, False, INT, "VertexIndex", "index of the vertex"),
    BuiltinValue("instance_id", _V, False, INT, "InstanceIndex", "index of the instance"),
    BuiltinValue("position", _V, True, _VEC4, "Position", "clip-space position"),
    BuiltinValue("point_size", _V, True, FLOAT, "PointSize", "diameter of a point in pixels"),
    BuiltinValue("frag_coord", _F, False, _VEC4, "FragCoord", "window position; w is 1 / clip w"),
    BuiltinValue("front_facing", _F, False, BOOL, "FrontFacing", "whether the primitive faces front"),
    BuiltinValue("sample_id", _F, False, INT, "SampleId", "index of the sample in its pixel"),
    BuiltinValue("primitive_id", _F, False, INT, "PrimitiveId", "index of the primitive"),
    BuiltinValue("frag_depth", _F, True, FLOAT, "FragDepth", "depth that replaces the fragment's own"),
    BuiltinValue("global_invocation_id", _C, False, _UVEC3, "GlobalInvocationId", "position in the whole dispatch"),
    BuiltinValue("local_invocation_id", _C, False, _UVEC3, "LocalInvocationId", "position in the workgroup"),
    BuiltinValue("workgroup_id", _C, False, _UVEC3, "WorkgroupId", "position of the workgroup in the dispatch"),
    BuiltinValue("num_workgroups", _C, False, _UVEC3, "NumWorkgroups", "workgroups in the dispatch"),
    BuiltinValue("local_invocation_index", _C, False, UINT, "LocalInvocationIndex", "flat index in the workgroup"),
)
# fmt: on

#: WebGPU's spellings, accepted as well.
BUILTIN_ALIASES = {
    "vertex_index": "vertex_id",
    "instance_index": "instance_id",
    "sample_index": "sample_id",
}

BUILTIN_VALUE: dict[str, BuiltinValue] = {b.name: b for b in BUILTIN_VALUES}


class Target(Enum):
    """What an attribute may stand on."""

    FUNCTION = "a function"
    PARAMETER = "a parameter of an entry point"
    ARGUMENT = "a parameter of an ordinary function"
    RESULT = "a named result"
    FIELD = "a struct field"
    STRUCT = "a struct"
    BINDING = "a uniform or buffer"
    CONST = "a const"
    LOOP = "a loop"


@dataclass(frozen=True, slots=True)
class AttributeRule:
    """One attribute: where it may stand and what arguments it takes.

    ``arguments`` has one letter an argument: ``i`` a non-negative constant int, ``n`` a constant
    float, ``w`` a word;
    ``required`` is how many must be there.
    """

    name: str
    targets: tuple[Target, ...]
    arguments: str = ""
    required: int = 0
    doc: str = ""


_IO = (Target.FIELD, Target.PARAMETER, Target.RESULT)
#: Where facts stand: on what the shader reads, and on what callers promise.
_GIVEN = (Target.FIELD, Target.PARAMETER, Target.ARGUMENT, Target.BINDING)

# fmt: off
#: One row an attribute.
ATTRIBUTES: dict[str, AttributeRule] = {rule.name: rule for rule in (
    AttributeRule("entry", (Target.FUNCTION,), "w", 1, "marks an entry point of a stage"),
    AttributeRule("location", _IO, "i", 1, "vertex attribute, inter-stage or colour attachment location"),
    AttributeRule("builtin", _IO, "w", 1, "a value of the pipeline's"),
    AttributeRule("interpolation", _IO, "w", 1, "flat, smooth or noperspective"),
    AttributeRule("group", (Target.BINDING,), "i", 1, "descriptor set or bind group"),
    AttributeRule("binding", (Target.BINDING,), "i", 1, "index in the group"),
    AttributeRule("push_constant", (Target.BINDING,), "", 0, "a push-constant block"),
    AttributeRule("workgroup_size", (Target.FUNCTION,), "iii", 1, "invocations in a workgroup"),
    AttributeRule("early_depth", (Target.FUNCTION,), "", 0, "depth test before the fragment stage"),
    AttributeRule("spec", (Target.CONST,), "i", 1, "a specialization constant"),
    AttributeRule("varying", (Target.STRUCT,), "", 0, "one struct for vertex output and fragment input"),
    AttributeRule("unit", _GIVEN, "", 0, "states that a vector is of length 1"),
    AttributeRule("rigid", _GIVEN, "", 0, "states that a matrix turns and moves, and does nothing else"),
    AttributeRule("affine", _GIVEN, "", 0, "states that a matrix has 0, 0, 0, 1 for its last row"),
    AttributeRule("range", _GIVEN, "nn", 2, "states between which numbers a value is"),
    AttributeRule("nonnegative", _GIVEN, "", 0, "states that a number is not below 0"),
    AttributeRule("unroll", (Target.LOOP,), "i", 0, "unroll; with N, run the body at most N times"),
    AttributeRule("max_iterations", (Target.LOOP,), "i", 1, "run the body at most n times"),
)}
# fmt: on

INTERPOLATIONS = ("flat", "smooth", "noperspective")
