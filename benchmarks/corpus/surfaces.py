"""Jobs of the shaders that light surfaces."""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.corpus.data import f32, look_at, noise, perspective, surface, texture, uniform, unit
from benchmarks.corpus.entry import Entry
from tests.harness.jobs import Combined, Draw, Image, Resources, SamplerState, Values
from tests.harness.reference import Spec, array
from tests.run.cases import pbr

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


def _pbr_clearcoat() -> Draw:
    light: Spec = {"direction": "vec3", "intensity": "float", "color": "vec3"}
    spec: dict[str, Spec] = {"lights": array(light, 3), "camera": "vec3", "ambient": "vec3"}
    scene = uniform(
        spec,
        lights=[
            {"direction": [-0.3, -0.4, -1.0], "intensity": 1.5, "color": [1, 0.9, 0.8]},
            {"direction": [0.8, -0.2, -0.7], "intensity": 0.8, "color": [0.4, 0.6, 1]},
            {"direction": [0.1, 0.9, -0.3], "intensity": 2.0, "color": [0.3, 1, 0.5]},
        ],
        camera=CAMERA,
        ambient=[0.04, 0.05, 0.06],
    )
    values = {"roughness": 0.45, "metallic": 0.8, "clearcoat": 0.9, "clearcoat_roughness": 0.2}
    material = uniform(
        {"base_color": "vec3", **dict.fromkeys(values, "float")},
        base_color=[0.7, 0.1, 0.15],
        **values,
    )
    flakes = texture(7, 9, 7, low=0.4, high=0.6)
    flakes.image.levels[0][..., 2] += f32(0.4)
    resources: Resources = {(0, 0): scene, (1, 0): material, (1, 1): flakes}
    return surface([WORLD, NORMAL, _beside(TANGENT, -1.0), UV], resources)


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


def _parallax() -> Draw:
    material = uniform({"depth": "float", "eye": "vec3"}, depth=0.15, eye=CAMERA)
    resources: Resources = {(0, 0): material, (0, 1): texture(8), (0, 3): texture(9, 10, 9)}
    return surface([WORLD, NORMAL, _beside(TANGENT, 1.0), UV], resources)


def _triplanar() -> Draw:
    spec = {"scale": "float", "sharpness": "float", "to_light": "vec3"}
    material = uniform(spec, scale=0.7, sharpness=3.0, to_light=unit(0.4, 0.3, 1.0))
    bumps = texture(81, 5, 6, low=0.3, high=0.7)
    resources: Resources = {(0, 0): material, (0, 1): texture(82), (0, 3): bumps}
    return surface([WORLD, NORMAL], resources)


def _cube(seed: int) -> Combined:
    return Combined(Image((noise(seed, 6, 4, 4, 4),), "cube"), SamplerState(repeat=False))


def _skybox() -> Draw:
    spec = {"inverse_view_proj": "mat4", "fog": "vec3", "density": "float"}
    camera = uniform(spec, inverse_view_proj=np.eye(4).tolist(), fog=[0.6, 0.7, 0.8], density=2.5)
    directions = np.array([[-1, -0.5, 0.8], [1.5, -0.3, 0.4], [-0.2, 2.0, 0.6]], f32)
    return surface([directions], {(0, 0): camera, (0, 1): _cube(83)})


_WAVE: Spec = {"direction": "vec2", "steepness": "float", "wavelength": "float"}


