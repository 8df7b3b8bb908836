"""What an AMD GPU would execute, without one: Mesa's RADV compiles for a GPU that is not there.

Each stage is compiled by itself.  A vertex or fragment stage gets the least partner that uses
everything it is connected by, the same for all compilers.
"""

from __future__ import annotations

import glob
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import vulkan as vk

from benchmarks import assembly
from benchmarks.subjects import Subject
from luma.ir.module import IOVariable
from luma.language.stages import Stage
from luma.language.types import Kind, Scalar, Vector
from tests.harness.spirv_reader import interface
from tests.harness.validators import glsl_to_spirv
from tests.harness.vulkan_device import Device

FAMILIES = ("navi21", "gfx1100")
_DRIVER = "/usr/share/vulkan/icd.d/radeon_icd*.json"
_EXTENSION = "VK_KHR_pipeline_executable_properties"
_CAPTURE = (
    vk.VK_PIPELINE_CREATE_CAPTURE_STATISTICS_BIT_KHR
    | vk.VK_PIPELINE_CREATE_CAPTURE_INTERNAL_REPRESENTATIONS_BIT_KHR
)
_PUSH_BYTES = 128

_DESCRIPTORS = {
    "uniform": vk.VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER,
    "storage": vk.VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
    "texture": vk.VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE,
    "sampler": vk.VK_DESCRIPTOR_TYPE_SAMPLER,
    "combined": vk.VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER,
}
_FORMAT_ENDS = {Kind.FLOAT: "SFLOAT", Kind.HALF: "SFLOAT", Kind.INT: "SINT", Kind.UINT: "UINT"}
_GLSL_SCALARS = {Kind.FLOAT: "float", Kind.HALF: "float", Kind.INT: "int", Kind.UINT: "uint"}
_GLSL_PREFIXES = {Kind.FLOAT: "", Kind.HALF: "", Kind.INT: "i", Kind.UINT: "u"}

#: The driver's names of the stages.
_EXECUTABLES = {
    Stage.VERTEX: "Vertex Shader",
    Stage.FRAGMENT: "Fragment Shader",
    Stage.COMPUTE: "Compute Shader",
}


@dataclass(frozen=True, slots=True)
class Cost:
    """What a stage costs on a GPU.

    ``instructions``, ``throughput`` (the driver's "Inverse Throughput", in its cycles, loops and
    branches weighted by rule of thumb), ``latency`` and ``registers`` (VGPRs) are the driver's
    figures.  ``cycles`` are issue cycles read from the assembly, each instruction once, and
    ``weighted`` those of a run through all blocks with the subject's numbers of trips.
    """

    instructions: int
    cycles: int
    weighted: int
    throughput: int
    latency: int
    registers: int
    loops: int

    def as_json(self) -> dict[str, Any]:
        """The figures as plain data."""
        return asdict(self)


def comparable(costs: Iterable[Cost]) -> str:
    """The field by which the times of programs for the same stage are to be compared."""
    loops = {cost.loops for cost in costs}
    if len(loops) > 1:
        return "weighted"
    return "throughput" if any(loops) else "cycles"


@dataclass(frozen=True, slots=True)
class Program:
    """A stage as compiled: the driver's statistics by their names there, and the assembly."""

    statistics: Mapping[str, int]
    assembly: str

    def cost(self, trips: Sequence[int]) -> Cost:
        """What it costs if its loops make so many trips, outermost loop first."""
        issue = assembly.read(self.assembly)
        return Cost(
            self.statistics["Instructions"],
            issue.cycles,
            issue.weighted(trips),
            self.statistics["Inverse Throughput"],
            self.statistics["Latency"],
            self.statistics["VGPRs"],
            issue.loops,
        )


class DriverFailure(Exception):
    """The driver did not take a shader."""


