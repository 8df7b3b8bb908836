"""Sphere tracing of a small scene, step by step in binary32."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from tests.harness.cases import Case, Expected, Key
from tests.harness.jobs import Draw, Uniform, Values
from tests.harness.reference import STD140, columns, dot, f32, mix, normalize, pack, screen_uv

WIDTH, HEIGHT = 24, 16
CAMERA = {"eye": "vec3", "focal": "float", "basis": "mat3", "light": "vec3"}
EYE, FOCAL = np.array([0.4, 0.9, -3.2], f32), f32(1.6)
BASIS = np.array([[0.9951, 0.0, 0.0988], [-0.0222, -0.9746, 0.2231], [-0.0963, -0.2242, 0.9698]])
LIGHT = np.array([0.48, 0.64, -0.6], f32)


def job() -> Draw:
    """One full-screen triangle."""
    camera = {"eye": EYE, "focal": FOCAL, "basis": BASIS, "light": LIGHT}
    uniform = Uniform(pack(CAMERA, camera, STD140))
    return Draw("fullscreen", "shade", (WIDTH, HEIGHT), resources={(0, 0): uniform})


def _length(v: Values) -> Values:
    return np.sqrt(dot(v, v))


def scene(p: Values) -> Values:
    """The distance to the nearest surface."""
    a = _length(p - np.array([-0.4, 0.3, 0], f32)) - f32(0.7)
    b = _length(p - np.array([0.5, 0.1, -0.3], f32)) - f32(0.5)
    h = np.clip(f32(0.5) + f32(0.5) * (b - a) / f32(0.35), 0, 1)
    balls = mix(b, a, h) - f32(0.35) * h * (1 - h)
    q = np.abs(p - np.array([1.6, 0, 0.8], f32)) - np.array([0.4, 0.6, 0.3], f32)
    box = _length(np.maximum(q, 0)) + np.minimum(q.max(axis=-1), 0)
    nearest: Values = np.minimum(np.minimum(balls, box), p[..., 1] + f32(0.6)).astype(f32)
    return nearest


def march(origin: Values, direction: Values) -> Values:
    """Distance along the ray, or -1."""
    shape = direction.shape[:-1]
    t, result = np.full(shape, 0.01, f32), np.full(shape, -1, f32)
    running = np.ones(shape, bool)
    for _ in range(64):
        d = scene(origin + direction * t[..., None])
        hit = running & (d < f32(0.002))
        result[hit] = t[hit]
        running &= ~hit
        t = np.where(running, t + d, t).astype(f32)
        running &= t <= 20
    return result


def expected() -> Mapping[Key, Expected]:
    """The picture by NumPy."""
    plane = screen_uv(WIDTH, HEIGHT) * 2 - 1
    ray = np.concatenate([plane, np.full((HEIGHT, WIDTH, 1), FOCAL)], axis=-1)
    direction = normalize(columns(BASIS.astype(f32), ray))
    up = np.clip(direction[..., 1:2], 0, 1)
    sky = mix(np.array([0.7, 0.8, 1.0], f32), np.array([0.1, 0.2, 0.5], f32), up)
    t = march(EYE, direction)
    p = EYE + direction * t[..., None]
    e = np.eye(3, dtype=f32) * f32(0.001)
    n = normalize(np.stack([scene(p + e[i]) - scene(p - e[i]) for i in range(3)], axis=-1))
    diffuse = np.maximum(dot(n, LIGHT), 0)
    shadowed = march(p + n * f32(0.02), np.broadcast_to(LIGHT, p.shape)) > 0
    diffuse = np.where(shadowed, diffuse * f32(0.25), diffuse)[..., None]
    lit = np.array([0.9, 0.7, 0.5], f32) * (f32(0.15) + diffuse)
    fogged = mix(sky, lit, np.exp(-0.08 * t)[..., None])
    hit = np.concatenate([fogged, t[..., None]], axis=-1)
    miss = np.concatenate([sky, np.zeros((HEIGHT, WIDTH, 1))], axis=-1)
    image = np.where((t < 0)[..., None], miss, hit).astype(f32)
    # The march stops by a comparison and the normal divides differences of 1e-3: hence the room.
    return {0: Expected(image, atol=2e-4, outliers=0.01)}


CASES = (Case("raymarcher", "raymarcher.luma", job, expected),)
