"""Jobs of the vertex stages, and of the fragment stages that go with them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from benchmarks.corpus.data import look_at, noise, perspective, placed, uniform, vertices
from benchmarks.corpus.entry import Entry
from tests.harness.jobs import Draw, Values
from tests.harness.reference import Spec, array

f32 = np.float32

TRIANGLES = 12
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
    count = 3 * TRIANGLES
    normals = noise(seed + 1, count, 3, low=-1.0) + f32(0.1)
    return noise(seed, count, 3, low=-1.0), normals, noise(seed + 2, count, 2)


def _skinning() -> Draw:
    positions, normals, uv = mesh(31)
    count = len(positions)
    joints = np.random.default_rng(34).integers(0, 64, (count, 4)).astype(np.uint32)
    weights = noise(35, count, 4, low=0.1)
    weights /= weights.sum(axis=1, keepdims=True)
    bones = [placed(100 + 2 * i, spread=0.25) for i in range(64)]
    resources = {
        (0, 0): uniform(_CAMERA, **camera()),
        (0, 1): uniform({"bones": array("mat4", 64)}, bones=bones),
    }
    given = {0: positions, 1: normals, 2: uv, 3: joints, 4: weights}
    return vertices(given, resources, 3)


def _vertex_transform() -> Draw:
    positions, normals, uv = mesh(41)
    frame = uniform({**_CAMERA, "fog_density": "float"}, **camera(), fog_density=0.3)
    return vertices({0: positions, 1: normals, 2: uv}, {(0, 0): frame}, 4)


#: A pixel on a triangle's edge is on one side or the other.
_EDGES = 0.02

ENTRIES = (
    Entry("skinning", "skin", "vertex", _skinning, outliers=_EDGES, varyings=(3, 3, 2)),
    Entry(
        "vertex_transform",
        "transform",
        "vertex",
        _vertex_transform,
        outliers=_EDGES,
        varyings=(3, 3, 2, 1),
    ),
)
