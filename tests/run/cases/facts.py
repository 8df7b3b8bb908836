"""Facts that an author states, and what rules make of matrices, directions, angles and integers.

No matrix is symmetric, so that one taken for its transpose shows.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from tests.harness.cases import Case, Expected, Key
from tests.harness.jobs import Dispatch, Storage, Uniform, Values
from tests.harness.reference import STD140, f32, pack

SPEC = {
    "view": "mat4", "model": "mat4", "projection": "mat4", "turn": "mat3", "sun": "vec3",
    "haze": "float", "eye": "vec3", "count": "int", "point": "vec4", "index": "int",
}  # fmt: skip

SOURCE = """
struct Scene
  @rigid view: mat4
  @affine model: mat4
  projection: mat4
  @rigid turn: mat3
  @unit sun: vec3
  @range(0.0, 1.0) haze: float
  @unit eye: vec3
  @nonnegative count: int
  point: vec4
  index: int
end
uniform scene: Scene
buffer writeonly out: []vec4

@entry(compute) @workgroup_size(1)
function main()
  let p = scene.point
  let n = normalize(p.xyz)
  let h = normalize(scene.sun + scene.eye)
  out[0] = inverse(scene.view) * p
  out[1] = inverse(scene.model) * p
  out[2] = scene.projection * scene.view * scene.model * p
  out[3] = p * (scene.projection * scene.model)
  out[4] = vec4(inverse(scene.turn) * p.xyz, determinant(scene.turn))
  out[5] = vec4(transpose(inverse(scene.turn)) * p.xyz, length(scene.turn * scene.sun))
  out[6] = vec4(transpose(inverse(mat3(scene.model))) * p.xyz, 0.0)
  out[7] = vec4(inverse(mat3(scene.projection)) * p.xyz, 0.0)
  out[8] = vec4(dot(n, h), dot(scene.sun, h), max(dot(n, scene.sun), 0.0), saturate(scene.haze))
  out[9] = (inverse(scene.view) * inverse(scene.model))[3]
  out[10] = vec4(normalize(reflect(-scene.sun, n)), cos(atan(p.x)))
  out[11] = vec4(
    float(scene.count / 4), float(scene.count % 8), float((scene.index & 31) / 4),
    float(scene.index / 4)
  )
  out[12] = scene.view * p - scene.view * p.wzyx
  out[13] = inverse(scene.view)[1] + inverse(scene.model)[2]
  out[14] = (scene.view * p.x + scene.model * p.y) * p
  out[15] = vec4(
    select(acos(p.x * 0.1) < 1.2, 1.0, 2.0), select(-2.0 < p.x and p.x < 2.0, 1.0, 2.0),
    select(length(p.xyz) < scene.haze, 1.0, 2.0), 2.0 * sin(p.y) * cos(p.y)
  )
end
"""


def _turn(axis: Values, angle: float) -> Values:
    x, y, z = axis / np.linalg.norm(axis)
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + np.sin(angle) * cross + (1 - np.cos(angle)) * cross @ cross


def _scene() -> dict[str, Values]:
    rng = np.random.default_rng(7)
    view, model = np.eye(4), np.eye(4)
    view[:3, :3], view[:3, 3] = _turn(np.array([1.0, 2.0, -1.0]), 0.8), (3.0, -1.0, 0.5)
    model[:3, :3] = rng.uniform(-1, 1, (3, 3)) + 2 * np.eye(3)
    model[:3, 3] = (-2.0, 0.25, 1.0)
    sun, eye = np.array([2.0, -1.0, 2.0]) / 3, np.array([0.6, 0.0, 0.8])
    return {
        "view": view, "model": model,
        "projection": rng.uniform(-1, 1, (4, 4)) + 2 * np.eye(4),
        "turn": _turn(np.array([-1.0, 0.5, 2.0]), 2.0), "sun": sun, "haze": np.array(0.75),
        "eye": eye, "count": np.array(27), "point": np.array([1.5, -0.5, 2.0, 1.0]),
        "index": np.array(-11),
    }  # fmt: skip


def _rows() -> list[Values]:
    s = _scene()
    view, model, projection, turn = s["view"], s["model"], s["projection"], s["turn"]
    sun, p = s["sun"], s["point"]
    inv = np.linalg.inv
    n = p[:3] / np.linalg.norm(p[:3])
    h = (sun + s["eye"]) / np.linalg.norm(sun + s["eye"])
    reflected = -sun + 2 * n * (n @ sun)
    return [
        inv(view) @ p,
        inv(model) @ p,
        projection @ view @ model @ p,
        p @ (projection @ model),
        np.append(inv(turn) @ p[:3], 1.0),
        np.append(inv(turn).T @ p[:3], 1.0),
        np.append(inv(model[:3, :3]).T @ p[:3], 0.0),
        np.append(inv(projection[:3, :3]) @ p[:3], 0.0),
        np.array([n @ h, sun @ h, max(n @ sun, 0.0), 0.75]),
        (inv(view) @ inv(model))[:, 3],
        np.append(reflected / np.linalg.norm(reflected), np.cos(np.arctan(p[0]))),
        np.array([6.0, 3.0, 5.0, -2.0]),
        view @ p - view @ p[::-1],
        inv(view)[:, 1] + inv(model)[:, 2],
        (view * p[0] + model * p[1]) @ p,
        np.array([2.0, 1.0, 2.0, np.sin(2 * p[1])]),
    ]


def _job() -> Dispatch:
    values = {name: v.T if v.ndim == 2 else v for name, v in _scene().items()}  # columns
    scene = Uniform(pack(SPEC, values, STD140))
    return Dispatch("main", (1, 1, 1), {(0, 0): scene, (0, 1): Storage(bytes(16 * len(_rows())))})


def _expected() -> Mapping[Key, Expected]:
    return {(0, 1): Expected(np.concatenate(_rows()).astype(f32), atol=2e-4, rtol=2e-4)}


CASES = (Case("facts", SOURCE, _job, _expected),)