class Gpu(Device):
    """RADV compiling for one GPU family."""

    def __init__(self, family: str) -> None:
        os.environ["RADV_FORCE_FAMILY"] = family
        os.environ["MESA_SHADER_CACHE_DISABLE"] = "true"
        os.environ["RADV_DEBUG"] = "nonggc"  # culling would compute positions a second time
        super().__init__(_DRIVER)
        address = vk.ffi.new("char[]", b"vkGetPipelineExecutableInternalRepresentationsKHR")
        self._representations = vk.ffi.cast(
            "PFN_vkGetPipelineExecutableInternalRepresentationsKHR",
            vk.lib.vkGetDeviceProcAddr(self.handle, address),
        )

    @staticmethod
    def available() -> bool:
        """Whether the driver is installed."""
        return bool(glob.glob(_DRIVER))

    def _create(self) -> Any:
        wanted = vk.VkPhysicalDevicePipelineExecutablePropertiesFeaturesKHR(
            pipelineExecutableInfo=1
        )
        return self._create_with((_EXTENSION,), wanted)

    def compile(self, subject: Subject, binary: bytes, entry: str) -> Program:
        """What the driver makes of a stage.  Raises DriverFailure."""
        try:
            if subject.stage is Stage.COMPUTE:
                pipeline = self._compute(binary, entry)
            else:
                pipeline = self._graphics(subject, binary, entry)
            return self._read(pipeline, _EXECUTABLES[subject.stage])
        except vk.VkError as refused:
            raise DriverFailure(f"{subject.name}: {type(refused).__name__}") from refused
        finally:
            self.release()

    # ------------------------------------------------------------ pipelines

    def _layout(self, *modules: bytes) -> Any:
        slots: dict[tuple[int, int], str] = {}
        for module in modules:
            slots |= interface(module).slots
        groups = max((group for group, _ in slots), default=-1) + 1
        layouts = [self._set_layout(slots, group) for group in range(groups)]
        push = vk.VkPushConstantRange(vk.VK_SHADER_STAGE_ALL, 0, _PUSH_BYTES)
        info = vk.VkPipelineLayoutCreateInfo(pSetLayouts=layouts, pPushConstantRanges=[push])
        handle = vk.vkCreatePipelineLayout(self.handle, info, None)
        return self.own(vk.vkDestroyPipelineLayout, handle)

    def _set_layout(self, slots: dict[tuple[int, int], str], group: int) -> Any:
        bindings = [
            vk.VkDescriptorSetLayoutBinding(
                binding=binding,
                descriptorType=_DESCRIPTORS[kind],
                descriptorCount=1,
                stageFlags=vk.VK_SHADER_STAGE_ALL,
            )
            for (owner, binding), kind in slots.items()
            if owner == group
        ]
        info = vk.VkDescriptorSetLayoutCreateInfo(pBindings=bindings)
        handle = vk.vkCreateDescriptorSetLayout(self.handle, info, None)
        return self.own(vk.vkDestroyDescriptorSetLayout, handle)

    def _stage(self, binary: bytes, entry: str, stage: Stage) -> Any:
        info = vk.VkShaderModuleCreateInfo(codeSize=len(binary), pCode=binary)
        module = vk.vkCreateShaderModule(self.handle, info, None)
        self.own(vk.vkDestroyShaderModule, module)
        bit = getattr(vk, f"VK_SHADER_STAGE_{stage.value.upper()}_BIT")
        return vk.VkPipelineShaderStageCreateInfo(stage=bit, module=module, pName=entry)

    def _compute(self, binary: bytes, entry: str) -> Any:
        info = vk.VkComputePipelineCreateInfo(
            flags=_CAPTURE,
            stage=self._stage(binary, entry, Stage.COMPUTE),
            layout=self._layout(binary),
        )
        handle = vk.vkCreateComputePipelines(self.handle, vk.ffi.NULL, 1, [info], None)[0]
        return self.own(vk.vkDestroyPipeline, handle)

    def _graphics(self, subject: Subject, binary: bytes, entry: str) -> Any:
        vertex_first = subject.stage is Stage.VERTEX
        if vertex_first:
            other = glsl_to_spirv(reading_all(subject.outputs), "fragment")
            stages = [
                self._stage(binary, entry, Stage.VERTEX),
                self._stage(other, "main", Stage.FRAGMENT),
            ]
            attributes, targets = subject.inputs, 1
        else:
            other = glsl_to_spirv(giving_all(subject.inputs), "vertex")
            stages = [
                self._stage(other, "main", Stage.VERTEX),
                self._stage(binary, entry, Stage.FRAGMENT),
            ]
            attributes, targets = subject.inputs, len(located(subject.outputs))
        info = vk.VkGraphicsPipelineCreateInfo(
            flags=_CAPTURE,
            pStages=stages,
            pVertexInputState=_vertex_input(located(attributes)),
            layout=self._layout(binary, other),
            renderPass=self._render_pass(targets),
            **_fixed_state(targets),
        )
        handle = vk.vkCreateGraphicsPipelines(self.handle, vk.ffi.NULL, 1, [info], None)[0]
        return self.own(vk.vkDestroyPipeline, handle)

    def _render_pass(self, targets: int) -> Any:
        attachment = vk.VkAttachmentDescription(
            format=vk.VK_FORMAT_R32G32B32A32_SFLOAT,
            samples=1,
            loadOp=vk.VK_ATTACHMENT_LOAD_OP_CLEAR,
            storeOp=vk.VK_ATTACHMENT_STORE_OP_STORE,
            stencilLoadOp=vk.VK_ATTACHMENT_LOAD_OP_DONT_CARE,
            stencilStoreOp=vk.VK_ATTACHMENT_STORE_OP_DONT_CARE,
            finalLayout=vk.VK_IMAGE_LAYOUT_GENERAL,
        )
        references = [
            vk.VkAttachmentReference(index, vk.VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL)
            for index in range(targets)
        ]
        subpass = vk.VkSubpassDescription(
            pipelineBindPoint=vk.VK_PIPELINE_BIND_POINT_GRAPHICS, pColorAttachments=references
        )
        info = vk.VkRenderPassCreateInfo(pAttachments=[attachment] * targets, pSubpasses=[subpass])
        handle = vk.vkCreateRenderPass(self.handle, info, None)
        return self.own(vk.vkDestroyRenderPass, handle)

    # ------------------------------------------------------------ what they became

    def _read(self, pipeline: Any, stage: str) -> Program:
        ask = vk.vkGetDeviceProcAddr
        properties = ask(self.handle, "vkGetPipelineExecutablePropertiesKHR")
        statistics = ask(self.handle, "vkGetPipelineExecutableStatisticsKHR")
        executables = properties(self.handle, vk.VkPipelineInfoKHR(pipeline=pipeline))
        names = [_text(each.name) for each in executables]
        index = names.index(stage)
        info = vk.VkPipelineExecutableInfoKHR(pipeline=pipeline, executableIndex=index)
        found = {
            _text(each.name): int(each.value.u64)
            for each in statistics(self.handle, info)
            if each.format == vk.VK_PIPELINE_EXECUTABLE_STATISTIC_FORMAT_UINT64_KHR
        }
        return Program(found, self._assembly(pipeline, index))

    def _assembly(self, pipeline: Any, index: int) -> str:
        """The text of a stage's program; the package's own wrapper gives it no room."""
        ffi = vk.ffi
        info = ffi.new(
            "VkPipelineExecutableInfoKHR*",
            {
                "sType": vk.VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_INFO_KHR,
                "pipeline": pipeline,
                "executableIndex": index,
            },
        )
        count = ffi.new("uint32_t*")
        self._representations(self.handle, info, count, ffi.NULL)
        kind = vk.VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_INTERNAL_REPRESENTATION_KHR
        forms = ffi.new(
            "VkPipelineExecutableInternalRepresentationKHR[]", [{"sType": kind}] * count[0]
        )
        self._representations(self.handle, info, count, forms)
        room = [ffi.new("char[]", form.dataSize + 1) for form in forms]
        for form, text in zip(forms, room, strict=True):
            form.pData = text
        self._representations(self.handle, info, count, forms)
        for form, text in zip(forms, room, strict=True):
            if ffi.string(form.name) == b"Assembly":
                return bytes(ffi.string(text)).decode(errors="replace")
        raise DriverFailure("the driver has no assembly")


