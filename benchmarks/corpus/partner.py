"""The other stage of a draw: passes a fragment stage its inputs, or shows a vertex stage's outputs.

In GLSL and in WGSL, as both stages of a WebGPU pipeline are WGSL.
"""

from __future__ import annotations

from tests.harness.jobs import Draw

_GLSL = {1: "float", 2: "vec2", 3: "vec3", 4: "vec4"}
_WGSL = {1: "f32", 2: "vec2<f32>", 3: "vec3<f32>", 4: "vec4<f32>"}


def vertex_glsl(job: Draw) -> str:
    """Attribute 0 is the position; each other one goes to the location before its own."""
    widths = {at: values.shape[1] for at, values in sorted(job.attributes.items()) if at}
    lines = ["#version 450", "layout(location = 0) in vec4 clip;"]
    for at, width in widths.items():
        lines.append(f"layout(location = {at}) in {_GLSL[width]} given_{at};")
        lines.append(f"layout(location = {at - 1}) out {_GLSL[width]} passed_{at};")
    body = [f"    passed_{at} = given_{at};" for at in widths]
    return "\n".join([*lines, "void main() {", "    gl_Position = clip;", *body, "}", ""])


def vertex_wgsl(job: Draw) -> str:
    """As :func:`vertex_glsl`."""
    widths = {at: values.shape[1] for at, values in sorted(job.attributes.items()) if at}
    fields = [f"    @location({at - 1}) v{at}: {_WGSL[width]}," for at, width in widths.items()]
    given = [f"@location({at}) v{at}: {_WGSL[width]}" for at, width in widths.items()]
    values = [f"v{at}" for at in widths]
    return "\n".join(
        [
            "struct Passed {",
            "    @builtin(position) clip: vec4<f32>,",
            *fields,
            "}",
            "",
            "@vertex",
            f"fn pass_on({', '.join(['@location(0) clip: vec4<f32>', *given])}) -> Passed {{",
            f"    return Passed({', '.join(['clip', *values])});",
            "}",
            "",
        ]
    )


def fragment_glsl(varyings: tuple[int, ...]) -> str:
    """A target for each varying, and one for the depth and 1 / w of the position."""
    lines = ["#version 450"]
    body = []
    for at, width in enumerate(varyings):
        lines.append(f"layout(location = {at}) in {_GLSL[width]} given_{at};")
        lines.append(f"layout(location = {at}) out vec4 shown_{at};")
        body.append(f"    shown_{at} = vec4({', '.join([f'given_{at}', *['0.0'] * (4 - width)])});")
    last = len(varyings)
    lines.append(f"layout(location = {last}) out vec4 place;")
    body.append("    place = vec4(gl_FragCoord.zw, 0.0, 1.0);")
    return "\n".join([*lines, "void main() {", *body, "}", ""])


def fragment_wgsl(varyings: tuple[int, ...]) -> str:
    """As :func:`fragment_glsl`."""
    targets = range(len(varyings) + 1)
    given = [f"@location({at}) v{at}: {_WGSL[width]}" for at, width in enumerate(varyings)]
    values = [
        f"vec4<f32>({', '.join([f'v{at}', *['0.0'] * (4 - width)])})"
        for at, width in enumerate(varyings)
    ]
    params = ", ".join(["@builtin(position) place: vec4<f32>", *given])
    return "\n".join(
        [
            "struct Shown {",
            *(f"    @location({at}) t{at}: vec4<f32>," for at in targets),
            "}",
            "",
            "@fragment",
            f"fn show({params}) -> Shown {{",
            f"    return Shown({', '.join([*values, 'vec4<f32>(place.zw, 0.0, 1.0)'])});",
            "}",
            "",
        ]
    )
