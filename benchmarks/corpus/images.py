"""Jobs of the passes over a whole image."""

from __future__ import annotations

from benchmarks.corpus.data import screen, texture, uniform
from benchmarks.corpus.entry import Entry
from tests.harness.jobs import Draw


def _tonemap() -> Draw:
    grade = uniform(
        {"exposure": "float", "saturation": "float", "vignette": "float"},
        exposure=0.7,
        saturation=1.2,
        vignette=0.6,
    )
    return screen({(0, 0): grade, (0, 1): texture(11, high=3.0)})


def _gaussian_exp() -> Draw:
    spec = {"direction": "vec2", "sigma": "float"}
    blur = uniform(spec, direction=[0.03, 0.01], sigma=2.3)
    return screen({(0, 0): blur, (0, 1): texture(12)})


def _gaussian_const() -> Draw:
    blur = uniform({"direction": "vec2"}, direction=[0.01, 0.03])
    return screen({(0, 0): blur, (0, 1): texture(13)})


ENTRIES = (
    Entry("tonemap", "shade", "fragment", _tonemap),
    Entry("gaussian_blur_exp", "shade", "fragment", _gaussian_exp),
    Entry("gaussian_blur_const", "shade", "fragment", _gaussian_const),
)
