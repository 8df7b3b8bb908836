"""One step of the particle system: std430 structs, push constants, an atomic counter."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from tests.harness.cases import Case, Expected, Key, read_source
from tests.harness.jobs import Dispatch, Storage, Uniform
from tests.harness.reference import STD140, STD430, array, f32, pack

COUNT, ROOM, FRAME = 100, 104, 7
PARTICLE = {"position": "vec3", "age": "float", "velocity": "vec3", "lifetime": "float"}
STEP = {
    "attractor": "vec4",
    "gravity": "vec3",
    "dt": "float",
    "drag": "float",
    "bounce": "float",
    "count": "uint",
    "frame": "uint",
}
ATTRACTOR, GRAVITY = np.array([0.5, 1.0, -0.25, 3.0], f32), np.array([0.1, -9.81, 0.05], f32)
DT, DRAG, BOUNCE = f32(0.0625), f32(0.3), f32(0.8)
STEP_VALUES = {
    "attractor": ATTRACTOR,
    "gravity": GRAVITY,
    "dt": DT,
    "drag": DRAG,
    "bounce": BOUNCE,
    "count": COUNT,
    "frame": FRAME,
}


def particles() -> list[dict[str, Any]]:
    """Some below the floor after the step, some too old."""
    rng = np.random.default_rng(6)
    return [
        {
            "position": rng.uniform((-1, 0, -1), (1, 0.5, 1)).astype(f32),
            "age": f32(rng.uniform(0, 1.5)),
            "velocity": rng.uniform(-2, 2, 3).astype(f32),
            "lifetime": f32(rng.uniform(0.5, 2)),
        }
        for _ in range(ROOM)
    ]


def job() -> Dispatch:
    """Two workgroups of 64; four particles lie beyond the count."""
    return Dispatch(
        "simulate",
        (2, 1, 1),
        {
            (0, 0): Storage(pack(array(PARTICLE), particles(), STD430)),
            (0, 1): Storage(pack("uint", 5, STD430)),
        },
        push=pack(STEP, STEP_VALUES, STD430),
    )


def _hash(seed: int) -> int:
    mask = 0xFFFFFFFF
    state = (seed * 747796405 + 2891336453) & mask
    word = (((state >> ((state >> 28) + 4)) ^ state) * 277803737) & mask
    return (word >> 22) ^ word


def _random(seed: int) -> np.float32:
    return f32(f32(_hash(seed & 0xFFFFFFFF) >> 8) / f32(16777216))


def _reborn(index: int) -> dict[str, Any]:
    seed = index * 4 + FRAME * 1000003
    place = np.array([_random(seed + i) for i in range(3)], f32) * f32(2) - f32(1)
    up = np.array([0, f32(1.5) + _random(seed + 3), 0], f32)
    return {"position": place, "age": f32(0), "velocity": up, "lifetime": f32(2)}


def _moved(p: dict[str, Any]) -> dict[str, Any]:
    away = ATTRACTOR[:3] - p["position"]
    pull = away * (ATTRACTOR[3] / ((away * away).sum(dtype=f32) + f32(0.1)))
    velocity = p["velocity"] + (GRAVITY + pull - p["velocity"] * DRAG) * DT
    position = p["position"] + velocity * DT
    if position[1] < 0:
        position[1] = -position[1] * BOUNCE
        velocity[1] = abs(velocity[1]) * BOUNCE
    return {**p, "age": p["age"] + DT, "position": position, "velocity": velocity}


def expected() -> Mapping[Key, Expected]:
    """The particles after the step, and how many were born."""
    born, after = 5, []
    for index, particle in enumerate(particles()):
        if index >= COUNT:
            after.append(particle)
        elif particle["age"] + DT > particle["lifetime"]:
            after.append(_reborn(index))
            born += 1
        else:
            after.append(_moved(particle))
    values = np.frombuffer(pack(array(PARTICLE), after, STD430), f32)
    return {
        (0, 0): Expected(values, atol=1e-5, rtol=1e-5),
        (0, 1): Expected(np.array([born], np.uint32)),
    }


def uniform_job() -> Dispatch:
    """The same with a uniform for the push constants."""
    made = job()
    step = Uniform(pack(STEP, STEP_VALUES, STD140))
    return replace(made, push=b"", resources={**made.resources, (1, 0): step})


def _with_uniform() -> str:
    text, _ = read_source("particles.luma")
    return text.replace("@push_constant\nuniform", "@group(1) @binding(0)\nuniform")


CASES = (
    Case("particles", "particles.luma", job, expected, refused={"wgsl": "E0731"}),
    Case("particles_uniform", _with_uniform(), uniform_job, expected),
)