def _text(name: Any) -> str:
    return name if isinstance(name, str) else vk.ffi.string(name).decode()


# ---------------------------------------------------------------- partner stages


def located(variables: Sequence[IOVariable]) -> list[IOVariable]:
    """The variables that have a location, by it."""
    return sorted((v for v in variables if v.location is not None), key=lambda v: v.location or 0)


def giving_all(inputs: Sequence[IOVariable]) -> str:
    """A vertex stage in GLSL that hands attributes on as the inputs of a fragment stage."""
    lines = ["#version 450"]
    body = ["gl_Position = vec4(gl_VertexIndex);"]
    for v in located(inputs):
        place, kind = f"layout(location = {v.location})", _glsl_type(v)
        lines += [
            f"{place} in {kind} a{v.location};",
            f"{place} {_flat(v)}out {kind} v{v.location};",
        ]
        body.append(f"v{v.location} = a{v.location};")
    return "\n".join([*lines, "void main() {", *body, "}", ""])


def reading_all(outputs: Sequence[IOVariable]) -> str:
    """A fragment stage in GLSL that needs every output of a vertex stage."""
    lines = ["#version 450", "layout(location = 0) out vec4 color;"]
    body = ["color = vec4(0.0);"]
    for v in located(outputs):
        lines.append(f"layout(location = {v.location}) {_flat(v)}in {_glsl_type(v)} v{v.location};")
        for component in "xyzw"[: _width(v)]:
            part = f".{component}" if _width(v) > 1 else ""
            body.append(f"color = color * 3.0 + float(v{v.location}{part});")
    return "\n".join([*lines, "void main() {", *body, "}", ""])


