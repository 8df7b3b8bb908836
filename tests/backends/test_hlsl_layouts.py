"""Random types in uniforms, buffers and push constants have the same bytes in HLSL as anywhere."""

from __future__ import annotations

import random

import pytest

from tests.harness.cases import compare
from tests.harness.reference import STD430, Spec, array, measure
from tests.harness.worker import Driver
from tests.run.cases.layouts import PUSH_LIMIT, _case
from tests.run.test_run import run_case

SCALARS = ("float", "int", "uint", "bool", "half")
VECTORS = ("vec2", "vec3", "vec4", "ivec2", "ivec3", "uvec4", "bvec3", "hvec2", "hvec3", "hvec4")
MATRICES = tuple(f"mat{c}x{r}" for c in (2, 3, 4) for r in (2, 3, 4))


def random_type(rng: random.Random, depth: int) -> Spec:
    """A type that memory may have."""
    kind = rng.random()
    if depth == 0 or kind < 0.3:
        return rng.choice(SCALARS)
    if kind < 0.6:
        return rng.choice(VECTORS)
    if kind < 0.7:
        return rng.choice(MATRICES)
    if kind < 0.85:
        return array(random_type(rng, depth - 1), rng.randint(1, 3))
    return random_struct(rng, depth - 1)


def random_struct(rng: random.Random, depth: int) -> Spec:
    """A struct of a few members."""
    return {f"m{i}": random_type(rng, depth) for i in range(rng.randint(1, 5))}


@pytest.mark.parametrize("seed", range(40))
def test_layout(seed: int, driver: Driver) -> None:
    """At ``none`` as Direct3D packs, at ``basic`` as DXC does by itself for Vulkan."""
    rng = random.Random(seed)
    spec = random_struct(rng, 2)
    runtime = seed % 4 == 3
    push = not runtime and measure(spec, STD430)[1] <= PUSH_LIMIT
    case = _case(f"random_{seed}", array(spec) if runtime else spec, runtime=runtime, push=push)
    for level in ("none", "basic"):
        compare(run_case(case, "hlsl", level, driver), case.expected())
