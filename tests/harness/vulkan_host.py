"""Runs a job on a Vulkan device: descriptors, pipelines, one dispatch or one draw."""

from __future__ import annotations

import struct
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import vulkan as vk

from tests.harness.jobs import (
    Combined,
    Dispatch,
    Draw,
    Image,
    Job,
    Outputs,
    Resources,
    SamplerState,
    Slot,
    SpecValue,
    Storage,
    Uniform,
    Values,
)
from tests.harness.spirv_reader import interface
from tests.harness.vulkan_device import Device, GpuBuffer, GpuImage

_DESCRIPTORS = {
    "uniform": vk.VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER,
    "storage": vk.VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
    "texture": vk.VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE,
    "sampler": vk.VK_DESCRIPTOR_TYPE_SAMPLER,
    "combined": vk.VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER,
}
_KIND_OF = {Uniform: "uniform", Storage: "storage", Image: "texture", SamplerState: "sampler"}

_ATTRIBUTE_FORMATS = {
    (kind, count): getattr(vk, f"VK_FORMAT_{'R32G32B32A32'[: 3 * count]}_{name}")
    for kind, name in (("f", "SFLOAT"), ("i", "SINT"), ("u", "UINT"))
    for count in (1, 2, 3, 4)
}
_TARGETS = {
    "float": (vk.VK_FORMAT_R32G32B32A32_SFLOAT, np.float32),
    "int": (vk.VK_FORMAT_R32G32B32A32_SINT, np.int32),
    "uint": (vk.VK_FORMAT_R32G32B32A32_UINT, np.uint32),
}
_COLOUR_LAYOUT = vk.VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL
_DEPTH_LAYOUT = vk.VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL
_READ_LAYOUT = vk.VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL


@dataclass(slots=True)
class _Bound:
    """The descriptors of a run."""

    layout: Any
    sets: list[Any]
    storage: dict[Slot, GpuBuffer]


