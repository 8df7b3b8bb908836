"""Runs a job on compiled MSL: binds resources by the argument tables, calls lanes, rasterises.

The rasteriser has Vulkan's conventions, so that one reference serves all targets.
"""

from __future__ import annotations

import ctypes
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tests.harness.jobs import (
    Combined,
    Dispatch,
    Draw,
    Image,
    Job,
    Outputs,
    SamplerState,
    Slot,
    Storage,
    Uniform,
    Values,
)
from tests.harness.msl.source import Entry, Field, MslError
from tests.harness.reference import Triangle

_COMPARE = {
    None: 0, "never": 0, "less": 1, "less_equal": 2, "greater": 3, "greater_equal": 4,
    "equal": 5, "not_equal": 6, "always": 7,
}  # fmt: skip
_DTYPES = {"float": np.float32, "int": np.int32, "uint": np.uint32, "half": np.float16}
_TABLE = 31  # entries of Metal's argument table of buffers
_CONSTANTS = 64  # function constants that the runtime knows
#: Bytes after each buffer, so that a stray access of a shader does no harm.
_MARGIN = 256


@dataclass(frozen=True, slots=True)
class Stage:
    """A compiled entry point, and where its resources go.

    ``runtime`` is the library that runs lanes.  ``tables`` maps a descriptor's place to a class
    (``buffer``, ``texture``, ``sampler``) and an index in it.
    """

    runtime: str
    library: str
    space: str
    entry: Entry
    inputs: tuple[Field, ...]
    outputs: tuple[Field, ...]
    tables: Mapping[Slot, tuple[str, int]]
    push: int | None = None
    sizes: int | None = None
    workgroup: tuple[int, int, int] = (1, 1, 1)


class _Arguments(ctypes.Structure):
    _fields_ = [
        ("buffers", ctypes.c_void_p),
        ("textures", ctypes.c_void_p),
        ("samplers", ctypes.c_void_p),
        ("inputs", ctypes.c_void_p),
        ("outputs", ctypes.c_void_p),
        ("positions", ctypes.c_void_p),
        ("lanes", ctypes.c_long),
        ("vertices", ctypes.c_long),
        ("front", ctypes.c_long),
        ("primitive", ctypes.c_long),
        ("size", ctypes.c_uint * 3),
        ("count", ctypes.c_uint * 3),
    ]


class _Image(ctypes.Structure):
    _fields_ = [
        ("texels", ctypes.c_void_p * 16),
        ("width", ctypes.c_int),
        ("height", ctypes.c_int),
        ("depth", ctypes.c_int),
        ("levels", ctypes.c_int),
        ("solid", ctypes.c_int),
    ]


class _Sampler(ctypes.Structure):
    _fields_ = [(name, ctypes.c_int) for name in ("linear", "mip_linear", "repeat", "compare")]


def aligned(size: int) -> Values:
    """Zeroed bytes at an address that suits every type."""
    raw = np.zeros(size + 64, np.uint8)
    start = -raw.ctypes.data % 64
    return raw[start : start + size]


class Host:
    """Runs jobs; the runtime library is loaded once."""

    def __init__(self, runtime: str) -> None:
        self._runtime = ctypes.CDLL(runtime, mode=ctypes.RTLD_GLOBAL)

    def run(self, job: Job, stages: tuple[Stage, ...]) -> Outputs:
        """What a job gives."""
        memory = _Memory(job)
        if isinstance(job, Dispatch):
            _Call(self._runtime, stages[0], memory).dispatch(job.groups)
            return memory.storage()
        return _Target(self._runtime, job, stages, memory).draw()


