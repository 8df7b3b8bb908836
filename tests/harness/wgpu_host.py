"""Runs WGSL on a WebGPU device of the `wgpu` package, after Tint of `wgpudawn` has checked it.

The y axis of WebGPU's clip space points the other way in the image than Vulkan's; vertex shaders
are wrapped so that an image comes out as it does there.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

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

_ICD = "/usr/share/vulkan/icd.d/lvp_icd.x86_64.json"
_FEATURES = ("float32-filterable", "shader-f16")
_VIEWS = {"2d": "2d", "3d": "3d", "cube": "cube", "2darray": "2d-array"}
_FORMATS = {"float": "rgba32float", "int": "rgba32sint", "uint": "rgba32uint"}
_TYPES = {"float": np.float32, "int": np.int32, "uint": np.uint32}
_ATTRIBUTES = {"f": "float32", "i": "sint32", "u": "uint32"}

_FILL_DEPTH = """
@group(0) @binding(0) var<storage, read> texels: array<f32>;
@group(0) @binding(1) var<uniform> size: vec4<u32>;
@vertex fn cover(@builtin(vertex_index) i: u32) -> @builtin(position) vec4<f32> {
    return vec4<f32>(f32(i & 1u) * 4.0 - 1.0, f32(i >> 1u) * 4.0 - 1.0, 0.0, 1.0);
}
@fragment fn fill(@builtin(position) at: vec4<f32>) -> @builtin(frag_depth) f32 {
    return texels[u32(at.y) * size.x + u32(at.x)];
}
"""


def _null_device() -> Any:
    """A device that checks and runs nothing."""
    os.environ["WGPU_BACKEND_TYPE"] = "Null"
    import wgpudawn

    adapter = wgpudawn.gpu.request_adapter_sync()
    wanted = [f for f in _FEATURES if f in adapter.features]
    device = adapter.request_device_sync(required_features=wanted)
    del os.environ["WGPU_BACKEND_TYPE"]
    return device


class Host:
    """Runs jobs on the software device."""

    def __init__(self) -> None:
        os.environ.setdefault("XDG_RUNTIME_DIR", "/tmp")
        self._tint = _null_device()
        os.environ["VK_ICD_FILENAMES"] = os.environ["VK_DRIVER_FILES"] = _ICD
        import wgpu

        adapter = wgpu.gpu.request_adapter_sync(power_preference="high-performance")
        self._wgpu = wgpu
        self._device = adapter.request_device_sync(required_features=list(_FEATURES))

    def run(self, job: Job, modules: tuple[bytes, ...]) -> Outputs:
        """Run a job with its texts: (compute,) or (vertex, fragment)."""
        texts = [module.decode() for module in modules]
        for text in texts:
            self._check(text)
        if isinstance(job, Draw):
            return self._draw(job, flipped(texts[0]), texts[1])
        return self._dispatch(job, texts[0]) if job.entry else {}

    def _check(self, text: str) -> None:
        try:
            self._tint.create_shader_module(code=text)
        except Exception as error:
            raise ValueError(f"Tint: {error}\n{text}") from None

    def _module(self, text: str) -> Any:
        try:
            return self._device.create_shader_module(code=text)
        except Exception as error:
            raise ValueError(f"naga: {error}\n{text}") from None

    # ------------------------------------------------------------ resources

    def _buffer(self, data: bytes, usage: int) -> Any:
        return self._device.create_buffer_with_data(data=data, usage=usage)

    def _bind(self, resources: Resources, texts: Iterable[str], visible: int) -> tuple[Any, ...]:
        """The pipeline's layout, its bind groups, and the storage buffers by slot."""
        declared: dict[Slot, str] = {}
        for text in texts:
            declared |= bindings(text)
        have = _expand(resources)
        layouts, groups = [], []
        storage: dict[Slot, Any] = {}
        for group in range(max((g for g, _ in declared), default=-1) + 1):
            entries, bound = [], []
            for slot in sorted(s for s in declared if s[0] == group):
                if slot not in have:
                    raise ValueError(f"the module declares {declared[slot]} at {slot}")
                entry, resource = self._resource(declared[slot], have[slot])
                entries.append({"binding": slot[1], "visibility": visible, **entry})
                bound.append({"binding": slot[1], "resource": resource})
                if isinstance(have[slot], Storage):
                    storage[slot] = resource["buffer"]
            layout = self._device.create_bind_group_layout(entries=entries)
            layouts.append(layout)
            groups.append(self._device.create_bind_group(layout=layout, entries=bound))
        return self._device.create_pipeline_layout(bind_group_layouts=layouts), groups, storage

    def _resource(self, declared: str, resource: Any) -> tuple[dict[str, Any], Any]:
        """A slot's layout, and what is bound there."""
        usage = self._wgpu.BufferUsage
        if declared == "uniform":
            assert isinstance(resource, Uniform)
            size = -(-len(resource.data) // 16) * 16
            buffer = self._buffer(resource.data.ljust(size, b"\0"), usage.UNIFORM)
            return {"buffer": {"type": "uniform"}}, _whole(buffer)
        if declared.startswith("storage"):
            assert isinstance(resource, Storage)
            buffer = self._buffer(resource.data, usage.STORAGE | usage.COPY_SRC)
            kind = "storage" if declared == "storage,read_write" else "read-only-storage"
            return {"buffer": {"type": kind}}, _whole(buffer)
        if declared.startswith("sampler"):
            assert isinstance(resource, SamplerState)
            kind = "comparison" if declared == "sampler_comparison" else "filtering"
            return {"sampler": {"type": kind}}, self._sampler(resource)
        assert isinstance(resource, Image)
        entry = {
            "sample_type": "depth" if "depth" in declared else "float",
            "view_dimension": _VIEWS[resource.kind],
        }
        return {"texture": entry}, self._texture(resource)

    def _sampler(self, state: SamplerState) -> Any:
        mode = "repeat" if state.repeat else "clamp-to-edge"
        filtered = "linear" if state.linear else "nearest"
        more = {"compare": state.compare.replace("_", "-")} if state.compare else {}
        return self._device.create_sampler(
            mag_filter=filtered,
            min_filter=filtered,
            mipmap_filter="linear" if state.mip_linear else "nearest",
            address_mode_u=mode,
            address_mode_v=mode,
            address_mode_w=mode,
            **more,
        )

    def _texture(self, image: Image) -> Any:
        usage = self._wgpu.TextureUsage
        first = image.levels[0]
        texels = first if image.depth else first[..., 0]
        depth = texels.shape[0] if texels.ndim == 3 else 1
        height, width = texels.shape[-2:]
        flags = usage.TEXTURE_BINDING | usage.COPY_DST
        texture = self._device.create_texture(
            size=(width, height, depth),
            format="depth32float" if image.depth else "rgba32float",
            usage=flags | (usage.RENDER_ATTACHMENT if image.depth else 0),
            dimension="3d" if image.kind == "3d" else "2d",
            mip_level_count=len(image.levels),
        )
        for level, values in enumerate(image.levels):
            size = max(1, width >> level), max(1, height >> level)
            layers = max(1, depth >> level) if image.kind == "3d" else depth
            raw = np.ascontiguousarray(values, np.float32)
            if image.depth:
                self._fill_depth(texture, raw.reshape(layers, size[1], size[0]), level)
            else:
                self._device.queue.write_texture(
                    {"texture": texture, "mip_level": level},
                    raw.tobytes(),
                    {"bytes_per_row": size[0] * 16, "rows_per_image": size[1]},
                    (*size, layers),
                )
        return texture.create_view(dimension=_VIEWS[image.kind])

    def _fill_depth(self, texture: Any, layers: Values, level: int) -> None:
        """Draw the texels: a queue cannot write to a depth texture."""
        usage = self._wgpu.BufferUsage
        module = self._module(_FILL_DEPTH)
        pipeline = self._device.create_render_pipeline(
            layout="auto",
            vertex={"module": module, "entry_point": "cover", "buffers": []},
            fragment={"module": module, "entry_point": "fill", "targets": []},
            primitive={"topology": "triangle-list"},
            depth_stencil=_depth_state("always"),
        )
        for layer, texels in enumerate(layers):
            size = np.array([texels.shape[1], 0, 0, 0], np.uint32).tobytes()
            buffers = (
                self._buffer(texels.tobytes(), usage.STORAGE),
                self._buffer(size, usage.UNIFORM),
            )
            group = self._device.create_bind_group(
                layout=pipeline.get_bind_group_layout(0),
                entries=[{"binding": i, "resource": _whole(b)} for i, b in enumerate(buffers)],
            )
            view = texture.create_view(
                dimension="2d",
                base_array_layer=layer,
                array_layer_count=1,
                base_mip_level=level,
                mip_level_count=1,
            )
            commands = self._device.create_command_encoder()
            render = commands.begin_render_pass(
                color_attachments=[], depth_stencil_attachment=_depth_attachment(view)
            )
            render.set_pipeline(pipeline)
            render.set_bind_group(0, group)
            render.draw(3)
            render.end()
            self._device.queue.submit([commands.finish()])

    # ------------------------------------------------------------ jobs

    def _stage(self, text: str, entry: str, spec: Mapping[int, SpecValue]) -> dict[str, Any]:
        stage: dict[str, Any] = {"module": self._module(text), "entry_point": _entry(text, entry)}
        given = {str(at): float(v) for at, v in spec.items() if f"@id({at})" in text}
        return {**stage, "constants": given} if given else stage

    def _dispatch(self, job: Dispatch, text: str) -> Outputs:
        visible = self._wgpu.ShaderStage.COMPUTE
        layout, groups, storage = self._bind(job.resources, [text], visible)
        stage = self._stage(text, job.entry, job.spec)
        pipeline = self._device.create_compute_pipeline(layout=layout, compute=stage)
        commands = self._device.create_command_encoder()
        compute = commands.begin_compute_pass()
        compute.set_pipeline(pipeline)
        for at, group in enumerate(groups):
            compute.set_bind_group(at, group)
        compute.dispatch_workgroups(*job.groups)
        compute.end()
        self._device.queue.submit([commands.finish()])
        return self._read_back(storage)

    def _read_back(self, storage: Mapping[Slot, Any]) -> Outputs:
        return {slot: bytes(self._device.queue.read_buffer(b)) for slot, b in storage.items()}

    def _draw(self, job: Draw, vertex: str, fragment: str) -> Outputs:
        stages = self._wgpu.ShaderStage
        visible = stages.VERTEX | stages.FRAGMENT
        texts = [vertex, fragment]
        if any("storage,read_write" in bindings(text).values() for text in texts):
            visible = stages.FRAGMENT
        layout, groups, storage = self._bind(job.resources, texts, visible)
        first = max(job.targets, default=-1) + 1
        targets = [
            {
                "format": _FORMATS[job.targets.get(at, "float")],
                "write_mask": 15 if at in job.targets else 0,
            }
            for at in range(first)
        ]
        topology = {"triangles": "triangle-list", "points": "point-list"}[job.topology]
        pipeline = self._device.create_render_pipeline(
            layout=layout,
            vertex={
                **self._stage(vertex, job.vertex, job.spec),
                "buffers": [
                    _vertex_buffer(at, job.attributes[at]) for at in sorted(job.attributes)
                ],
            },
            fragment={**self._stage(fragment, job.fragment, job.spec), "targets": targets},
            primitive={"topology": topology, "front_face": "ccw", "cull_mode": "none"},
            **({"depth_stencil": _depth_state("less-equal")} if job.depth else {}),
        )
        images = [self._image(job, _FORMATS[job.targets.get(at, "float")]) for at in range(first)]
        attachments = [
            {
                "view": image.create_view(),
                "load_op": "clear",
                "store_op": "store",
                "clear_value": job.clear,
            }
            for image in images
        ]
        more: dict[str, Any] = {}
        if job.depth:
            depth = self._image(job, "depth32float")
            more["depth_stencil_attachment"] = _depth_attachment(depth.create_view(), 1.0)
        commands = self._device.create_command_encoder()
        render = commands.begin_render_pass(color_attachments=attachments, **more)
        render.set_pipeline(pipeline)
        for index, group in enumerate(groups):
            render.set_bind_group(index, group)
        for index, at in enumerate(sorted(job.attributes)):
            data = np.ascontiguousarray(job.attributes[at]).tobytes()
            render.set_vertex_buffer(index, self._buffer(data, self._wgpu.BufferUsage.VERTEX))
        render.draw(job.vertices, job.instances)
        render.end()
        self._device.queue.submit([commands.finish()])
        outputs = self._read_back(storage)
        for at in job.targets:
            raw = self._read_texture(images[at], job.size, 16)
            shape = (job.size[1], job.size[0], 4)
            outputs[at] = np.frombuffer(raw, _TYPES[job.targets[at]]).reshape(shape)
        if job.depth:
            raw = self._read_texture(depth, job.size, 4)
            outputs["depth"] = np.frombuffer(raw, np.float32).reshape(job.size[1], job.size[0])
        return outputs

    def _image(self, job: Draw, form: str) -> Any:
        usage = self._wgpu.TextureUsage
        flags = usage.RENDER_ATTACHMENT | usage.COPY_SRC
        return self._device.create_texture(size=(*job.size, 1), format=form, usage=flags)

    def _read_texture(self, image: Any, size: tuple[int, int], texel: int) -> bytes:
        layout = {"bytes_per_row": size[0] * texel, "rows_per_image": size[1]}
        return bytes(self._device.queue.read_texture({"texture": image}, layout, (*size, 1)))


def _whole(buffer: Any) -> dict[str, Any]:
    return {"buffer": buffer, "offset": 0, "size": buffer.size}


def _depth_state(compare: str) -> dict[str, Any]:
    return {"format": "depth32float", "depth_write_enabled": True, "depth_compare": compare}


def _depth_attachment(view: Any, clear: float = 0.0) -> dict[str, Any]:
    return {
        "view": view,
        "depth_load_op": "clear",
        "depth_store_op": "store",
        "depth_clear_value": clear,
    }


def _vertex_buffer(location: int, values: Values) -> dict[str, Any]:
    width = values.shape[1]
    form = _ATTRIBUTES[values.dtype.kind] + (f"x{width}" if width > 1 else "")
    attribute = {"shader_location": location, "format": form, "offset": 0}
    return {"array_stride": width * 4, "attributes": [attribute]}


def _expand(resources: Resources) -> dict[Slot, Any]:
    """Resources by slot: a combined sampler takes two."""
    found: dict[Slot, Any] = {}
    for (group, binding), resource in resources.items():
        if isinstance(resource, Combined):
            found[group, binding] = resource.image
            found[group, binding + 1] = resource.sampler
        else:
            found[group, binding] = resource
    return found


# ---------------------------------------------------------------- reading the text

_BINDING = re.compile(r"@group\((\d+)\) @binding\((\d+)\) var(?:<([^>]*)>)? \w+: ([\w]+)")
_ATTRIBUTE = re.compile(r"@\w+(?:\([^)]*\))?\s*")
_STAGE = re.compile(r"@(?:vertex|fragment|compute)[^\n]*\nfn (\w+)\(")
_VERTEX = re.compile(r"@vertex\s+fn (\w+)\((.*?)\) -> ((?:@builtin\(position\) )?[\w<>]+) \{", re.S)


def _entry(text: str, name: str) -> str:
    """The name that the text has for an entry point."""
    found = _STAGE.findall(text)
    if name in found or len(found) != 1:
        return name
    return str(found[0])  # it is a reserved word


def bindings(text: str) -> dict[Slot, str]:
    """What a text declares at each slot: an address space, or the type of a handle."""
    return {
        (int(group), int(binding)): (space or kind).replace(" ", "")
        for group, binding, space, kind in _BINDING.findall(text)
    }


def flipped(text: str) -> str:
    """The text with its vertex entry point wrapped into one that negates the position's y."""
    found = _VERTEX.search(text)
    assert found is not None, text
    name, params, result = found.groups()
    inner = f"fn {name}_as_written({_ATTRIBUTE.sub('', params)}) -> {_ATTRIBUTE.sub('', result)} {{"
    names = re.findall(r"(\w+):", _ATTRIBUTE.sub("", params))
    position = re.search(r"@builtin\(position\) (\w+): vec4<f32>,", text)
    place = f"made.{position[1]}" if position and "@" not in result else "made"
    wrapper = (
        f"\n@vertex\nfn {name}({params}) -> {result} {{\n"
        f"    var made = {name}_as_written({', '.join(names)});\n"
        f"    {place}.y = -{place}.y;\n    return made;\n}}\n"
    )
    return text[: found.start()] + inner + text[found.end() :] + wrapper
