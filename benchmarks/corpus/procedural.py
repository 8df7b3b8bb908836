"""Jobs of the shaders that make their picture from nothing: rays and noise."""

from __future__ import annotations

from benchmarks.corpus.data import screen, uniform
from benchmarks.corpus.entry import Entry
from tests.harness.jobs import Draw


def _sdf_raymarch() -> Draw:
    spec = {"eye": "vec3", "time": "float", "to_light": "vec3", "aspect": "float"}
    frame = uniform(spec, eye=[2.5, 1.5, 3.0], time=0.6, to_light=[0.5, 1.0, 0.3], aspect=1.33)
    return screen({(0, 0): frame})


def _fbm_noise() -> Draw:
    spec = {"offset": "vec2", "scale": "float"}
    return screen({(0, 0): uniform(spec, offset=[3.3, 1.7], scale=5.0)})


ENTRIES = (
    # Where a ray only grazes, one step more or less decides.
    Entry("sdf_raymarch", "shade", "fragment", _sdf_raymarch, atol=2e-3, outliers=0.03),
    # The sine of a large number differs by compiler, and the hash multiplies that.
    Entry("fbm_noise", "shade", "fragment", _fbm_noise, atol=2e-2, outliers=0.02),
)
