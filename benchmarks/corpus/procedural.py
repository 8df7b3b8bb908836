"""Jobs of the shaders that make their picture from nothing: rays and noise."""

from __future__ import annotations

import numpy as np

from benchmarks.corpus.data import inverted, look_at, perspective, product, screen, uniform, unit
from benchmarks.corpus.entry import Entry
from tests.harness.jobs import Draw, Storage
from tests.run.cases import raymarcher


def _sdf_raymarch() -> Draw:
    spec = {"eye": "vec3", "time": "float", "to_light": "vec3", "aspect": "float"}
    frame = uniform(spec, eye=[2.5, 1.5, 3.0], time=0.6, to_light=[0.5, 1.0, 0.3], aspect=1.33)
    return screen({(0, 0): frame})


def _raymarcher() -> Draw:
    job = raymarcher.job()
    return screen(job.resources, job.size)


def _fbm_noise() -> Draw:
    spec = {"offset": "vec2", "scale": "float"}
    return screen({(0, 0): uniform(spec, offset=[3.3, 1.7], scale=5.0)})


def _voxels() -> Draw:
    size = (7, 6, 5)
    random = np.random.default_rng(71)
    colors = random.integers(0x101010, 0xFFFFFF, size).astype(np.uint32)
    cells = np.where(random.uniform(size=size) < 0.25, colors, 0).astype(np.uint32)
    eye = [-4.3, 7.7, -6.1]
    spec = {"to_world": "mat4", "eye": "vec3", "size": "ivec3", "to_sun": "vec3"}
    scene = uniform(
        spec,
        to_world=inverted(product(perspective(), look_at(eye, [3.4, 2.9, 2.4]))),
        eye=eye,
        size=size,
        to_sun=unit(0.3, 0.8, -0.5),
    )
    return screen({(0, 0): scene, (0, 1): Storage(cells.tobytes())})


ENTRIES = (
    # The sine of a large number differs by compiler, and the hash multiplies that.
    Entry("fbm_noise", "shade", "fragment", _fbm_noise, atol=2e-2, outliers=0.02),
    # Where a ray only grazes, one step more or less decides.
    Entry(
        "raymarcher",
        "shade",
        "fragment",
        _raymarcher,
        raymarcher.expected,
        atol=2e-3,
        outliers=0.03,
    ),
    Entry("sdf_raymarch", "shade", "fragment", _sdf_raymarch, atol=2e-3, outliers=0.03),
    Entry("voxels", "shade", "fragment", _voxels, outliers=0.02),
)