@dataclass(slots=True)
class _Memory:
    """The resources of a job as C has them, by the class and slot."""

    job: Job
    buffers: dict[Slot, Values] = field(default_factory=dict)
    lengths: dict[Slot, int] = field(default_factory=dict)
    images: dict[Slot, _Image] = field(default_factory=dict)
    samplers: dict[Slot, _Sampler] = field(default_factory=dict)
    kept: list[Any] = field(default_factory=list)

    def __post_init__(self) -> None:
        for (group, binding), resource in self.job.resources.items():
            match resource:
                case Uniform(data) | Storage(data):
                    self.add((group, binding), data)
                case Image():
                    self.images[group, binding] = self._image(resource)
                case SamplerState():
                    self.samplers[group, binding] = _sampler(resource)
                case Combined(image, sampler):
                    self.images[group, binding] = self._image(image)
                    self.samplers[group, binding + 1] = _sampler(sampler)

    def add(self, slot: Slot, data: bytes) -> None:
        room = aligned(len(data) + _MARGIN)
        room[: len(data)] = np.frombuffer(data, np.uint8)
        self.buffers[slot], self.lengths[slot] = room, len(data)

    def storage(self) -> Outputs:
        """The bytes that are in the storage buffers now."""
        return {
            slot: self.buffers[slot][: self.lengths[slot]].tobytes()
            for slot, resource in self.job.resources.items()
            if isinstance(resource, Storage)
        }

    def _image(self, image: Image) -> _Image:
        made = _Image(levels=len(image.levels), solid=int(image.kind == "3d"))
        for number, level in enumerate(image.levels):
            texels = np.repeat(level[..., None], 4, -1) if image.depth else level
            texels = np.ascontiguousarray(texels, np.float32)
            self.kept.append(texels)
            made.texels[number] = texels.ctypes.data
            if number == 0:
                made.height, made.width = texels.shape[-3:-1]
                made.depth = texels.shape[0] if texels.ndim == 4 else 1
        return made


def _sampler(state: SamplerState) -> _Sampler:
    return _Sampler(
        int(state.linear), int(state.mip_linear), int(state.repeat), _COMPARE[state.compare]
    )


