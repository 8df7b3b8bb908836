"""Reflection of a SPIR-V module as the engine's tools make it: what goes into an LSB.

It goes by the module as the front end made it, before optimization, so that what is declared counts
even if it is not used.  Orders and sizes are those of SPIRV-Cross, on which those tools stand.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from luma.backends.spirv.grammar import (
    BuiltIn,
    Decoration,
    Dim,
    ExecutionMode,
    ExecutionModel,
    Op,
    StorageClass,
)
from luma.backends.spirv.reader import EntryPoint, Malformed, Module, read
from luma.diagnostics import Diagnostic
from luma.lume import types
from luma.lume.lsb import (
    MAX_BINDINGS,
    MAX_PUSH_BYTES,
    MAX_SETS,
    Binding,
    Constant,
    ConstantType,
    Descriptor,
    DescriptorSet,
    ImageFlags,
    Input,
    Reflection,
    Stage,
)
from luma.lume.problems import LEFT_OUT, SPIRV, failure, warning
from luma.lume.push_constants import push_constants

_STAGES = {
    ExecutionModel.Vertex: Stage.VERTEX,
    ExecutionModel.Fragment: Stage.FRAGMENT,
    ExecutionModel.GLCompute: Stage.COMPUTE,
}

#: Ids of specialization constants from here on are the engine's own.
RESERVED_IDS = 256

#: What is listed of several variables at one binding: the first in this order.
_PRIORITY = (
    Descriptor.COMBINED_IMAGE_SAMPLER,
    Descriptor.SAMPLER,
    Descriptor.SAMPLED_IMAGE,
    Descriptor.STORAGE_IMAGE,
    Descriptor.UNIFORM_BUFFER,
    Descriptor.STORAGE_BUFFER,
    Descriptor.INPUT_ATTACHMENT,
    Descriptor.ACCELERATION_STRUCTURE,
)


@dataclass(frozen=True, slots=True)
class Reflected:
    """A reflection, and warnings of what an LSB cannot tell of the shader."""

    reflection: Reflection
    warnings: tuple[Diagnostic, ...] = ()


def reflect(binary: bytes) -> Reflected:
    """The reflection of a module with one entry point.

    Raises LumaError (E0843) for what is no such module of a stage that the engine has.
    """
    try:
        return _reflect(read(binary))
    except Malformed as fault:
        raise failure(SPIRV, f"the SPIR-V cannot be reflected: {fault}") from None
    except RecursionError:
        raise failure(SPIRV, "the SPIR-V cannot be reflected: its types never end") from None


def _reflect(module: Module) -> Reflected:
    if len(module.entry_points) != 1:
        raise Malformed(f"it has {len(module.entry_points)} entry points instead of one")
    (entry,) = module.entry_points
    if entry.model not in _STAGES:
        raise Malformed("the engine has only vertex, fragment and compute shaders")
    stage = _STAGES[entry.model]
    variables = _interface(module, entry)
    pushed = push_constants(module, entry, variables)
    sets = _sets(module, variables)
    reflection = Reflection(
        stage,
        pushed,
        tuple(_constants(module)),
        tuple(s for s in sets if s.set < MAX_SETS),
        () if stage is Stage.COMPUTE else _inputs(module, variables),
        _local_size(module, entry) if stage is Stage.COMPUTE else None,
    )
    return Reflected(reflection, tuple(warning(LEFT_OUT, m) for m in _doubts(reflection, sets)))


def _interface(module: Module, entry: EntryPoint) -> list[int]:
    """The global variables, those of the entry point's interface where it lists all it uses."""
    listed = set(entry.interface)
    complete = module.version >= (1, 4)
    return [v for v in module.variables if not complete or v in listed]


def _doubts(reflection: Reflection, sets: tuple[DescriptorSet, ...]) -> Iterator[str]:
    """What the engine will not see, or not bear."""
    for group in sets:
        if group.set >= MAX_SETS:
            yield f"set {group.set} is left out: the engine has sets 0 to {MAX_SETS - 1}"
        elif len(group.bindings) > MAX_BINDINGS:
            found = f"set {group.set} has {len(group.bindings)} bindings"
            yield f"{found}: the engine has {MAX_BINDINGS} in a set"
    pushed = reflection.push_constants
    if pushed is not None and pushed.size > MAX_PUSH_BYTES:
        yield f"{pushed.size} bytes of push constants: the engine has {MAX_PUSH_BYTES}"
    for member in () if pushed is None else pushed.members:
        if member.gl_type == 0:
            yield f"the type of push constant '{member.name}' is unknown to the engine's OpenGL"
    for constant in reflection.constants:
        if constant.type == ConstantType.INVALID:
            yield f"the type of specialization constant {constant.id} is unknown to the engine"


# ---------------------------------------------------------------- specialization constants


def _constants(module: Module) -> Iterator[Constant]:
    """Scalars with an id of the shader's own, in the module's order."""
    for id, declared in module.constants.items():
        number = module.decoration(id, Decoration.SpecId)
        if number is not None and number < RESERVED_IDS:
            yield Constant(number, _constant_type(module, declared.word(0)))


def _constant_type(module: Module, id: int) -> ConstantType:
    match types.scalar(module, id):
        case (types.Kind.BOOL, _):
            return ConstantType.BOOL
        case (types.Kind.UINT, 32):
            return ConstantType.UINT
        case (types.Kind.INT, 32):
            return ConstantType.INT
        case (types.Kind.FLOAT, 32):
            return ConstantType.FLOAT
    return ConstantType.INVALID


