"""What the jobs of the corpus are made of: noise, matrices, buffers, and draws of one stage."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from tests.harness.jobs import Combined, Draw, Image, Resources, SamplerState, Uniform, Values
from tests.harness.reference import STD140, Spec, pack

f32 = np.float32

#: Corners of one triangle that covers the screen, seen in perspective.
_CORNERS = np.array([[-1, -1, 0.2, 1], [3.6, -1.2, 0.36, 1.2], [-1.1, 3.3, 0.11, 1.1]], f32)
#: The texture coordinates of a triangle that covers the screen without perspective.
_FLAT = np.array([[-1, -1, 0, 1], [3, -1, 0, 1], [-1, 3, 0, 1]], f32)
SCREEN_UV = np.array([[0, 0], [2, 0], [0, 2]], f32)


def noise(seed: int, *shape: int, low: float = 0.0, high: float = 1.0) -> Values:
    """Uniform random floats."""
    return np.random.default_rng(seed).uniform(low, high, shape).astype(f32)


def texture(
    seed: int, width: int = 8, height: int = 6, low: float = 0.0, high: float = 1.0
) -> Combined:
    """A texture of noise with a sampler that filters and repeats."""
    return Combined(Image((noise(seed, height, width, 4, low=low, high=high),)), SamplerState())


def uniform(spec: Mapping[str, Spec], **values: Any) -> Uniform:
    """A uniform block in std140."""
    return Uniform(pack(spec, values, STD140))


def unit(*vector: float) -> list[float]:
    """A vector of length 1."""
    v = np.asarray(vector, float)
    return [float(x) for x in v / np.linalg.norm(v)]


# ---------------------------------------------------------------- matrices, as lists of columns


def perspective(fov: float = 0.9, aspect: float = 1.5, near: float = 0.1, far: float = 50.0) -> Any:
    """To clip space, with depth from 0 to 1."""
    scale = 1 / np.tan(fov / 2)
    depth = far / (near - far)
    return [
        [scale / aspect, 0, 0, 0],
        [0, -scale, 0, 0],
        [0, 0, depth, -1],
        [0, 0, near * depth, 0],
    ]


def look_at(eye: Sequence[float], target: Sequence[float]) -> Any:
    """From the world to a camera that looks along its -z."""
    back = np.asarray(unit(*np.subtract(eye, target)))
    right = np.asarray(unit(*np.cross([0, 1, 0], back)))
    rows = np.stack([right, np.cross(back, right), back])
    matrix = np.eye(4)
    matrix[:3, :3], matrix[:3, 3] = rows, -rows @ np.asarray(eye, float)
    return matrix.T.tolist()


def placed(seed: int, spread: float = 0.3, scale: float = 1.0) -> Any:
    """An affine transform near a uniform scale: slightly turned, sheared and moved."""
    matrix = np.eye(4)
    matrix[:3, :3] = scale * np.eye(3) + noise(seed, 3, 3, low=-spread, high=spread)
    matrix[:3, 3] = noise(seed + 1, 3, low=-spread, high=spread)
    return matrix.T.tolist()


def product(*matrices: Any) -> Any:
    """The product of matrices, the first one applied last."""
    result = np.eye(4)
    for matrix in matrices:
        result = result @ np.asarray(matrix).T
    return result.T.tolist()


def inverted(matrix: Any) -> Any:
    """The inverse of a matrix."""
    return np.linalg.inv(np.asarray(matrix).T).T.tolist()


# ---------------------------------------------------------------- draws


def screen(resources: Resources, size: tuple[int, int] = (24, 18), targets: int = 1) -> Draw:
    """A pass over the whole screen; location 0 has texture coordinates from 0 to 1."""
    return _fragments(_FLAT, [SCREEN_UV], resources, size, targets)


def surface(
    varyings: Sequence[Values], resources: Resources, size: tuple[int, int] = (24, 18)
) -> Draw:
    """Fragments of one triangle in perspective, with values (3, n) at its corners by location."""
    return _fragments(_CORNERS, varyings, resources, size, 1)


def _fragments(
    corners: Values,
    varyings: Sequence[Values],
    resources: Resources,
    size: tuple[int, int],
    targets: int,
) -> Draw:
    attributes = {0: corners, **dict(enumerate(varyings, 1))}
    formats = dict.fromkeys(range(targets), "float")
    return Draw("", "", size, resources=resources, attributes=attributes, targets=formats)


def vertices(
    attributes: Mapping[int, Values],
    resources: Resources,
    varyings: int,
    *,
    count: int = 0,
    instances: int = 1,
    size: tuple[int, int] = (24, 18),
) -> Draw:
    """Triangles of a vertex stage; a target for each varying, and one for depth and 1 / w.

    ``count`` is the number of vertices where there are no attributes.
    """
    return Draw(
        "",
        "",
        size,
        vertices=count or len(next(iter(attributes.values()))),
        instances=instances,
        resources=resources,
        attributes=attributes,
        targets=dict.fromkeys(range(varyings + 1), "float"),
    )
