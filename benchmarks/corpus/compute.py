"""Jobs of the compute shaders."""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.corpus.data import noise, uniform, unit
from benchmarks.corpus.entry import Entry
from tests.harness.jobs import Dispatch, Image, Resources, SamplerState, Storage, Values
from tests.harness.reference import STD430, Spec, array, pack
from tests.run.cases import blur, histogram, mandelbrot, matmul, particles, prefix_sum, resize
from tests.run.cases import noise as noise_case

f32 = np.float32


def _zeros(count: int) -> Storage:
    return Storage(bytes(4 * count))


def _floats(values: Values) -> Storage:
    return Storage(values.astype(f32).tobytes())


def _boids() -> Dispatch:
    count = 90
    values = {
        "count": count,
        "dt": 0.1,
        "sight": 0.25,
        "personal_space": 0.1,
        "cohesion": 0.3,
        "separation": 0.8,
        "alignment": 0.4,
        "max_speed": 0.6,
    }
    spec = {name: "int" if name == "count" else "float" for name in values}
    before = noise(51, count, 4, high=1.0)
    before[:, 2:] -= f32(0.5)
    resources: Resources = {
        (0, 0): uniform(spec, **values),
        (0, 1): _floats(before),
        (0, 2): _zeros(4 * count),
    }
    return Dispatch("", (2, 1, 1), resources)


def _cloth() -> Dispatch:
    width, height = 13, 10
    y, x = np.meshgrid(np.arange(height), np.arange(width), indexing="ij")
    place = np.stack([x * 0.1, 0 * x, y * 0.1], axis=-1) + noise(52, height, width, 3, high=0.04)
    mass = noise(53, height, width, 1, low=0.5, high=2.0)
    mass[0, ::4] = 0  # pinned
    now = np.concatenate([place, mass], axis=-1)
    last = now - noise(54, height, width, 4, high=0.01)
    spec: dict[str, Spec] = {
        "size": "ivec2",
        "gravity": "vec3",
        "dt": "float",
        "rest": "float",
        "stiffness": "float",
        "damping": "float",
    }
    cloth = uniform(
        spec,
        size=(width, height),
        gravity=[0, -9.81, 0],
        dt=0.05,
        rest=0.1,
        stiffness=40.0,
        damping=0.02,
    )
    resources: Resources = {
        (0, 0): cloth,
        (0, 1): _floats(now),
        (0, 2): _floats(last),
        (0, 3): _zeros(4 * width * height),
    }
    return Dispatch("", (2, 2, 1), resources)


def _color_space() -> Dispatch:
    count = 120
    spec = {"count": "int", "hue": "float", "saturation": "float", "value": "float"}
    shift = uniform(spec, count=count, hue=0.3, saturation=1.3, value=0.8)
    colors = noise(55, count, 4, low=0.02)
    colors[3, :3] = 0.5  # grey has no hue
    return Dispatch("", (2, 1, 1), {(0, 0): shift, (0, 1): _floats(colors)})


def _fft_stage() -> Dispatch:
    size, rows = 64, 3
    spec = {"size": "int", "stride": "int", "direction": "float"}
    resources: Resources = {
        (0, 0): uniform(spec, size=size, stride=8, direction=-1.0),
        (0, 1): _floats(noise(56, rows * size, 2, low=-1)),
        (0, 2): _zeros(2 * rows * size),
    }
    return Dispatch("", (1, rows, 1), resources)


def _fluid() -> Dispatch:
    width, height = 14, 11
    spec = {"size": "ivec2", "dt": "float", "decay": "float"}
    resources: Resources = {
        (0, 0): uniform(spec, size=(width, height), dt=1.3, decay=0.2),
        (0, 1): Image((noise(57, height, width, 4, low=-1.5, high=1.5),)),
        (0, 2): Image((noise(58, height, width, 4, low=-1),)),
        (0, 3): SamplerState(repeat=False),
        (0, 4): _zeros(2 * width * height),
    }
    return Dispatch("", (2, 2, 1), resources)