class Host:
    """Runs jobs; what a run made is gone after it, also when it failed."""

    #: Flags of every pipeline (VkPipelineCreateFlagBits).
    pipeline_flags = 0

    def __init__(self, device: Device | None = None) -> None:
        self.device = device or Device()

    def run(self, job: Job, modules: tuple[bytes, ...]) -> Outputs:
        """Run a job with its SPIR-V modules: (compute,) or (vertex, fragment)."""
        try:
            if isinstance(job, Dispatch):
                return self._dispatch(job, modules[0])
            return self._draw(job, *modules)
        finally:
            self.device.release()

    # ------------------------------------------------------------ descriptors

    def _bind(self, resources: Resources, push: bytes, modules: tuple[bytes, ...]) -> _Bound:
        declared: dict[Slot, str] = {}
        for module in modules:
            declared |= interface(module).slots
        slots = _expand(resources, declared)
        _check(slots, declared)
        groups = max((group for group, _ in slots), default=-1) + 1
        layouts = [self._set_layout(slots, group) for group in range(groups)]
        ranges = [vk.VkPushConstantRange(vk.VK_SHADER_STAGE_ALL, 0, len(push))] if push else []
        layout = self.device.own(
            vk.vkDestroyPipelineLayout,
            vk.vkCreatePipelineLayout(
                self.device.handle,
                vk.VkPipelineLayoutCreateInfo(pSetLayouts=layouts, pPushConstantRanges=ranges),
                None,
            ),
        )
        sets = self._allocate_sets(layouts) if layouts else []
        return _Bound(layout, sets, self._write_sets(slots, sets))

    def _set_layout(self, slots: Mapping[Slot, tuple[str, Any]], group: int) -> Any:
        bindings = [
            vk.VkDescriptorSetLayoutBinding(
                binding=binding,
                descriptorType=_DESCRIPTORS[kind],
                descriptorCount=1,
                stageFlags=vk.VK_SHADER_STAGE_ALL,
            )
            for (owner, binding), (kind, _) in slots.items()
            if owner == group
        ]
        info = vk.VkDescriptorSetLayoutCreateInfo(pBindings=bindings)
        handle = vk.vkCreateDescriptorSetLayout(self.device.handle, info, None)
        return self.device.own(vk.vkDestroyDescriptorSetLayout, handle)

    def _allocate_sets(self, layouts: list[Any]) -> list[Any]:
        sizes = [vk.VkDescriptorPoolSize(kind, 32) for kind in _DESCRIPTORS.values()]
        pool_info = vk.VkDescriptorPoolCreateInfo(maxSets=len(layouts), pPoolSizes=sizes)
        pool = vk.vkCreateDescriptorPool(self.device.handle, pool_info, None)
        self.device.own(vk.vkDestroyDescriptorPool, pool)
        info = vk.VkDescriptorSetAllocateInfo(descriptorPool=pool, pSetLayouts=layouts)
        return list(vk.vkAllocateDescriptorSets(self.device.handle, info))

    def _write_sets(
        self, slots: Mapping[Slot, tuple[str, Any]], sets: list[Any]
    ) -> dict[Slot, GpuBuffer]:
        storage: dict[Slot, GpuBuffer] = {}
        writes = []
        for (group, binding), (kind, resource) in slots.items():
            info: dict[str, Any] = {}
            if kind in ("uniform", "storage"):
                buffer = self.device.buffer(resource.data)
                info["pBufferInfo"] = [vk.VkDescriptorBufferInfo(buffer.handle, 0, buffer.size)]
                if kind == "storage":
                    storage[group, binding] = buffer
            else:
                info["pImageInfo"] = [self._image_info(kind, resource)]
            writes.append(
                vk.VkWriteDescriptorSet(
                    dstSet=sets[group],
                    dstBinding=binding,
                    descriptorCount=1,
                    descriptorType=_DESCRIPTORS[kind],
                    **info,
                )
            )
        vk.vkUpdateDescriptorSets(self.device.handle, len(writes), writes, 0, None)
        return storage

    def _image_info(self, kind: str, resource: Any) -> Any:
        layout = vk.VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL
        if kind == "texture":
            view = self.device.texture(resource).view
            return vk.VkDescriptorImageInfo(imageView=view, imageLayout=layout)
        if kind == "sampler":
            return vk.VkDescriptorImageInfo(sampler=self.device.sampler(resource))
        return vk.VkDescriptorImageInfo(
            sampler=self.device.sampler(resource.sampler),
            imageView=self.device.texture(resource.image).view,
            imageLayout=layout,
        )

    # ------------------------------------------------------------ pipelines

    def _stage(self, binary: bytes, entry: str, bit: int, spec: Mapping[int, SpecValue]) -> Any:
        info = vk.VkShaderModuleCreateInfo(codeSize=len(binary), pCode=binary)
        module = vk.vkCreateShaderModule(self.device.handle, info, None)
        self.device.own(vk.vkDestroyShaderModule, module)
        return vk.VkPipelineShaderStageCreateInfo(
            stage=bit, module=module, pName=entry, pSpecializationInfo=_specialization(spec)
        )

    def _compute_pipeline(self, job: Dispatch, binary: bytes, bound: _Bound) -> Any:
        stage = self._stage(binary, job.entry, vk.VK_SHADER_STAGE_COMPUTE_BIT, job.spec)
        info = vk.VkComputePipelineCreateInfo(
            flags=self.pipeline_flags, stage=stage, layout=bound.layout
        )
        handle = vk.vkCreateComputePipelines(self.device.handle, vk.ffi.NULL, 1, [info], None)[0]
        return self.device.own(vk.vkDestroyPipeline, handle)

    def _dispatch(self, job: Dispatch, binary: bytes) -> Outputs:
        bound = self._bind(job.resources, job.push, (binary,))
        pipeline = self._compute_pipeline(job, binary, bound)

        def record(commands: Any) -> None:
            point = vk.VK_PIPELINE_BIND_POINT_COMPUTE
            begin(commands, point, pipeline, bound, job.push)
            vk.vkCmdDispatch(commands, *job.groups)

        self.device.submit(record)
        return {slot: buffer.read() for slot, buffer in bound.storage.items()}

    def _draw(self, job: Draw, vertex: bytes, fragment: bytes) -> Outputs:
        bound = self._bind(job.resources, job.push, (vertex, fragment))
        images = self._attachments(job)
        render_pass = self._render_pass(job)
        pipeline = self._graphics_pipeline(job, vertex, fragment, bound, render_pass)
        width, height = job.size
        info = vk.VkFramebufferCreateInfo(
            renderPass=render_pass,
            pAttachments=[image.view for image in images.values()],
            width=width,
            height=height,
            layers=1,
        )
        framebuffer = vk.vkCreateFramebuffer(self.device.handle, info, None)
        self.device.own(vk.vkDestroyFramebuffer, framebuffer)
        inputs = [self.device.buffer(_bytes(job.attributes[at])) for at in sorted(job.attributes)]
        back = {
            key: self.device.buffer(bytes(width * height * (4 if key == "depth" else 16)))
            for key in images
        }

        def record(commands: Any) -> None:
            self._record_draw(commands, job, bound, pipeline, render_pass, framebuffer, inputs)
            for key, image in images.items():
                region = vk.VkBufferImageCopy(
                    imageSubresource=vk.VkImageSubresourceLayers(image.aspect, 0, 0, 1),
                    imageOffset=vk.VkOffset3D(0, 0, 0),
                    imageExtent=vk.VkExtent3D(width, height, 1),
                )
                vk.vkCmdCopyImageToBuffer(
                    commands, image.handle, _READ_LAYOUT, back[key].handle, 1, [region]
                )

        self.device.submit(record)
        outputs: Outputs = {slot: buffer.read() for slot, buffer in bound.storage.items()}
        for key, buffer in back.items():
            outputs[key] = _texels(buffer.read(), job, key)
        return outputs

    def _record_draw(
        self,
        commands: Any,
        job: Draw,
        bound: _Bound,
        pipeline: Any,
        render_pass: Any,
        framebuffer: Any,
        inputs: list[GpuBuffer],
    ) -> None:
        width, height = job.size
        area = vk.VkRect2D(vk.VkOffset2D(0, 0), vk.VkExtent2D(width, height))
        colour = vk.VkClearValue(color=vk.VkClearColorValue(float32=list(job.clear)))
        clears = [colour] * len(job.targets)
        if job.depth:
            clears.append(vk.VkClearValue(depthStencil=vk.VkClearDepthStencilValue(1.0, 0)))
        beginning = vk.VkRenderPassBeginInfo(
            renderPass=render_pass,
            framebuffer=framebuffer,
            renderArea=area,
            pClearValues=clears,
        )
        vk.vkCmdBeginRenderPass(commands, beginning, vk.VK_SUBPASS_CONTENTS_INLINE)
        begin(commands, vk.VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline, bound, job.push)
        if inputs:
            handles = [buffer.handle for buffer in inputs]
            vk.vkCmdBindVertexBuffers(commands, 0, len(inputs), handles, [0] * len(inputs))
        vk.vkCmdDraw(commands, job.vertices, job.instances, 0, 0)
        vk.vkCmdEndRenderPass(commands)

    def _attachments(self, job: Draw) -> dict[int | str, GpuImage]:
        width, height = job.size
        source = vk.VK_IMAGE_USAGE_TRANSFER_SRC_BIT
        colour = vk.VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | source
        depth = vk.VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT | source
        images: dict[int | str, GpuImage] = {
            location: self.device.image((width, height, 1), _TARGETS[kind][0], colour)
            for location, kind in sorted(job.targets.items())
        }
        if job.depth:
            images["depth"] = self.device.image((width, height, 1), vk.VK_FORMAT_D32_SFLOAT, depth)
        return images

    def _render_pass(self, job: Draw) -> Any:
        formats = [_TARGETS[kind][0] for _, kind in sorted(job.targets.items())]
        if job.depth:
            formats.append(vk.VK_FORMAT_D32_SFLOAT)
        attachments = [
            vk.VkAttachmentDescription(
                format=each,
                samples=1,
                loadOp=vk.VK_ATTACHMENT_LOAD_OP_CLEAR,
                storeOp=vk.VK_ATTACHMENT_STORE_OP_STORE,
                stencilLoadOp=vk.VK_ATTACHMENT_LOAD_OP_DONT_CARE,
                stencilStoreOp=vk.VK_ATTACHMENT_STORE_OP_DONT_CARE,
                initialLayout=vk.VK_IMAGE_LAYOUT_UNDEFINED,
                finalLayout=_READ_LAYOUT,
            )
            for each in formats
        ]
        order = {location: index for index, location in enumerate(sorted(job.targets))}
        references = [
            vk.VkAttachmentReference(order.get(location, vk.VK_ATTACHMENT_UNUSED), _COLOUR_LAYOUT)
            for location in range(max(order, default=-1) + 1)
        ]
        depth = vk.VkAttachmentReference(len(order), _DEPTH_LAYOUT) if job.depth else None
        subpass = vk.VkSubpassDescription(
            pipelineBindPoint=vk.VK_PIPELINE_BIND_POINT_GRAPHICS,
            pColorAttachments=references,
            pDepthStencilAttachment=depth,
        )
        info = vk.VkRenderPassCreateInfo(pAttachments=attachments, pSubpasses=[subpass])
        handle = vk.vkCreateRenderPass(self.device.handle, info, None)
        return self.device.own(vk.vkDestroyRenderPass, handle)

    def _graphics_pipeline(
        self, job: Draw, vertex: bytes, fragment: bytes, bound: _Bound, render_pass: Any
    ) -> Any:
        width, height = job.size
        topology = {
            "triangles": vk.VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
            "points": vk.VK_PRIMITIVE_TOPOLOGY_POINT_LIST,
        }[job.topology]
        masks = [
            vk.VkPipelineColorBlendAttachmentState(blendEnable=0, colorWriteMask=15)
            for _ in range(max(job.targets, default=-1) + 1)
        ]
        area = vk.VkRect2D(vk.VkOffset2D(0, 0), vk.VkExtent2D(width, height))
        info = vk.VkGraphicsPipelineCreateInfo(
            flags=self.pipeline_flags,
            pStages=[
                self._stage(vertex, job.vertex, vk.VK_SHADER_STAGE_VERTEX_BIT, job.spec),
                self._stage(fragment, job.fragment, vk.VK_SHADER_STAGE_FRAGMENT_BIT, job.spec),
            ],
            pVertexInputState=_vertex_input(job.attributes),
            pInputAssemblyState=vk.VkPipelineInputAssemblyStateCreateInfo(topology=topology),
            pViewportState=vk.VkPipelineViewportStateCreateInfo(
                pViewports=[vk.VkViewport(0, 0, width, height, 0, 1)], pScissors=[area]
            ),
            pRasterizationState=vk.VkPipelineRasterizationStateCreateInfo(
                polygonMode=vk.VK_POLYGON_MODE_FILL,
                cullMode=vk.VK_CULL_MODE_NONE,
                frontFace=vk.VK_FRONT_FACE_COUNTER_CLOCKWISE,
                lineWidth=1.0,
            ),
            pMultisampleState=vk.VkPipelineMultisampleStateCreateInfo(rasterizationSamples=1),
            pDepthStencilState=vk.VkPipelineDepthStencilStateCreateInfo(
                depthTestEnable=int(job.depth),
                depthWriteEnable=int(job.depth),
                depthCompareOp=vk.VK_COMPARE_OP_LESS_OR_EQUAL,
            ),
            pColorBlendState=vk.VkPipelineColorBlendStateCreateInfo(
                pAttachments=masks, blendConstants=[0.0] * 4
            ),
            layout=bound.layout,
            renderPass=render_pass,
            subpass=0,
        )
        handle = vk.vkCreateGraphicsPipelines(self.device.handle, vk.ffi.NULL, 1, [info], None)[0]
        return self.device.own(vk.vkDestroyPipeline, handle)


