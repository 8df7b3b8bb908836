"""Jobs of the shaders that light surfaces."""

from __future__ import annotations

import numpy as np

from benchmarks.corpus.data import noise, surface, texture, uniform
from benchmarks.corpus.entry import Entry
from tests.harness.jobs import Draw, Values
from tests.harness.reference import Spec, array
from tests.run.cases import pbr

f32 = np.float32

WORLD = np.array([[-1, -1, 0], [3, -0.8, 0.3], [-0.9, 3.2, -0.4]], f32)
NORMAL = np.array([[0.1, 0.0, 1.0], [0.3, -0.2, 0.9], [-0.2, 0.4, 1.1]], f32)
TANGENT = np.array([[1, 0.1, 0], [0.9, 0.2, -0.3], [1.1, -0.1, 0.2]], f32)
UV = np.array([[0, 0], [2, 0.3], [0.1, 1.8]], f32)
CAMERA = [0.3, 0.2, 2.5]


def _beside(values: Values, column: float) -> Values:
    return np.concatenate([values, np.full((len(values), 1), column, f32)], axis=1)


def _pbr_four_lights() -> Draw:
    places = _beside(noise(1, 4, 3, low=-2, high=3), 1.0)
    places[:, 2] = 1.5
    scene = uniform(
        {"light_positions": array("vec4", 4), "light_colors": array("vec4", 4), "camera": "vec3"},
        light_positions=places,
        light_colors=noise(2, 4, 4, low=1, high=9),
        camera=CAMERA,
    )
    maps = {(1, 0): texture(3, low=0.1), (1, 2): texture(4, 4, 7, low=0.2)}
    return surface([WORLD, NORMAL, UV], {(0, 0): scene, **maps})


_LIGHT: Spec = {"position": "vec3", "color": "vec3"}


def _blinn_phong() -> Draw:
    scene = uniform(
        {
            "lights": array(_LIGHT, 2),
            "camera": "vec3",
            "ambient": "vec3",
            "shininess": "float",
        },
        lights=[
            {"position": [1.5, 0.5, 1.0], "color": [2, 1.8, 1.5]},
            {"position": [-1.0, 1.5, 2.0], "color": [0.4, 0.6, 1.2]},
        ],
        camera=CAMERA,
        ambient=[0.05, 0.06, 0.08],
        shininess=24.0,
    )
    normals = texture(6, 5, 3, low=0.35, high=0.65)
    normals.image.levels[0][..., 2] += f32(0.35)
    return surface(
        [WORLD, NORMAL, TANGENT, UV], {(0, 0): scene, (1, 0): texture(5), (1, 2): normals}
    )


ENTRIES = (
    Entry("pbr_fragment", "shade", "fragment", pbr.job),
    Entry("pbr_four_lights", "shade", "fragment", _pbr_four_lights),
    Entry("blinn_phong_normal_map", "shade", "fragment", _blinn_phong),
)