def water() -> dict[tuple[int, int], Any]:
    """What both stages of the water have bound."""
    waves = [
        {"direction": d, "steepness": s, "wavelength": w}
        for d, s, w in (([1, 0.2], 0.1, 2.0), ([0.7, 0.7], 0.08, 1.3), ([-0.2, 1], 0.05, 0.8),
                        ([0.5, -0.9], 0.03, 0.5))
    ]  # fmt: skip
    frame: dict[str, Spec] = {"view_proj": "mat4", "eye": "vec3", "time": "float"}
    sea: dict[str, Spec] = {"waves": array(_WAVE, 4), "deep": "vec3", "shallow": "vec3"}
    view = np.asarray(look_at([0.5, 2.0, 2.5], [0, 0, 0])).T
    view_proj = (np.asarray(perspective()).T @ view).T.tolist()
    return {
        (0, 0): uniform(frame, view_proj=view_proj, eye=[0.5, 2.0, 2.5], time=1.7),
        (0, 1): uniform(sea, waves=waves, deep=[0.0, 0.1, 0.2], shallow=[0.1, 0.4, 0.4]),
        (0, 2): _cube(84),
    }


def _water_shade() -> Draw:
    upright = np.array([[0.1, 1.0, 0.1], [-0.2, 0.9, 0.1], [0.1, 1.1, -0.3]], f32)
    flat = np.array([[-1, 0.1, -1], [3, -0.1, -0.8], [-0.9, 0, 3.2]], f32)
    return surface([flat, upright], water())


def terrain() -> dict[tuple[int, int], Any]:
    """What both stages of the terrain have bound."""
    spec: dict[str, Spec] = {
        "view_proj": "mat4",
        "to_sun": "vec3",
        "height": "float",
        "origin": "vec2",
        "size": "vec2",
        "texel": "float",
        "tiling": "float",
        "contrast": "float",
    }
    view = np.asarray(look_at([0.5, 2.5, 3.0], [0, 0, 0])).T
    values = {"height": 0.6, "texel": 1 / 16, "tiling": 3.0, "contrast": 2.5}
    ground = uniform(
        spec,
        view_proj=(np.asarray(perspective()).T @ view).T.tolist(),
        to_sun=unit(0.3, 0.9, 0.4),
        origin=[-1.5, -1.5],
        size=[3.0, 2.8],
        **values,
    )
    layers = Combined(Image((noise(87, 4, 5, 6, 4),), "2darray"), SamplerState())
    return {
        (0, 0): ground,
        (0, 1): texture(85, 16, 16),
        (0, 3): texture(86, low=0.05),
        (0, 5): layers,
    }


def _terrain_splat() -> Draw:
    upright = np.array([[0.1, 1.0, 0.1], [-0.2, 0.9, 0.1], [0.1, 1.1, -0.3]], f32)
    return surface([UV, upright], terrain())


def _ink() -> Draw:
    spec = {"outline": "vec4", "outline_width": "float", "range": "float"}
    style = uniform(spec, outline=[0.1, 0.2, 0.3, 1.0], outline_width=0.1, range=4.0)
    colors = noise(88, 3, 4)
    return surface([UV * f32(0.5), colors], {(0, 0): style, (0, 1): texture(89, 16, 16)})


def _fragment(shader: str, entry: str, job: Any, reference: Any = None, **more: Any) -> Entry:
    return Entry(shader, entry, "fragment", job, reference, **more)


ENTRIES = (
    _fragment("blinn_phong_normal_map", "shade", _blinn_phong),
    # Whether one layer more is crossed is decided sharply.
    _fragment("parallax", "shade", _parallax, atol=1e-3, outliers=0.02),
    # At a clear coat's peak GGX divides by the square of 0.2 ** 4 = 0.0016, which is a difference
    # from 1: the last bit of a cosine is 1.5e-4 of the light.
    _fragment("pbr_clearcoat", "shade", _pbr_clearcoat, rtol=5e-4),
    _fragment("pbr_four_lights", "shade", _pbr_four_lights),
    _fragment("pbr_fragment", "shade", pbr.job, pbr.expected),
    _fragment("sdf_text", "ink", _ink, several=True, atol=1e-4),
    _fragment("skybox", "shade", _skybox, several=True),
    _fragment("terrain", "splat", _terrain_splat, several=True),
    _fragment("triplanar", "shade", _triplanar),
    _fragment("water", "shade", _water_shade, several=True),
)
