"""Jobs of the passes over a whole image."""

from __future__ import annotations

from typing import Any

from benchmarks.corpus.data import (
    f32,
    inverted,
    noise,
    perspective,
    screen,
    texture,
    uniform,
)
from benchmarks.corpus.entry import Entry
from tests.harness.jobs import Combined, Draw, Image, SamplerState
from tests.harness.reference import Spec, array
from tests.run.cases import shadow, tonemap

_CLAMPED = SamplerState(repeat=False)


def _tonemap() -> Draw:
    grade = uniform(
        {"exposure": "float", "saturation": "float", "vignette": "float"},
        exposure=0.7,
        saturation=1.2,
        vignette=0.6,
    )
    return screen({(0, 0): grade, (0, 1): texture(11, high=3.0)})


def _gaussian_exp() -> Draw:
    spec = {"direction": "vec2", "sigma": "float"}
    blur = uniform(spec, direction=[0.03, 0.01], sigma=2.3)
    return screen({(0, 0): blur, (0, 1): texture(12)})


def _gaussian_const() -> Draw:
    blur = uniform({"direction": "vec2"}, direction=[0.01, 0.03])
    return screen({(0, 0): blur, (0, 1): texture(13)})


def _bloom() -> Draw:
    spec = {
        "texel": "vec2",
        "threshold": "float",
        "knee": "float",
        "strength": "float",
    }
    bloom = uniform(spec, texel=[1 / 8, 1 / 6], threshold=0.8, knee=0.4, strength=0.3)
    return screen({(0, 0): bloom, (0, 1): texture(14, high=2.0), (0, 3): texture(15, 4, 3)})


def _depth_of_field() -> Draw:
    values = {
        "focal_length": 0.05,
        "aperture": 4.0,
        "focus": 3.0,
        "max_radius": 6.0,
        "near": 0.1,
        "far": 30.0,
    }
    spec = {"texel": "vec2", **dict.fromkeys(values, "float")}
    colors = texture(16, 12, 9)
    colors.image.levels[0][..., 3] = noise(17, 9, 12, low=-6, high=6)  # radii in pixels
    return screen(
        {
            (0, 0): uniform(spec, texel=[1 / 24, 1 / 18], **values),
            (0, 1): colors,
            (0, 3): texture(18, low=0.9, high=0.999),
        }
    )


def _fxaa() -> Draw:
    texels = noise(19, 9, 12, 4, high=0.2)
    texels[:, 5:] += f32(0.7)  # an edge
    texels[4:, 2:] *= f32(0.5)
    image = Combined(Image((texels,)), _CLAMPED)
    return screen({(0, 0): uniform({"texel": "vec2"}, texel=[1 / 12, 1 / 9]), (0, 1): image})


def _post_chain() -> Draw:
    values: dict[str, Any] = {
        "texel": [1 / 12, 1 / 9],
        "distortion": 0.2,
        "aberration": 0.03,
        "sharpness": 0.6,
        "bloom": 0.15,
        "exposure": 0.8,
        "contrast": 1.1,
        "tint": [1.0, 0.95, 0.9],
        "vignette": 0.7,
        "grain": 0.1,
        "time": 3.7,
    }
    spec = {**dict.fromkeys(values, "float"), "texel": "vec2", "tint": "vec3"}
    maps = {(0, 1): texture(20, 12, 9, high=2.0), (0, 3): texture(21, 6, 4)}
    return screen({(0, 0): uniform(spec, **values), **maps})


def _ssao() -> Draw:
    kernel = noise(22, 16, 4, low=-1)
    kernel[:, 2] = abs(kernel[:, 2])
    spec: dict[str, Spec] = {
        "projection": "mat4",
        "inverse_projection": "mat4",
        "kernel": array("vec4", 16),
        "noise_scale": "vec2",
        "radius": "float",
        "bias": "float",
    }
    view = uniform(
        spec,
        projection=perspective(far=10.0),
        inverse_projection=inverted(perspective(far=10.0)),
        kernel=kernel,
        noise_scale=[6.0, 4.5],
        radius=0.5,
        bias=0.02,
    )
    normals = texture(23, 12, 9, low=0.3, high=0.7)
    normals.image.levels[0][..., 2] += f32(0.3)
    return screen(
        {
            (0, 0): view,
            (0, 1): Combined(texture(24, 12, 9, low=0.94, high=0.97).image, _CLAMPED),
            (0, 3): normals,
            (0, 5): texture(25, 4, 4),
        }
    )


def _shadow() -> Draw:
    job = shadow.job()
    return screen(job.resources, job.size)


def _color_grade() -> Draw:
    job = tonemap.job()
    return screen(job.resources, job.size)


def _fragment(shader: str, entry: str, job: Any, reference: Any = None, **more: Any) -> Entry:
    return Entry(shader, entry, "fragment", job, reference, **more)


ENTRIES = (
    _fragment("bloom", "threshold", _bloom, several=True),
    _fragment("bloom", "downsample", _bloom, several=True),
    _fragment("bloom", "upsample", _bloom, several=True),
    _fragment("color_grade", "shade", _color_grade, tonemap.expected),
    _fragment("depth_of_field", "confuse", _depth_of_field, several=True),
    _fragment("depth_of_field", "gather", _depth_of_field, several=True, atol=1e-4),
    # A pixel whose brightness is at the border of its neighbours' takes one blur or the other.
    _fragment("fxaa", "antialias", _fxaa, outliers=0.01),
    _fragment("gaussian_blur_const", "shade", _gaussian_const),
    _fragment("gaussian_blur_exp", "shade", _gaussian_exp),
    _fragment("post_chain", "shade", _post_chain),
    # Whether the nearest texel of the map is this or that one is decided on its border.
    _fragment("shadow", "shade", _shadow, shadow.expected, outliers=0.02),
    _fragment("ssao", "occlude", _ssao, outliers=0.02, atol=1e-4),
    _fragment("tonemap", "shade", _tonemap),
)