def _expand(resources: Resources, declared: Mapping[Slot, str]) -> dict[Slot, tuple[str, Any]]:
    """Descriptors by slot: a combined sampler takes two unless the module wants it in one."""
    slots: dict[Slot, tuple[str, Any]] = {}
    for (group, binding), resource in sorted(resources.items(), key=lambda item: item[0]):
        if not isinstance(resource, Combined):
            slots[group, binding] = (_KIND_OF[type(resource)], resource)
        elif declared.get((group, binding)) == "combined":
            slots[group, binding] = ("combined", resource)
        else:
            slots[group, binding] = ("texture", resource.image)
            slots[group, binding + 1] = ("sampler", resource.sampler)
    return slots


def _check(slots: Mapping[Slot, tuple[str, Any]], declared: Mapping[Slot, str]) -> None:
    """Raise ValueError where a module's descriptors are not those that the job has."""
    for slot, kind in declared.items():
        have = slots.get(slot, ("nothing", None))[0]
        if have != kind:
            raise ValueError(f"the module declares a {kind} at {slot}; the job has {have} there")


def _specialization(spec: Mapping[int, SpecValue]) -> Any:
    if not spec:
        return None
    entries = [vk.VkSpecializationMapEntry(at, 4 * i, 4) for i, at in enumerate(spec)]
    raw = b"".join(_spec_bytes(value) for value in spec.values())
    return vk.VkSpecializationInfo(
        mapEntryCount=len(entries),
        pMapEntries=entries,
        dataSize=len(raw),
        pData=vk.ffi.from_buffer("char[]", raw),
    )


