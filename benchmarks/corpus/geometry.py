"""Jobs of the vertex stages."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from benchmarks.corpus import surfaces
from benchmarks.corpus.data import (
    f32,
    inverted,
    look_at,
    noise,
    perspective,
    placed,
    product,
    uniform,
    vertices,
)
from benchmarks.corpus.entry import Entry
from tests.harness.jobs import Draw, Resources, Storage, Values
from tests.harness.reference import STD430, Spec, array, pack
from tests.run.cases import skinning

TRIANGLES = 12
COUNT = 3 * TRIANGLES
_CAMERA: Mapping[str, Spec] = {"projection": "mat4", "view": "mat4", "model": "mat4"}


def camera() -> dict[str, Any]:
    """The matrices of a camera that sees what is near the origin."""
    return {
        "projection": perspective(),
        "view": look_at([1.0, 0.8, 2.2], [0, 0, 0]),
        "model": placed(21),
    }


def mesh(seed: int) -> tuple[Values, Values, Values]:
    """Positions, normals and texture coordinates of triangles near the origin."""
    normals = noise(seed + 1, COUNT, 3, low=-1.0) + f32(0.1)
    return noise(seed, COUNT, 3, low=-1.0), normals, noise(seed + 2, COUNT, 2)


def _skinning() -> Draw:
    positions, normals, uv = mesh(31)
    joints = np.random.default_rng(34).integers(0, 64, (COUNT, 4)).astype(np.uint32)
    weights = noise(35, COUNT, 4, low=0.1)
    weights /= weights.sum(axis=1, keepdims=True)
    bones = [placed(100 + 2 * i, spread=0.25) for i in range(64)]
    resources: Resources = {
        (0, 0): uniform(_CAMERA, **camera()),
        (0, 1): uniform({"bones": array("mat4", 64)}, bones=bones),
    }
    given = {0: positions, 1: normals, 2: uv, 3: joints, 4: weights}
    return vertices(given, resources, 3)


def _joint_skinning() -> Draw:
    job = skinning.job()
    return vertices(job.attributes, job.resources, 2, size=job.size)


def _vertex_transform() -> Draw:
    positions, normals, uv = mesh(41)
    frame = uniform({**_CAMERA, "fog_density": "float"}, **camera(), fog_density=0.3)
    return vertices({0: positions, 1: normals, 2: uv}, {(0, 0): frame}, 4)


_OFFSET: Spec = {"position": "vec3", "normal": "vec3"}


def _morph_targets() -> Draw:
    positions, normals, _ = mesh(44)
    moves = noise(47, 8 * COUNT, 2, 3, low=-0.4, high=0.4)
    offsets = [{"position": position, "normal": normal} for position, normal in moves]
    spec: dict[str, Spec] = {
        "view_proj": "mat4",
        "weights": array("float", 8),
        "vertices": "int",
    }
    morph = uniform(
        spec,
        view_proj=product(perspective(), camera()["view"]),
        weights=[0.3, 0.0, 0.7, 0.1, 0.0, 0.5, 0.2, 0.4],
        vertices=COUNT,
    )
    resources: Resources = {(0, 0): morph, (0, 1): Storage(pack(array(_OFFSET), offsets, STD430))}
    return vertices({0: positions, 1: normals}, resources, 1)


def _skybox() -> Draw:
    spec = {"inverse_view_proj": "mat4", "fog": "vec3", "density": "float"}
    matrix = inverted(product(perspective(), camera()["view"]))
    sky = uniform(spec, inverse_view_proj=matrix, fog=[0.6, 0.7, 0.8], density=2.5)
    return vertices({}, {(0, 0): sky}, 1, count=3)


def _sdf_text() -> Draw:
    glyph: Spec = {"place": "vec2", "size": "vec2", "atlas": "vec4", "color": "vec4"}
    values = noise(48, 6, 12)
    glyphs = [
        {"place": v[:2] * 1.6 - 1, "size": v[2:4], "atlas": v[4:8], "color": v[8:]} for v in values
    ]
    resources: Resources = {(0, 3): Storage(pack(array(glyph), glyphs, STD430))}
    return vertices({}, resources, 2, count=3, instances=len(glyphs))


def _water() -> Draw:
    return vertices({0: noise(49, COUNT, 2, low=-2, high=2)}, surfaces.water(), 2)


def _terrain() -> Draw:
    return vertices({0: noise(50, COUNT, 2)}, surfaces.terrain(), 2)


def _vertex(shader: str, entry: str, job: Any, *varyings: int, several: bool = False) -> Entry:
    # A pixel on a triangle's edge is on one side or the other.
    return Entry(shader, entry, "vertex", job, outliers=0.02, several=several, varyings=varyings)


ENTRIES = (
    _vertex("joint_skinning", "skin", _joint_skinning, 3, 3),
    _vertex("morph_targets", "deform", _morph_targets, 3),
    _vertex("sdf_text", "place", _sdf_text, 2, 4, several=True),
    _vertex("skinning", "skin", _skinning, 3, 3, 2),
    _vertex("skybox", "enclose", _skybox, 3, several=True),
    _vertex("terrain", "lift", _terrain, 2, 3, several=True),
    _vertex("vertex_transform", "transform", _vertex_transform, 3, 3, 2, 1),
    _vertex("water", "ripple", _water, 3, 3, several=True),
)
