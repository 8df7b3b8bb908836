"""Random types in uniforms, buffers and push constants have the same bytes in HLSL as anywhere."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping

import pytest

from tests.harness.cases import Case, compare
from tests.harness.compile import emitted
from tests.harness.hlsl import direct3d_offsets
from tests.harness.reference import STD140, STD430, ArraySpec, Spec, array, measure
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
    compare_offsets(case, spec, runtime)


def compare_offsets(case: Case, spec: Spec, runtime: bool) -> None:
    """DXIL cannot be run here, but it tells where it reads."""
    found = direct3d_offsets(emitted(case.source, "main", "hlsl", "none").decode())
    if runtime:
        wanted = list(offsets(spec, STD430, 0))
        assert all(found[name] == wanted for name in "rw" if name in found)
    else:
        assert found["u"] == list(offsets(spec, STD140, 0))


def offsets(spec: Spec, rules: str, base: int) -> Iterator[int]:
    """Where the members lie; of an array of structs, the first struct's."""
    while isinstance(spec, ArraySpec) and not isinstance(spec.element, str):
        spec = spec.element
    if not isinstance(spec, Mapping):
        yield base
        return
    offset = base
    for member in spec.values():
        align, size = measure(member, rules)
        offset = (offset + align - 1) // align * align
        yield from offsets(member, rules, offset)
        offset += size