def _reduction() -> Dispatch:
    count, groups = 700, 3
    resources: Resources = {
        (0, 0): uniform({"count": "int", "stride": "int"}, count=count, stride=64 * groups),
        (0, 1): _floats(noise(59, count, low=-5, high=9)),
        (0, 2): _zeros(3 * groups),
    }
    return Dispatch("", (groups, 1, 1), resources)


# ---------------------------------------------------------------- a tree of boxes

_NODE: Spec = {"low": "vec3", "left": "int", "high": "vec3", "right": "int"}
_RAY: Spec = {"origin": "vec3", "reach": "float", "direction": "vec3"}
_RAYS, _BOXES = 96, 40


def tree(lows: Values, highs: Values) -> list[dict[str, Any]]:
    """A tree over boxes, halved along the longest side of their common box."""
    nodes: list[dict[str, Any]] = []

    def add(boxes: Values) -> int:
        low, high = lows[boxes].min(axis=0), highs[boxes].max(axis=0)
        node = {"low": low, "left": -1, "high": high, "right": int(boxes[0])}
        nodes.append(node)
        place = len(nodes) - 1
        if len(boxes) > 1:
            order = boxes[np.argsort(lows[boxes, int(np.argmax(high - low))])]
            node["left"], node["right"] = add(order[::2]), add(order[1::2])
        return place

    add(np.arange(len(lows)))
    return nodes


def _ray_boxes() -> Dispatch:
    lows = noise(61, _BOXES, 3, low=-3, high=3)
    nodes = tree(lows, lows + noise(62, _BOXES, 3, low=0.2, high=0.9))
    origins = noise(63, _RAYS, 3, low=-6, high=-4)
    targets = noise(64, _RAYS, 3, low=-3, high=3)
    rays = [
        {"origin": o, "reach": 40.0, "direction": unit(*(t - o))}
        for o, t in zip(origins, targets, strict=True)
    ]
    resources: Resources = {
        (0, 0): uniform({"rays": "int"}, rays=_RAYS),
        (0, 1): Storage(pack(array(_NODE), nodes, STD430)),
        (0, 2): Storage(pack(array(_RAY), rays, STD430)),
        (0, 3): _zeros(_RAYS),
        (0, 4): _zeros(_RAYS),
    }
    return Dispatch("", (2, 1, 1), resources)


def _compute(shader: str, entry: str, job: Any, reference: Any = None, **more: Any) -> Entry:
    return Entry(shader, entry, "compute", job, reference, **more)


_BLUR, _MANDELBROT = blur.CASES[0], mandelbrot.CASES[0]

ENTRIES = (
    _compute("blur", "blur", _BLUR.job, _BLUR.expected),
    _compute("boids", "fly", _boids),
    _compute("cloth", "step_cloth", _cloth),
    _compute("color_space", "recolor", _color_space),
    _compute(
        "compute_prefix_sum",
        "prefix_sum",
        prefix_sum.job,
        prefix_sum.expected,
        reads={(0, 1): "uint32", (0, 2): "uint32"},
    ),
    _compute("fft_stage", "butterfly", _fft_stage),
    _compute("fluid", "advect", _fluid, several=True),
    _compute("fluid", "project", _fluid, several=True),
    _compute("histogram", "histogram", histogram.job, histogram.expected, reads={(0, 2): "uint32"}),
    # Near the border of the set one rounding more or less decides the time.
    _compute(
        "mandelbrot",
        "mandelbrot",
        _MANDELBROT.job,
        _MANDELBROT.expected,
        reads={(0, 1): "int32"},
        outliers=0.02,
    ),
    _compute("matmul", "multiply", matmul.job, matmul.expected),
    _compute("noise", "noise", noise_case.job, noise_case.expected),
    _compute("particles", "simulate", particles.job, particles.expected, reads={(0, 1): "uint32"}),
    _compute("ray_boxes", "trace", _ray_boxes, reads={(0, 4): "int32"}),
    _compute("reduction", "reduce", _reduction),
    _compute("resize_bicubic", "resize_bicubic", resize.job, resize.expected),
)
