"""A headless Vulkan device over the `vulkan` package: memory, buffers, images, samplers.

Everything made during a run is destroyed by :meth:`Device.release`.
"""

from __future__ import annotations

import glob
import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import vulkan as vk
from vulkan import _vulkan

from tests.harness.jobs import Image, SamplerState, Values

DRIVER_PATTERN = "/usr/share/vulkan/icd.d/lvp_icd*.json"


def select_driver(pattern: str) -> None:
    """Make the Vulkan loader use one driver alone.  Raises RuntimeError if it is not installed."""
    found = sorted(glob.glob(pattern))
    if not found:
        raise RuntimeError(f"a driver is missing: no {pattern} (install mesa-vulkan-drivers)")
    os.environ["VK_ICD_FILENAMES"] = os.environ["VK_DRIVER_FILES"] = found[0]
    os.environ.setdefault("XDG_RUNTIME_DIR", "/tmp")  # silences the window-system code


_ALIVE: list[Any] = []


def _keep_nested_structs_alive() -> None:
    """The package copies nested structs by value and lets what they point to die; hold it here."""
    original = _vulkan._new

    def new(ctype: Any, **fields: Any) -> Any:
        made = original(ctype, **fields)
        _ALIVE.append((made, fields))
        return made

    _vulkan._new = new


_keep_nested_structs_alive()

_VIEW_TYPES = {
    "2d": vk.VK_IMAGE_VIEW_TYPE_2D,
    "3d": vk.VK_IMAGE_VIEW_TYPE_3D,
    "cube": vk.VK_IMAGE_VIEW_TYPE_CUBE,
    "2darray": vk.VK_IMAGE_VIEW_TYPE_2D_ARRAY,
}
_COMPARE = {
    "less": vk.VK_COMPARE_OP_LESS,
    "less_equal": vk.VK_COMPARE_OP_LESS_OR_EQUAL,
    "greater": vk.VK_COMPARE_OP_GREATER,
    "greater_equal": vk.VK_COMPARE_OP_GREATER_OR_EQUAL,
}
_BUFFER_USAGE = (
    vk.VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT
    | vk.VK_BUFFER_USAGE_STORAGE_BUFFER_BIT
    | vk.VK_BUFFER_USAGE_VERTEX_BUFFER_BIT
    | vk.VK_BUFFER_USAGE_TRANSFER_SRC_BIT
    | vk.VK_BUFFER_USAGE_TRANSFER_DST_BIT
)
_ANY_ACCESS = vk.VK_ACCESS_MEMORY_READ_BIT | vk.VK_ACCESS_MEMORY_WRITE_BIT


@dataclass(frozen=True, slots=True)
class GpuBuffer:
    """A mapped buffer."""

    handle: Any
    mapping: Any
    size: int

    def read(self) -> bytes:
        """The bytes it holds now."""
        return bytes(self.mapping[:])


@dataclass(frozen=True, slots=True)
class GpuImage:
    """An image with one view of all of it."""

    handle: Any
    view: Any
    whole: Any
    aspect: int


