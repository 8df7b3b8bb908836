"""Runs a job by the IR interpreter, with this module's own rasteriser between the stages."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from luma.ir.interpret import (
    Resources,
    Sampler,
    Texture,
    run_compute,
    run_fragment,
    run_vertex,
)
from luma.ir.module import EntryPoint, Module
from luma.language.types import Dim
from tests.harness.jobs import (
    Combined,
    Dispatch,
    Draw,
    Image,
    Job,
    Outputs,
    SamplerState,
    Storage,
    Uniform,
    Values,
)
from tests.harness.reference import Triangle

_DIMS = {"2d": Dim.D2, "3d": Dim.D3, "cube": Dim.CUBE, "2darray": Dim.D2_ARRAY}
_DTYPES = {"float": np.float32, "int": np.int32, "uint": np.uint32}


def interpret(job: Job, modules: tuple[Module, ...]) -> Outputs:
    """What a job gives; ``modules`` are IR, one each stage."""
    resources, buffers = _resources(job)
    if isinstance(job, Dispatch):
        run_compute(modules[0], job.entry, job.groups, resources)
        return {slot: bytes(data) for slot, data in buffers.items()}
    return _draw(job, modules[0], modules[1], resources)


def _resources(job: Job) -> tuple[Resources, dict[tuple[int, int], bytearray]]:
    buffers: dict[Any, bytes | bytearray] = {}
    storage: dict[tuple[int, int], bytearray] = {}
    textures: dict[Any, Texture] = {}
    samplers: dict[Any, Sampler] = {}
    for (group, binding), resource in job.resources.items():
        match resource:
            case Uniform(data):
                buffers[group, binding] = data
            case Storage(data):
                buffers[group, binding] = storage[group, binding] = bytearray(data)
            case Image():
                textures[group, binding] = _texture(resource)
            case SamplerState():
                samplers[group, binding] = _sampler(resource)
            case Combined(image, sampler):
                textures[group, binding] = _texture(image)
                samplers[group, binding + 1] = _sampler(sampler)
    constants: dict[str | int, bool | int | float] = dict(job.spec.items())
    made = Resources(buffers, textures, samplers, job.push, constants)
    return made, storage


def _texture(image: Image) -> Texture:
    return Texture(_DIMS[image.kind], [level.tolist() for level in image.levels])


def _sampler(state: SamplerState) -> Sampler:
    address = "repeat" if state.repeat else "clamp"
    return Sampler(state.linear, address, state.compare or "always")


def _draw(job: Draw, vertex: Module, fragment: Module, resources: Resources) -> Outputs:
    attributes = {location: values.tolist() for location, values in job.attributes.items()}
    inputs = {at: [v[0] if len(v) == 1 else v for v in rows] for at, rows in attributes.items()}
    corners = run_vertex(vertex, job.vertex, inputs, job.vertices, job.instances, resources)
    target = _Target(job, fragment, resources)
    if job.topology == "points":
        for corner in corners:
            target.point(corner)
    else:
        for first in range(0, len(corners), 3):
            target.triangle(corners[first : first + 3], first // 3)
    return target.outputs


class _Target:
    """The images that a draw fills."""

    def __init__(self, job: Draw, module: Module, resources: Resources) -> None:
        self._job, self._module, self._resources = job, module, resources
        self._point: EntryPoint = next(e for e in module.entry_points if e.name == job.fragment)
        width, height = job.size
        clear = np.array(job.clear)
        self.outputs: Outputs = {
            location: np.tile(clear.astype(_DTYPES[kind]), (height, width, 1))
            for location, kind in job.targets.items()
        }
        self._depth = np.ones((height, width), np.float32)
        if job.depth:
            self.outputs["depth"] = self._depth

    def triangle(self, corners: list[dict[int | str, Any]], number: int) -> None:
        """Shade what a triangle covers."""
        clip = np.array([corner["position"] for corner in corners])
        shape = Triangle(clip, *self._job.size)

        def inputs(x: float, y: float) -> Mapping[int | str, Any]:
            linear = shape.linear(x, y)
            found = self._varyings(corners, linear, shape.smooth(linear))
            found["frag_coord"] = (x, y, float(shape.depth(linear)), float(shape.inverse_w(linear)))
            found["front_facing"] = shape.front_facing
            found["primitive_id"] = number
            return found

        def covers(x: float, y: float) -> float | None:
            linear = shape.linear(x, y)
            return float(shape.depth(linear)) if (linear >= 0).all() else None

        self._shade(inputs, covers)

    def point(self, corner: dict[int | str, Any]) -> None:
        """Shade the square of a point."""
        x, y, z, w = corner["position"]
        centre = ((np.array([x, y]) / w * 0.5 + 0.5) * self._job.size).tolist()
        reach = corner.get("point_size", 1.0) / 2

        def inputs(px: float, py: float) -> Mapping[int | str, Any]:
            one = np.array([1.0, 0.0, 0.0])
            return self._varyings([corner] * 3, one, one)

        def covers(px: float, py: float) -> float | None:
            inside = -reach <= px - centre[0] < reach and -reach <= py - centre[1] < reach
            return float(z / w) if inside else None

        self._shade(inputs, covers)

    def _varyings(
        self, corners: list[dict[int | str, Any]], linear: Values, smooth: Values
    ) -> dict[int | str, Any]:
        found: dict[int | str, Any] = {}
        for variable in self._point.inputs:
            if variable.location is None:
                continue
            values = np.array([corner[variable.location] for corner in corners])
            if variable.interpolation == "flat" or values.dtype.kind != "f":
                found[variable.location] = values[0].tolist()
            else:
                straight = variable.interpolation == "noperspective"
                found[variable.location] = ((linear if straight else smooth) @ values).tolist()
        return found

    def _shade(self, inputs: Any, covers: Any) -> None:
        width, height = self._job.size
        rows = run_fragment(
            self._module, self._job.fragment, inputs, width, height, self._resources
        )
        for y, row in enumerate(rows):
            for x, result in enumerate(row):
                depth = covers(x + 0.5, y + 0.5)
                if result is not None and depth is not None:
                    self._write(x, y, result, result.get("frag_depth", depth))

    def _write(self, x: int, y: int, result: Mapping[int | str, Any], depth: float) -> None:
        if self._job.depth and depth > self._depth[y, x]:
            return
        self._depth[y, x] = depth
        for location in self._job.targets:
            if location in result:
                value = np.atleast_1d(result[location])
                image = self.outputs[location]
                assert isinstance(image, np.ndarray)
                image[y, x, : len(value)] = value
