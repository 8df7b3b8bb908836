"""Forms that targets have a word for are found, whatever way the author wrote them."""

from __future__ import annotations

import pytest

import luma

SOURCE = """
struct Frame
    turn: mat3
    other: mat3
    @rigid pose: mat3
end

uniform frame: Frame

@entry(fragment)
function main(a: vec3, b: vec3, t: float)
    -> (held: vec3, rooted: vec3, blended: vec3, turned: vec3, chained: vec3, back: vec3)
    let held = max(min(a * 2.0, vec3(1.0)), vec3(0.0))
    let rooted = b / sqrt(t)
    let blended = a * (1.0 - t) + b * t
    let turned = transpose(frame.turn) * a
    let chained = (frame.turn * frame.other) * b
    let back = inverse(frame.pose) * a
    return {
        held = held, rooted = rooted, blended = blended,
        turned = turned, chained = chained, back = back,
    }
end
"""
#: What stands in each target's text for each of the six.
FORMS = {
    "glsl": (
        "clamp(a * 2.0, 0.0, 1.0)",
        "b * inversesqrt(t)",
        "mix(a, b, t)",
        "a * frame.turn",
        "frame.turn * (frame.other * b)",
        "a * frame.pose",
    ),
    "hlsl": (
        "saturate(a * 2.0)",
        "b * rsqrt(t)",
        "lerp(a, b, t)",
        "mul(frame.turn, a)",
        "mul(mul(b, frame.other), frame.turn)",
        "mul(frame.pose, a)",
    ),
    "msl": (
        "saturate(in.a * 2.0)",
        "in.b * rsqrt(in.t)",
        "mix(in.a, in.b, float3(in.t))",
        "in.a * frame.turn",
        "frame.turn * (frame.other * in.b)",
        "in.a * frame.pose",
    ),
    "wgsl": (
        "saturate(a * 2.0)",
        "b * inverseSqrt(t)",
        "mix(a, b, t)",
        "a * frame.turn",
        "frame.turn * (frame.other * b)",
        "a * frame.pose",
    ),
}


@pytest.mark.parametrize("target", FORMS)
def test_native_forms(target: str) -> None:
    made = luma.compile(SOURCE, target=target, opt="aggressive")
    assert made.diagnostics == ()
    text = made.output.decode()
    for form in FORMS[target]:
        assert form in text, text
    assert "inverse(" not in text and "transpose(" not in text
