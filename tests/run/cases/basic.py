"""The smallest vertex and fragment shader, as two separately compiled files."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from tests.harness.cases import Case, Expected, Key
from tests.harness.jobs import Combined, Draw, Image, SamplerState, Uniform
from tests.harness.reference import (
    STD140,
    columns,
    dot,
    f32,
    interpolate,
    normalize,
    off_edges,
    pack,
    paint,
    rasterise,
    sample_2d,
)

WIDTH, HEIGHT = 24, 17

POSITIONS = np.array([[-1.1, -0.9, 0.1], [1.2, -0.7, 0.4], [-0.2, 1.3, -0.3]], f32)
NORMALS = np.array([[0.2, 0.1, 1.0], [-0.4, 0.3, 0.8], [0.1, -0.6, 0.9]], f32)
UVS = np.array([[0.05, 0.1], [1.4, 0.2], [0.3, 1.7]], f32)

# Matrices as columns; none is symmetric.
MODEL = np.array(
    [[0.9, 0.2, 0.1, 0], [-0.3, 1.0, 0.05, 0], [0.1, 0.2, 0.8, 0], [0.1, -0.1, 0.2, 1]]
)
VIEW_PROJ = np.array(
    [[0.9, 0.05, 0.1, 0.2], [0.1, 0.8, 0.0, -0.1], [0.0, 0.1, 0.3, 0.25], [0.1, 0.05, 0.4, 1.5]]
)
NORMAL_MAT = np.array([[1, 0.1, 0.2, 9], [-0.2, 0.9, 0.1, 8], [0.3, 0, 1.1, 7], [3, 4, 5, 6]])
UNIFORMS = {"model": "mat4", "view_proj": "mat4", "normal_mat": "mat4"}

TEXELS = np.random.default_rng(11).uniform(0, 1, (5, 7, 4)).astype(f32)
LIGHT_DIR = np.array([0.3, -0.2, 0.9327379], f32)


def job() -> Draw:
    """Draw the triangle."""
    matrices = {"model": MODEL, "view_proj": VIEW_PROJ, "normal_mat": NORMAL_MAT}
    return Draw(
        vertex="transform",
        fragment="shade",
        size=(WIDTH, HEIGHT),
        attributes={0: POSITIONS, 1: NORMALS, 2: UVS},
        resources={
            (0, 0): Uniform(pack(UNIFORMS, matrices, STD140)),
            (1, 0): Combined(Image((TEXELS,)), SamplerState()),
            (1, 2): Uniform(pack("vec3", LIGHT_DIR, STD140)),
        },
        clear=(0.25, 0.5, 0.75, 1.0),
    )


def expected() -> Mapping[Key, Expected]:
    """The same triangle by NumPy."""
    ones = np.ones((3, 1), f32)
    clip = columns(VIEW_PROJ, columns(MODEL, np.hstack([POSITIONS, ones])))
    turned = normalize(columns(NORMAL_MAT, np.hstack([NORMALS, 0 * ones]))[:, :3])
    fragments = rasterise(clip, WIDTH, HEIGHT)
    normal = normalize(interpolate(fragments, turned))
    albedo = sample_2d(TEXELS, interpolate(fragments, UVS))
    light = np.maximum(dot(normal, LIGHT_DIR), 0)[..., None]
    colour = np.concatenate([albedo[..., :3] * light, albedo[..., 3:]], axis=-1)
    image = paint(fragments, colour, np.array([0.25, 0.5, 0.75, 1.0]))
    return {0: Expected(image, atol=1e-5, mask=off_edges(fragments))}


CASES = (Case("basic", "basic_vertex.luma", job, expected, fragment_source="basic_fragment.luma"),)
