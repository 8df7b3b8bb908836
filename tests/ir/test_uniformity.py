"""Which control flow is uniform: WGSL's rules, and what the diagnostics say of a breach."""

from __future__ import annotations

import pytest

from luma import pipeline
from luma.diagnostics import Level
from luma.ir.uniformity import Problem, check_uniformity

DECLARED = """
uniform u: vec4
uniform t: sampler2D
uniform shadow: sampler2DShadow
buffer readonly fixed: []float
buffer storage data: []float
"""


def problems(source: str) -> list[Problem]:
    """What the check finds in a source."""
    module, _, diagnostics = pipeline.front(source, pipeline.Options(), "test.luma")
    assert module is not None, [d.render() for d in diagnostics]
    return check_uniformity(module)


def fragment(body: str, functions: str = "") -> list[Problem]:
    """What it finds in a fragment shader that sets ``c``, with an input ``uv``."""
    return problems(
        f"{DECLARED}{functions}\n@entry(fragment) function main(uv: vec2) -> (color: vec4)\n"
        f"  let c = vec4(0.0)\n{body}\n  return {{ color = c }}\nend\n"
    )


@pytest.mark.parametrize(
    "body",
    [
        "c = sample(t, uv)",
        "if u.x > 0.5 then c = sample(t, uv) end",
        "if fixed[1] > 0.5 then c = vec4(dfdx(uv), fwidth(uv)) end",
        "if uv.x > 0.5 then c = vec4(1.0) end c = sample(t, uv)",
        "if uv.x > 0.5 then discard() end c = sample(t, uv)",
        "if uv.x > 0.5 then c = sample_level(t, uv, 0.0) end",
        "if uv.x > 0.5 then c = sample_grad(t, uv, uv, uv) end",
        "for i = 0, 4 do c += sample(t, uv * float(i)) end",
        "let x = 0.0 @max_iterations(9) while u.y > x do x += 1.0 c.x += dfdy(u.x) end",
        "for i = 0, 4 do if uv.x > float(i) then c.x += 1.0 end end c += sample(t, uv)",
        "if u.x > 0.5 then return { color = c } end c = sample(t, uv)",
        "let k = [2]float { u.x, u.y } if k[int(u.z)] > 0.5 then c = sample(t, uv) end",
    ],
)
def test_uniform(body: str) -> None:
    assert fragment(body) == []


@pytest.mark.parametrize(
    ("body", "op", "reason"),
    [
        ("if uv.x > 0.5 then c = sample(t, uv) end", "sample", "the input `uv`"),
        ("if data[0] > 0.5 then c = sample_bias(t, uv, 1.0) end", "sample_bias",
         "the contents of `data`"),
        ("if fixed[int(uv.x)] > 0.5 then c.x = sample_compare(shadow, uv, 0.5) end",
         "sample_compare", "the input `uv`"),
        ("if dfdx(u.x) > 0.5 then c.x = dfdy(u.y) end", "dfdy", "a result of `dfdx`"),
        ("if uv.x > 0.5 then return { color = c } end c.x = fwidth(uv.x)", "fwidth",
         "the input `uv`"),
        ("for i = 0, 4 do if uv.x > float(i) then return { color = c } end end c = sample(t, uv)",
         "sample", "the input `uv`"),
        ("@max_iterations(9) while uv.x > c.x do c += sample(t, uv) end", "sample",
         "the input `uv`"),
        ("@max_iterations(9) while u.x > c.x do c.x += dfdx(u.x) end", "dfdx",
         "a result of `dfdx`"),
        ("for i = 0, 4 do if uv.x < 0.0 then discard() end c += sample(t, uv) end", "sample",
         "the input `uv`"),
        ("let k = [2]float { 0.0, 1.0 } k[int(uv.x)] = 2.0 if k[1] > 0.5 then c.x = dfdx(u.x) end",
         "dfdx", "the input `uv`"),
    ],
)  # fmt: skip
def test_not_uniform(body: str, op: str, reason: str) -> None:
    (problem,) = fragment(body)
    assert (problem.op, problem.reason, problem.function) == (op, reason, "main")


HELPERS = """
function slope(x: float) -> float return dfdx(x) end
function above(x: float, limit: float) -> bool return x > limit end
function chosen(x: float, limit: float) -> float
  if above(x, limit) then return slope(x) end
  return 0.0
end
"""


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("c.x = slope(uv.x)", []),
        ("if above(u.x, u.y) then c.x = slope(uv.x) end", []),
        ("if above(u.x, uv.y) then c.x = slope(u.x) end", ["slope"]),
        ("c.x = chosen(u.x, u.y)", []),
        ("c.x = chosen(u.x, uv.y)", ["slope"]),
        ("c.x = chosen(u.x, uv.y) + chosen(u.x, uv.x)", ["slope"]),
    ],
)
def test_functions_are_judged_by_their_calls(body: str, found: list[str]) -> None:
    assert [problem.function for problem in fragment(body, HELPERS)] == found


COMPUTE = """
buffer storage data: []uint
shared tile: [8]uint
@entry(compute) @workgroup_size(8)
function main(@builtin(local_invocation_index) lane: uint, @builtin(workgroup_id) group: uvec3)
  let n = uint(0)
"""


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("workgroup_barrier()", None),
        ("if group.x > 3 then storage_barrier() end", None),
        ("for i = 0, 3 do tile[lane] = n workgroup_barrier() end", None),
        ("if lane > 3 then workgroup_barrier() end", "the input `lane`"),
        ("if tile[0] > 3 then storage_barrier() end", "the contents of `tile`"),
        ("if atomic_add(data[0], 1) > 3 then workgroup_barrier() end", "a result of `atomic_add`"),
        ("if lane > 3 then return end workgroup_barrier()", "the input `lane`"),
    ],
)
def test_barriers(body: str, reason: str | None) -> None:
    found = problems(f"{COMPUTE}  {body}\nend\n")
    assert [problem.reason for problem in found] == ([] if reason is None else [reason])


def test_depth_comparison_outside_fragment_stages_needs_nothing() -> None:
    source = (
        f"{DECLARED}@entry(vertex) function main(p: vec2) -> (@builtin(position) q: vec4)\n"
        "  let d = 0.0\n  if p.x > 0.0 then d = sample_compare(shadow, p, 0.5) end\n"
        "  return { q = vec4(p, d, 1.0) }\nend\n"
    )
    assert problems(source) == []


def test_diagnostic_shows_the_operation_the_branch_and_the_origin() -> None:
    text = (
        "uniform t: sampler2D\n@entry(fragment) function main(uv: vec2) -> (color: vec4)\n"
        "  let c = vec4(0.0)\n  if uv.x > 0.5 then\n    c = sample(t, uv)\n  end\n"
        "  return { color = c }\nend\n"
    )
    module, source, _ = pipeline.front(text, pipeline.Options(), "test.luma")
    assert module is not None
    (problem,) = check_uniformity(module)
    shown = problem.diagnostic(Level.ERROR, "E0736", source)
    assert shown.message == (
        "`sample` needs uniform control flow, and whether `main` comes to it depends on "
        "the input `uv`, which may differ between invocations"
    )
    assert shown.span is not None and (shown.span.line_start, shown.span.col_start) == (5, 9)
    places = [(note.message, note.span and note.span.line_start) for note in shown.notes]
    assert places == [("control flow parts here", 4), ("this differs", 2)]
    assert shown.help is not None and "sample_level" in shown.help
    without = problem.diagnostic(Level.WARNING, "W0909", None)
    assert (without.span, without.notes) == (None, ())