class _Call:
    """One stage, bound and ready to be called."""

    def __init__(self, runtime: ctypes.CDLL, stage: Stage, memory: _Memory) -> None:
        self.stage = stage
        self._runtime = runtime
        self._memory = memory
        self._library = ctypes.CDLL(stage.library)
        self._function = self._library[f"{stage.space}_{stage.entry.name}"]
        self._kept: list[Any] = []
        self.arguments = _Arguments(lanes=1)
        self._bind()
        self._specialize(memory.job.spec)

    def _bind(self) -> None:
        stage, memory = self.stage, self._memory
        buffers: dict[int, int] = {}
        textures: dict[int, int] = {}
        samplers = (_Sampler * _TABLE)()
        sizes = (ctypes.c_uint * _TABLE)()
        for slot, (kind, index) in stage.tables.items():
            if kind == "buffer":
                buffers[index] = memory.buffers[slot].ctypes.data
                sizes[index] = memory.lengths[slot]
            elif kind == "texture":
                textures[index] = ctypes.addressof(memory.images[slot])
            else:
                samplers[index] = memory.samplers[slot]
        if stage.push is not None:
            room = aligned(len(memory.job.push) + _MARGIN)
            room[: len(memory.job.push)] = np.frombuffer(memory.job.push, np.uint8)
            self._kept.append(room)
            buffers[stage.push] = room.ctypes.data
        if stage.sizes is not None:
            buffers[stage.sizes] = ctypes.addressof(sizes)
        tables = [_pointers(buffers), _pointers(textures), samplers, sizes]
        self._kept += tables
        self.arguments.buffers = ctypes.addressof(tables[0])
        self.arguments.textures = ctypes.addressof(tables[1])
        self.arguments.samplers = ctypes.addressof(samplers)

    def _specialize(self, spec: Mapping[int, bool | int | float]) -> None:
        values, given = (ctypes.c_double * _CONSTANTS)(), (ctypes.c_bool * _CONSTANTS)()
        for number, value in spec.items():
            values[number], given[number] = float(value), True
        self._library[f"{self.stage.space}_specialize"](values, given)

    def offsets(self, struct: str) -> list[int]:
        """The offsets of a struct's fields, then its size."""
        fields = self.stage.inputs if struct == self.stage.entry.stage_in else self.stage.outputs
        table = (ctypes.c_int * (len(fields) + 1)).in_dll(
            self._library, f"{self.stage.space}_{struct}_layout"
        )
        return list(table)

    def run(self, groups: int, lanes: int, fibers: bool) -> tuple[Values, bool]:
        """Call the lanes; gives which were discarded, and whether all met at each barrier."""
        gone = np.zeros(groups * lanes, np.uint8)
        self.arguments.lanes = lanes
        together = self._runtime.msl_run(
            self._function,
            ctypes.byref(self.arguments),
            ctypes.c_long(groups),
            lanes,
            int(fibers),
            ctypes.c_void_p(gone.ctypes.data),
        )
        return gone.astype(bool), bool(together)

    def dispatch(self, groups: tuple[int, int, int]) -> None:
        """Run a grid of workgroups."""
        size = self.stage.workgroup
        self.arguments.size[:] = size
        self.arguments.count[:] = groups
        count = groups[0] * groups[1] * groups[2]
        _, together = self.run(count, size[0] * size[1] * size[2], self.stage.entry.fibers)
        if not together:
            raise MslError("a barrier is not met by all lanes of a workgroup")

    def stage_run(self, columns: Mapping[str, Values], count: int, lanes: int) -> _Results:
        """Run items of a draw; ``columns`` has the values of the input struct's fields."""
        entry = self.stage.entry
        if entry.stage_in:
            *offsets, size = self.offsets(entry.stage_in)
            room = aligned(count * size)
            rows = room.reshape(count, size)
            for item, offset in zip(self.stage.inputs, offsets, strict=True):
                scalar, width = shape_of(item.type)
                part = np.zeros((count, width), scalar)
                part[:] = columns[item.name].reshape(count, -1)[:, :width]
                data = np.ascontiguousarray(part).view(np.uint8).reshape(count, -1)
                rows[:, offset : offset + data.shape[1]] = data
            self._kept.append(room)
            self.arguments.inputs = room.ctypes.data
        offsets, size = [], 16
        if entry.result:
            *offsets, size = self.offsets(entry.layout)
        out = aligned(count * size)
        self.arguments.outputs = out.ctypes.data
        gone, _ = self.run(count // lanes, lanes, entry.fibers and lanes == 4)
        rows = out.reshape(count, size)
        found: dict[str, Values] = {}
        for item, offset in zip(self.stage.outputs, offsets, strict=True):
            scalar, width = shape_of(item.type)
            size = np.dtype(scalar).itemsize * width
            data = np.ascontiguousarray(rows[:, offset : offset + size])
            found[item.name] = data.view(scalar).reshape(count, width)
        return _Results(found, gone)


@dataclass(frozen=True, slots=True)
class _Results:
    """The fields of the output struct by name, and which items were discarded."""

    fields: dict[str, Values]
    gone: Values


def shape_of(name: str) -> tuple[Any, int]:
    """The NumPy type and the number of components of a scalar or vector type."""
    kind, width = (name[:-1], int(name[-1])) if name[-1].isdigit() else (name, 1)
    if kind not in _DTYPES:
        raise MslError(f"a stage passes a {name}")
    return _DTYPES[kind], width


def _pointers(places: Mapping[int, int]) -> Any:
    table = (ctypes.c_void_p * 128)()
    for index, address in places.items():
        table[index] = address
    return table


class _Target:
    """The images that a draw fills."""

    def __init__(
        self, runtime: ctypes.CDLL, job: Draw, stages: tuple[Stage, ...], memory: _Memory
    ) -> None:
        self._job, self._memory = job, memory
        self._vertex, self._fragment = (_Call(runtime, stage, memory) for stage in stages)
        width, height = job.size
        clear = np.array(job.clear)
        self._images: dict[int, Values] = {
            location: np.tile(clear.astype(_DTYPES[kind]), (height, width, 1))
            for location, kind in job.targets.items()
        }
        self._depth = np.ones((height, width), np.float32)
        # Quads cover the target and, where its size is odd, one row or column more.
        x, y = np.meshgrid(np.arange(0, width, 2), np.arange(0, height, 2))
        corner = np.stack([x.ravel(), y.ravel()], -1)
        lanes = np.array([[0, 0], [1, 0], [0, 1], [1, 1]])
        self._pixels = (corner[:, None, :] + lanes[None]).reshape(-1, 2)

    def draw(self) -> Outputs:
        """Run both stages."""
        job, call = self._job, self._vertex
        count = job.vertices * job.instances
        call.arguments.vertices = job.vertices
        columns = {}
        for item in call.stage.inputs:
            location = item.number("attribute")
            assert location is not None
            values = job.attributes[location]
            self._same_kind(item.type, values)
            columns[item.name] = np.tile(values, (job.instances, 1))
        corners = call.stage_run(columns, count, 1).fields
        step = 1 if job.topology == "points" else 3
        for number, first in enumerate(range(0, count, step)):
            part = {name: values[first : first + step] for name, values in corners.items()}
            if step == 1:
                self._point(part)
            else:
                self._triangle(part, number % (job.vertices // 3))
        outputs = self._memory.storage()
        for location, image in self._images.items():
            outputs[location] = image
        if job.depth:
            outputs["depth"] = self._depth
        return outputs

    def _same_kind(self, name: str, values: Values) -> None:
        if np.dtype(shape_of(name)[0]).kind != values.dtype.kind:
            raise MslError(f"a vertex attribute of type {values.dtype} is declared as {name}")

    def _builtin(self, part: Mapping[str, Values], attribute: str) -> Values | None:
        for item in self._vertex.stage.outputs:
            if attribute in item.attributes:
                return part[item.name]
        return None

    def _triangle(self, part: Mapping[str, Values], number: int) -> None:
        clip = self._builtin(part, "position")
        assert clip is not None
        shape = Triangle(clip, *self._job.size)
        places = self._pixels + 0.5
        linear = shape.linear(places[:, 0], places[:, 1])
        covered = np.asarray((linear >= 0).all(-1))
        smooth = shape.smooth(linear)
        at = np.stack([*places.T, shape.depth(linear), shape.inverse_w(linear)], -1)
        self._fragment.arguments.front = int(shape.front_facing)
        self._fragment.arguments.primitive = number
        columns = {
            item.name: _interpolated(item, self._corners(item, part), linear, smooth)
            for item in self._fragment.stage.inputs
        }
        self._shade(columns, at, covered)

    def _point(self, part: Mapping[str, Values]) -> None:
        clip, size = self._builtin(part, "position"), self._builtin(part, "point_size")
        assert clip is not None
        x, y, z, w = clip[0].tolist()
        reach = (1.0 if size is None else float(size[0, 0])) / 2
        centre = (np.array([x, y]) / w * 0.5 + 0.5) * self._job.size
        offset = self._pixels + 0.5 - centre
        covered = np.asarray(((offset >= -reach) & (offset < reach)).all(-1))
        at = np.zeros((len(offset), 4))
        at[:, :2], at[:, 2], at[:, 3] = self._pixels + 0.5, z / w, 1 / w
        count = len(offset)
        columns = {
            item.name: np.repeat(self._corners(item, part)[:1], count, 0)
            for item in self._fragment.stage.inputs
        }
        self._shade(columns, at, covered)

    def _corners(self, item: Field, part: Mapping[str, Values]) -> Values:
        """The values that the vertex stage gave for a fragment input."""
        for given in self._vertex.stage.outputs:
            if given.number("user") == item.number("user") and given.number("user") is not None:
                if given.type != item.type:
                    raise MslError(f"{item.name} is {given.type} before and {item.type} after")
                return part[given.name]
        raise MslError(f"the vertex stage gives no {item.name}")

    def _shade(self, columns: Mapping[str, Values], at: Values, covered: Values) -> None:
        wanted = covered.reshape(-1, 4).any(-1).repeat(4)
        count = int(wanted.sum())
        if not count:
            return
        positions = aligned(count * 16)
        positions[:] = at[wanted].astype(np.float32).view(np.uint8).ravel()
        self._fragment.arguments.positions = positions.ctypes.data
        inputs = {name: values[wanted] for name, values in columns.items()}
        results = self._fragment.stage_run(inputs, count, 4)
        places, depths = self._pixels[wanted], at[wanted, 2]
        shown = covered[wanted] & ~results.gone
        own = [f for f in self._fragment.stage.outputs if "depth(any)" in f.attributes]
        if own:
            depths = results.fields[own[0].name][:, 0]
        width, height = self._job.size
        for index in np.flatnonzero(shown):
            x, y = places[index]
            if x >= width or y >= height or (self._job.depth and depths[index] > self._depth[y, x]):
                continue
            self._depth[y, x] = depths[index]
            for item in self._fragment.stage.outputs:
                location = item.number("color")
                if location is not None and location in self._images:
                    value = results.fields[item.name][index]
                    self._images[location][y, x, : len(value)] = value


def _interpolated(item: Field, corners: Values, linear: Values, smooth: Values) -> Values:
    if "flat" in item.attributes:
        return np.repeat(corners[:1], len(linear), 0)
    if corners.dtype.kind != "f":
        raise MslError(f"the integers of {item.name} are not flat")
    weights = linear if "center_no_perspective" in item.attributes else smooth
    result: Values = (weights @ corners.astype(np.float64)).astype(corners.dtype)
    return result