def _scalar(v: IOVariable) -> Kind:
    kind = v.type.elem if isinstance(v.type, Vector) else v.type
    assert isinstance(kind, Scalar)
    return kind.kind


def _width(v: IOVariable) -> int:
    return v.type.size if isinstance(v.type, Vector) else 1


def _glsl_type(v: IOVariable) -> str:
    width = _width(v)
    return _GLSL_SCALARS[_scalar(v)] if width == 1 else f"{_GLSL_PREFIXES[_scalar(v)]}vec{width}"


def _flat(v: IOVariable) -> str:
    return "flat " if _scalar(v) in (Kind.INT, Kind.UINT) or v.interpolation == "flat" else ""


def _vertex_input(attributes: Sequence[IOVariable]) -> Any:
    bindings = [
        vk.VkVertexInputBindingDescription(index, 16, 0) for index in range(len(attributes))
    ]
    descriptions = [
        vk.VkVertexInputAttributeDescription(v.location, index, _format(v), 0)
        for index, v in enumerate(attributes)
    ]
    return vk.VkPipelineVertexInputStateCreateInfo(
        pVertexBindingDescriptions=bindings, pVertexAttributeDescriptions=descriptions
    )


def _format(v: IOVariable) -> int:
    channels = "R32G32B32A32"[: 3 * _width(v)]
    return int(getattr(vk, f"VK_FORMAT_{channels}_{_FORMAT_ENDS[_scalar(v)]}"))


def _fixed_state(targets: int) -> dict[str, Any]:
    area = vk.VkRect2D(vk.VkOffset2D(0, 0), vk.VkExtent2D(64, 64))
    blend = vk.VkPipelineColorBlendAttachmentState(blendEnable=0, colorWriteMask=15)
    return {
        "pInputAssemblyState": vk.VkPipelineInputAssemblyStateCreateInfo(
            topology=vk.VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST
        ),
        "pViewportState": vk.VkPipelineViewportStateCreateInfo(
            pViewports=[vk.VkViewport(0, 0, 64, 64, 0, 1)], pScissors=[area]
        ),
        "pRasterizationState": vk.VkPipelineRasterizationStateCreateInfo(lineWidth=1.0),
        "pMultisampleState": vk.VkPipelineMultisampleStateCreateInfo(rasterizationSamples=1),
        "pColorBlendState": vk.VkPipelineColorBlendStateCreateInfo(
            pAttachments=[blend] * targets, blendConstants=[0.0] * 4
        ),
    }
