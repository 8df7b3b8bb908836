"""The hand-written GLSL that benchmarks compare with draws the same picture as the Luma shader."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from tests.harness.cases import compare
from tests.harness.validators import glsl_to_spirv
from tests.harness.worker import Driver
from tests.run.cases import pbr

CORPUS = Path(__file__).parents[2] / "benchmarks" / "corpus"

VERTEX = """#version 450
layout(location = 0) in vec4 clip;
layout(location = 1) in vec3 world;
layout(location = 2) in vec3 normal;
layout(location = 3) in vec4 tangent;
layout(location = 4) in vec2 uv;
layout(location = 0) out vec3 out_world;
layout(location = 1) out vec3 out_normal;
layout(location = 2) out vec4 out_tangent;
layout(location = 3) out vec2 out_uv;
void main() {
    gl_Position = clip;
    out_world = world;
    out_normal = normal;
    out_tangent = tangent;
    out_uv = uv;
}
"""


def test_pbr_fragment_agrees_with_the_reference(driver: Driver) -> None:
    """So it is a fair opponent."""
    fragment = (CORPUS / "pbr_fragment" / "pbr_fragment.frag").read_text(encoding="utf-8")
    modules = (glsl_to_spirv(VERTEX, "vertex"), glsl_to_spirv(fragment, "fragment"))
    job = replace(pbr.job(), vertex="main", fragment="main")
    compare(driver.run(job, modules), pbr.expected())
