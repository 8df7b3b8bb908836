"""GLSL for the engine's OpenGL and OpenGL ES, by SPIRV-Cross.

The engine finds resources by names that tell where Vulkan would bind them: ``s1_b0`` is binding 0
of set 1, ``s1_b0_s1_b2`` an image there with the sampler at binding 2, ``CORE_PC_0`` the push
constants.  So the SPIR-V gets these names first, and loses the bindings.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator
from pathlib import Path

from luma.backends.spirv.builder import text_words
from luma.backends.spirv.grammar import Capability, Decoration, Dim, Op, StorageClass
from luma.backends.spirv.reader import Instruction, Malformed, Module, read, rewritten
from luma.diagnostics import Diagnostic
from luma.lume import types
from luma.lume.problems import NO_GL, SPIRV, failure, warning
from luma.lume.tools import Tool

#: Where the engine puts storage before it knows better: GLSL must say some binding.
_PLACEHOLDER = 11

_PUSH_CONSTANTS = "CORE_PC_0"

#: A specialization constant that tells the engine's backend, and its value for OpenGL.
_BACKEND_CONSTANT, _OPENGL = "CORE_BACKEND_TYPE", "1u"

#: A specialization constant that OpenGL gets as a uniform.
_FLIP = re.compile(
    r"#ifndef (SPIRV_CROSS_CONSTANT_ID_\d+)\n#define \1 .*\n#endif\n"
    r"const float CORE_FLIP_NDC = \1;\n"
)

_COMBINED = re.compile(r"\bSPIRV_Cross_Combined(s\d+_b\d+)(s\d+_b\d+)")

#: The version and the extensions, after which lines of one's own may stand.
_HEAD = re.compile(r"#version .*\n(?:#(?:if|el|endif|extension|error).*\n)*")

#: The outputs' suffixes, and what SPIRV-Cross is asked for.
_KINDS = {
    ".spv.gl": ("--version", "450", "--no-es"),
    ".spv.gles": ("--version", "320", "--es"),
}

#: How many views a shader draws: the engine says more when it comes to that.
_ONE_VIEW = ("--glsl-ovr-multiview-view-count", "1")

GL_SUFFIXES = tuple(_KINDS)

_PREAMBLE = frozenset(
    {
        Op.Capability,
        Op.Extension,
        Op.ExtInstImport,
        Op.MemoryModel,
        Op.EntryPoint,
        Op.ExecutionMode,
        Op.ExecutionModeId,
        Op.String,
        Op.Source,
        Op.SourceContinued,
        Op.SourceExtension,
    }
)


def to_gl(binary: bytes, cross: Tool) -> tuple[dict[str, bytes], tuple[Diagnostic, ...]]:
    """The texts by the suffix of their files, and a warning for each that cannot be.

    Raises LumaError (E0842, E0843) if SPIRV-Cross does not run or the SPIR-V makes no sense.
    """
    try:
        module = read(binary)
        named = rewritten(binary, _renamed(module))
    except Malformed as fault:
        raise failure(SPIRV, f"the SPIR-V cannot be read: {fault}") from None
    made: dict[str, bytes] = {}
    found = []
    views = _ONE_VIEW if _is_multiview(module) else ()
    for suffix, options in _KINDS.items():
        text, problem = _crossed(named, (*options, *views), cross)
        if problem:
            found.append(warning(NO_GL, f"no {suffix}: {problem}"))
        else:
            made[suffix] = _finished(text, module).encode()
    return made, tuple(found)


def _is_multiview(module: Module) -> bool:
    wanted = Instruction(Op.Capability, (Capability.MultiView,))
    return wanted in module.instructions


def _crossed(binary: bytes, options: tuple[str, ...], cross: Tool) -> tuple[str, str]:
    """SPIRV-Cross' text, or what it has against it."""
    with tempfile.TemporaryDirectory(prefix="luma-") as name:
        folder = Path(name)
        (folder / "in.spv").write_bytes(binary)
        done = cross.run([*options, "in.spv"], folder)
    said = done.stderr.decode("utf-8", "replace").strip()
    problem = (said or f"status {done.returncode}") if done.returncode else ""
    return done.stdout.decode("utf-8", "replace"), problem


# ---------------------------------------------------------------- names in the SPIR-V


def _renamed(module: Module) -> Iterator[Instruction]:
    """The module's instructions with the engine's names and without the bindings."""
    names = dict(_names(module))
    storage = {v for v in names if _is_storage(module, v)}
    pending = [Instruction(Op.Name, (id, *text_words(name))) for id, name in names.items()]
    for instruction in module.instructions:
        if pending and instruction.op not in _PREAMBLE:
            yield from pending
            pending = []
        match instruction:
            case Instruction(Op.Name, (id, *_)) if id in names:
                continue
            case Instruction(Op.Decorate, (id, Decoration.DescriptorSet, *_)) if id in names:
                continue
            case Instruction(Op.Decorate, (id, Decoration.Binding, *_)) if id in names:
                if id in storage:
                    yield Instruction(Op.Decorate, (id, Decoration.Binding, _PLACEHOLDER))
                continue
        yield instruction


def _names(module: Module) -> Iterator[tuple[int, str]]:
    """The engine's names of resources and of the types of blocks."""
    for variable, declared in module.variables.items():
        inner = types.unwrapped(module, module.pointee(declared.word(0)))[0]
        where = _place(module, variable)
        match declared.word(2):
            case StorageClass.PushConstant:
                yield variable, _PUSH_CONSTANTS
            case StorageClass.UniformConstant:
                yield variable, where
            case StorageClass.Uniform | StorageClass.StorageBuffer:
                yield inner, where
                yield variable, module.names.get(variable) or f"_{where}"


def _place(module: Module, variable: int) -> str:
    group = module.decoration(variable, Decoration.DescriptorSet) or 0
    return f"s{group}_b{module.decoration(variable, Decoration.Binding) or 0}"


def _is_storage(module: Module, id: int) -> bool:
    """Whether a variable is a storage buffer or image."""
    if id not in module.variables:
        return False
    declared = module.variables[id]
    inner = types.unwrapped(module, module.pointee(declared.word(0)))[0]
    match declared.word(2):
        case StorageClass.StorageBuffer:
            return True
        case StorageClass.Uniform:
            return Decoration.BufferBlock in module.decorations.get(inner, {})
    shape = module.type(inner)
    return shape.op == Op.TypeImage and shape.word(6) == 2 and shape.word(2) != Dim.SubpassData


# ---------------------------------------------------------------- the text


def _finished(text: str, module: Module) -> str:
    """The text as the engine wants it."""
    text = _COMBINED.sub(r"\1_\2", text)
    text = _FLIP.sub("uniform float CORE_FLIP_NDC ;\n", text)
    head = _HEAD.match(text)
    lines = "".join(_definitions(module))
    return text if head is None else text[: head.end()] + lines + text[head.end() :]


def _definitions(module: Module) -> Iterator[str]:
    """What tells the shader that OpenGL runs it."""
    for id, name in module.names.items():
        number = module.decoration(id, Decoration.SpecId)
        if name == _BACKEND_CONSTANT and number is not None:
            yield f"#define SPIRV_CROSS_CONSTANT_ID_{number} {_OPENGL}\n"
