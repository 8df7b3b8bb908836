"""Skinned vertices: matrices from a storage buffer by integer attributes, two colour targets."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from tests.harness.cases import Case, Expected, Key
from tests.harness.jobs import Draw, Storage, Uniform
from tests.harness.reference import (
    STD140,
    STD430,
    array,
    columns,
    f32,
    interpolate,
    normalize,
    off_edges,
    pack,
    paint,
    rasterise,
)

WIDTH, HEIGHT = 21, 15
_RNG = np.random.default_rng(9)
POSITIONS = np.array([[-0.9, -0.8, 0.1], [0.9, -0.6, 0.2], [-0.1, 0.9, 0.3]], f32)
NORMALS = _RNG.uniform(-1, 1, (3, 3)).astype(f32) + np.array([0, 0, 2], f32)
JOINTS = np.array([[0, 3, 1, 2], [4, 1, 1, 0], [2, 4, 3, 0]], np.uint32)
WEIGHTS = np.array([[0.5, 0.25, 0.5, 0.1], [0.7, 0.2, 0.1, 0.0], [0.3, 0.3, 0.3, 0.3]], f32)
FIRST = 2
MATRICES = (np.eye(4) + _RNG.uniform(-0.12, 0.12, (7, 4, 4))).astype(f32)
MATRICES[:, :3, 3], MATRICES[:, 3, 3] = 0, 1  # affine: the last row is 0 0 0 1
VIEW_PROJ = np.array(
    [[0.9, 0.1, 0, 0.1], [-0.1, 0.8, 0.1, 0.05], [0.05, 0, 0.4, 0.2], [0.1, -0.1, 0.3, 1.25]], f32
)


def job() -> Draw:
    """Draw the triangle."""
    frame = {"view_proj": VIEW_PROJ, "first_joint": FIRST}
    return Draw(
        "skin",
        "shade",
        (WIDTH, HEIGHT),
        attributes={0: POSITIONS, 1: NORMALS, 2: JOINTS, 3: WEIGHTS},
        resources={
            (0, 0): Uniform(pack({"view_proj": "mat4", "first_joint": "uint"}, frame, STD140)),
            (0, 1): Storage(pack(array("mat4"), MATRICES, STD430)),
        },
        targets={0: "float", 1: "float"},
    )


def expected() -> Mapping[Key, Expected]:
    """The blended matrices by NumPy."""
    share = WEIGHTS / WEIGHTS.sum(axis=1, keepdims=True)
    blended = np.einsum("vj,vjcr->vcr", share, MATRICES[FIRST + JOINTS.astype(int)]).astype(f32)
    places = np.hstack([POSITIONS, np.ones((3, 1), f32)])
    world = np.einsum("vcr,vc->vr", blended, places).astype(f32)
    normals = np.einsum("vcr,vc->vr", blended[:, :3, :3], NORMALS).astype(f32)
    fragments = rasterise(columns(VIEW_PROJ, world), WIDTH, HEIGHT)
    pad = np.ones((HEIGHT, WIDTH, 1), f32)
    where = np.concatenate([interpolate(fragments, world[:, :3]), pad], axis=-1)
    facing = np.concatenate([normalize(interpolate(fragments, normals)), 0 * pad], axis=-1)
    mask = off_edges(fragments)
    return {
        0: Expected(paint(fragments, where, np.zeros(4)), atol=1e-5, mask=mask),
        1: Expected(paint(fragments, facing, np.zeros(4)), atol=1e-5, mask=mask),
    }


CASES = (Case("skinning", "joint_skinning.luma", job, expected),)