# ---------------------------------------------------------------- descriptor sets


def _sets(module: Module, variables: list[int]) -> tuple[DescriptorSet, ...]:
    """The descriptor sets that something lies in, ascending, also those that the engine lacks."""
    found: list[tuple[int, Binding]] = []
    for variable in variables:
        described = _binding(module, variable)
        if described is not None:
            group = module.decoration(variable, Decoration.DescriptorSet) or 0
            found.append((group, described))
    found.sort(key=lambda pair: _PRIORITY.index(Descriptor(pair[1].descriptor)))
    sets: dict[int, dict[int, Binding]] = {}
    for group, described in found:
        sets.setdefault(group, {}).setdefault(described.binding, described)
    return tuple(
        DescriptorSet(group, tuple(bindings[b] for b in sorted(bindings)))
        for group, bindings in sorted(sets.items())
    )


def _binding(module: Module, variable: int) -> Binding | None:
    """What lies at a variable's binding, or None if the variable is no resource."""
    declared = module.variables[variable]
    inner, arrays = types.unwrapped(module, module.pointee(declared.word(0)))
    descriptor = _descriptor(module, declared.word(2), inner)
    if descriptor is None:
        return None
    number = module.decoration(variable, Decoration.Binding) or 0
    count = types.length(module, arrays[-1]) if arrays else 1
    return Binding(number, descriptor, count, *_shape(module, inner))


def _descriptor(module: Module, storage: int, id: int) -> Descriptor | None:
    marks = module.decorations.get(id, {})
    match storage:
        case StorageClass.UniformConstant:
            return _handle(module, id)
        case StorageClass.Uniform if Decoration.BufferBlock in marks:
            return Descriptor.STORAGE_BUFFER
        case StorageClass.Uniform if Decoration.Block in marks:
            return Descriptor.UNIFORM_BUFFER
        case StorageClass.StorageBuffer:
            return Descriptor.STORAGE_BUFFER
    return None


def _handle(module: Module, id: int) -> Descriptor | None:
    declared = module.type(id)
    match declared.op:
        case Op.TypeSampledImage:
            return Descriptor.COMBINED_IMAGE_SAMPLER
        case Op.TypeSampler:
            return Descriptor.SAMPLER
        case Op.TypeAccelerationStructureKHR:
            return Descriptor.ACCELERATION_STRUCTURE
        case Op.TypeImage if declared.word(2) == Dim.SubpassData:
            return Descriptor.INPUT_ATTACHMENT
        case Op.TypeImage if declared.word(6) == 1:
            return Descriptor.SAMPLED_IMAGE
        case Op.TypeImage if declared.word(6) == 2:
            return Descriptor.STORAGE_IMAGE
    return None


def _shape(module: Module, id: int) -> tuple[int, int]:
    """The dimension and flags of an image or of what a combined sampler samples; else zeros."""
    declared = module.type(id)
    if declared.op == Op.TypeSampledImage:
        declared = module.type(declared.word(1))
    if declared.op != Op.TypeImage:
        return 0, 0
    _, _, dim, depth, arrayed, multisampled, sampled = declared.words[:7]
    flags = {
        ImageFlags.DEPTH: depth != 0,
        ImageFlags.ARRAYED: arrayed != 0,
        ImageFlags.MULTISAMPLED: multisampled != 0,
        ImageFlags.SAMPLED: sampled == 1,
        ImageFlags.LOAD_STORE: sampled == 2,
    }
    return dim, sum(flag for flag, there in flags.items() if there)


# ---------------------------------------------------------------- inputs and the workgroup


def _inputs(module: Module, variables: list[int]) -> tuple[Input, ...]:
    """The stage's inputs but for builtin ones, ascending by location."""
    found = []
    for variable in variables:
        declared = module.variables[variable]
        if declared.word(2) == StorageClass.Input and not _is_builtin(module, variable):
            location = module.decoration(variable, Decoration.Location) or 0
            pointee = module.pointee(declared.word(0))
            found.append(Input(location, types.vertex_format(module, pointee)))
    return tuple(sorted(found, key=lambda i: i.location))


def _is_builtin(module: Module, variable: int) -> bool:
    """Whether a variable is a builtin value, or a block with one."""
    if Decoration.BuiltIn in module.decorations.get(variable, {}):
        return True
    inner = types.unwrapped(module, module.pointee(module.variables[variable].word(0)))[0]
    members = range(len(module.type(inner).words) - 1)
    return module.type(inner).op == Op.TypeStruct and any(
        Decoration.BuiltIn in module.member_decorations.get((inner, i), {}) for i in members
    )


def _local_size(module: Module, entry: EntryPoint) -> tuple[int, int, int]:
    """The size of the workgroup; where it can be specialized, the default."""
    for id, declared in module.constants.items():
        if module.decoration(id, Decoration.BuiltIn) == BuiltIn.WorkgroupSize:
            x, y, z = (types.value(module, declared.word(i)) for i in (2, 3, 4))
            return x, y, z
    for mode in module.modes:
        if mode.word(0) == entry.function and mode.word(1) == ExecutionMode.LocalSize:
            return mode.word(2), mode.word(3), mode.word(4)
        if mode.word(0) == entry.function and mode.word(1) == ExecutionMode.LocalSizeId:
            x, y, z = (types.value(module, mode.word(i)) for i in (2, 3, 4))
            return x, y, z
    raise Malformed("the compute shader has no workgroup size")