class Device:
    """One logical device with one queue, of the driver that ``pattern`` finds (lavapipe)."""

    def __init__(self, pattern: str = DRIVER_PATTERN) -> None:
        select_driver(pattern)
        application = vk.VkApplicationInfo(apiVersion=vk.VK_MAKE_VERSION(1, 3, 0))
        self.instance = vk.vkCreateInstance(
            vk.VkInstanceCreateInfo(pApplicationInfo=application), None
        )
        self.physical = vk.vkEnumeratePhysicalDevices(self.instance)[0]
        self.handle = self._create()
        self.queue = vk.vkGetDeviceQueue(self.handle, 0, 0)
        memory = vk.vkGetPhysicalDeviceMemoryProperties(self.physical)
        self._memory = [memory.memoryTypes[i].propertyFlags for i in range(memory.memoryTypeCount)]
        self._pool = vk.vkCreateCommandPool(
            self.handle, vk.VkCommandPoolCreateInfo(queueFamilyIndex=0), None
        )
        self._cleanup: list[Callable[[], None]] = []

    def _create(self) -> Any:
        return self._create_with()

    def _create_with(self, extensions: tuple[str, ...] = (), more: Any = None) -> Any:
        """The logical device; ``more`` ends the chain of feature structs."""
        queue = vk.VkDeviceQueueCreateInfo(queueFamilyIndex=0, pQueuePriorities=[1.0])
        half = vk.VkPhysicalDeviceVulkan12Features(shaderFloat16=1, pNext=more)
        storage = vk.VkPhysicalDeviceVulkan11Features(
            storageBuffer16BitAccess=1, uniformAndStorageBuffer16BitAccess=1, pNext=half
        )
        features = vk.vkGetPhysicalDeviceFeatures(self.physical)
        info = vk.VkDeviceCreateInfo(
            pNext=storage,
            pQueueCreateInfos=[queue],
            pEnabledFeatures=features,
            ppEnabledExtensionNames=list(extensions),
        )
        return vk.vkCreateDevice(self.physical, info, None)

    @property
    def name(self) -> str:
        """The driver's name of the device."""
        return str(vk.vkGetPhysicalDeviceProperties(self.physical).deviceName)

    def own(self, destroy: Callable[..., None], handle: Any) -> Any:
        """Have ``handle`` destroyed with this run; gives it back."""
        self._cleanup.append(lambda: destroy(self.handle, handle, None))
        return handle

    def release(self) -> None:
        """Destroy all that this run made, latest first."""
        while self._cleanup:
            self._cleanup.pop()()
        vk.vkResetCommandPool(self.handle, self._pool, 0)
        _ALIVE.clear()

    def _allocate(self, needed: Any) -> Any:
        wanted = vk.VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | vk.VK_MEMORY_PROPERTY_HOST_COHERENT_BIT
        for index, flags in enumerate(self._memory):
            if needed.memoryTypeBits >> index & 1 and flags & wanted == wanted:
                info = vk.VkMemoryAllocateInfo(allocationSize=needed.size, memoryTypeIndex=index)
                return self.own(vk.vkFreeMemory, vk.vkAllocateMemory(self.handle, info, None))
        raise RuntimeError("no memory type is visible to the host")

    def buffer(self, data: bytes) -> GpuBuffer:
        """A buffer for any use that holds ``data``."""
        info = vk.VkBufferCreateInfo(size=len(data), usage=_BUFFER_USAGE, sharingMode=0)
        handle = vk.vkCreateBuffer(self.handle, info, None)
        memory = self._allocate(vk.vkGetBufferMemoryRequirements(self.handle, handle))
        self.own(vk.vkDestroyBuffer, handle)
        vk.vkBindBufferMemory(self.handle, handle, memory, 0)
        mapping = vk.vkMapMemory(self.handle, memory, 0, len(data), 0)
        mapping[:] = data
        return GpuBuffer(handle, mapping, len(data))

    def image(
        self,
        extent: tuple[int, int, int],
        image_format: int,
        usage: int,
        kind: str = "2d",
        levels: int = 1,
    ) -> GpuImage:
        """An image; the last number of ``extent`` is its depth (3d) or its layers."""
        width, height, depth = extent
        layers = depth if kind in ("cube", "2darray") else 1
        solid = kind == "3d"
        info = vk.VkImageCreateInfo(
            flags=vk.VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT if kind == "cube" else 0,
            imageType=vk.VK_IMAGE_TYPE_3D if solid else vk.VK_IMAGE_TYPE_2D,
            format=image_format,
            extent=vk.VkExtent3D(width, height, depth if solid else 1),
            mipLevels=levels,
            arrayLayers=layers,
            samples=1,
            tiling=vk.VK_IMAGE_TILING_OPTIMAL,
            usage=usage,
            initialLayout=vk.VK_IMAGE_LAYOUT_UNDEFINED,
        )
        handle = vk.vkCreateImage(self.handle, info, None)
        memory = self._allocate(vk.vkGetImageMemoryRequirements(self.handle, handle))
        self.own(vk.vkDestroyImage, handle)
        vk.vkBindImageMemory(self.handle, handle, memory, 0)
        is_depth = image_format == vk.VK_FORMAT_D32_SFLOAT
        aspect = vk.VK_IMAGE_ASPECT_DEPTH_BIT if is_depth else vk.VK_IMAGE_ASPECT_COLOR_BIT
        whole = vk.VkImageSubresourceRange(aspect, 0, levels, 0, layers)
        view_info = vk.VkImageViewCreateInfo(
            image=handle, viewType=_VIEW_TYPES[kind], format=image_format, subresourceRange=whole
        )
        view = self.own(vk.vkDestroyImageView, vk.vkCreateImageView(self.handle, view_info, None))
        return GpuImage(handle, view, whole, aspect)

    def texture(self, image: Image) -> GpuImage:
        """An image for sampling, with its texels uploaded."""
        extent = _extent(image.levels[0], image.depth)
        colour = vk.VK_FORMAT_R32G32B32A32_SFLOAT
        made = self.image(
            extent,
            vk.VK_FORMAT_D32_SFLOAT if image.depth else colour,
            vk.VK_IMAGE_USAGE_SAMPLED_BIT | vk.VK_IMAGE_USAGE_TRANSFER_DST_BIT,
            image.kind,
            len(image.levels),
        )

        def upload(commands: Any) -> None:
            destination = vk.VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL
            self.transition(commands, made, vk.VK_IMAGE_LAYOUT_UNDEFINED, destination)
            for level, texels in enumerate(image.levels):
                self._upload_level(commands, made, image, level, texels)
            readable = vk.VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL
            self.transition(commands, made, destination, readable)

        self.submit(upload)
        return made

    def _upload_level(
        self, commands: Any, made: GpuImage, image: Image, level: int, texels: Values
    ) -> None:
        width, height, depth = _extent(texels, image.depth)
        layered = image.kind in ("cube", "2darray")
        staging = self.buffer(np.ascontiguousarray(texels, np.float32).tobytes())
        region = vk.VkBufferImageCopy(
            imageSubresource=vk.VkImageSubresourceLayers(
                made.aspect, level, 0, depth if layered else 1
            ),
            imageOffset=vk.VkOffset3D(0, 0, 0),
            imageExtent=vk.VkExtent3D(width, height, 1 if layered else depth),
        )
        layout = vk.VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL
        vk.vkCmdCopyBufferToImage(commands, staging.handle, made.handle, layout, 1, [region])

    def sampler(self, state: SamplerState) -> Any:
        """A sampler object."""
        mode = (
            vk.VK_SAMPLER_ADDRESS_MODE_REPEAT
            if state.repeat
            else vk.VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE
        )
        info = vk.VkSamplerCreateInfo(
            magFilter=int(state.linear),
            minFilter=int(state.linear),
            mipmapMode=int(state.mip_linear),
            addressModeU=mode,
            addressModeV=mode,
            addressModeW=mode,
            maxLod=vk.VK_LOD_CLAMP_NONE,
            compareEnable=int(state.compare is not None),
            compareOp=_COMPARE[state.compare] if state.compare else 0,
        )
        return self.own(vk.vkDestroySampler, vk.vkCreateSampler(self.handle, info, None))

    def submit(self, record: Callable[[Any], None]) -> None:
        """Record commands, run them and wait for their end."""
        commands = vk.vkAllocateCommandBuffers(
            self.handle,
            vk.VkCommandBufferAllocateInfo(commandPool=self._pool, level=0, commandBufferCount=1),
        )[0]
        vk.vkBeginCommandBuffer(commands, vk.VkCommandBufferBeginInfo())
        record(commands)
        vk.vkEndCommandBuffer(commands)
        work = vk.VkSubmitInfo(pCommandBuffers=[commands])
        vk.vkQueueSubmit(self.queue, 1, [work], vk.ffi.NULL)
        vk.vkQueueWaitIdle(self.queue)
        vk.vkFreeCommandBuffers(self.handle, self._pool, 1, [commands])

    def transition(self, commands: Any, image: GpuImage, old: int, new: int) -> None:
        """Change an image's layout, with everything before done and visible after."""
        barrier = vk.VkImageMemoryBarrier(
            srcAccessMask=_ANY_ACCESS,
            dstAccessMask=_ANY_ACCESS,
            oldLayout=old,
            newLayout=new,
            srcQueueFamilyIndex=0,
            dstQueueFamilyIndex=0,
            image=image.handle,
            subresourceRange=image.whole,
        )
        stage = vk.VK_PIPELINE_STAGE_ALL_COMMANDS_BIT
        vk.vkCmdPipelineBarrier(commands, stage, stage, 0, 0, None, 0, None, 1, [barrier])


def _extent(texels: Values, depth: bool) -> tuple[int, int, int]:
    """(width, height, depth or layers) of a level's array."""
    shape = texels.shape if depth else texels.shape[:-1]
    return (shape[-1], shape[-2], shape[0] if len(shape) == 3 else 1)