def _spec_bytes(value: SpecValue) -> bytes:
    if isinstance(value, float):
        return struct.pack("<f", value)
    return struct.pack("<I", int(value) & 0xFFFFFFFF)


def begin(commands: Any, point: int, pipeline: Any, bound: _Bound, push: bytes) -> None:
    """Record that what follows uses a pipeline with what is bound to it."""
    vk.vkCmdBindPipeline(commands, point, pipeline)
    if bound.sets:
        sets = bound.sets
        vk.vkCmdBindDescriptorSets(commands, point, bound.layout, 0, len(sets), sets, 0, None)
    if push:
        values = vk.ffi.new("char[]", push)
        stages = vk.VK_SHADER_STAGE_ALL
        vk.vkCmdPushConstants(commands, bound.layout, stages, 0, len(push), values)


def _vertex_input(attributes: Mapping[int, Values]) -> Any:
    bindings, descriptions = [], []
    for index, location in enumerate(sorted(attributes)):
        values = attributes[location]
        size = values.shape[1]
        bindings.append(vk.VkVertexInputBindingDescription(index, size * 4, 0))
        found = _ATTRIBUTE_FORMATS[values.dtype.kind, size]
        descriptions.append(vk.VkVertexInputAttributeDescription(location, index, found, 0))
    return vk.VkPipelineVertexInputStateCreateInfo(
        pVertexBindingDescriptions=bindings, pVertexAttributeDescriptions=descriptions
    )


def _bytes(values: Values) -> bytes:
    return np.ascontiguousarray(values).tobytes()


def _texels(raw: bytes, job: Draw, key: int | str) -> Values:
    width, height = job.size
    if isinstance(key, str):
        return np.frombuffer(raw, np.float32).reshape(height, width)
    return np.frombuffer(raw, _TARGETS[job.targets[key]][1]).reshape(height, width, 4)
