#version 450
// Bloom, second pass: halve with 13 taps.

layout(set = 0, binding = 0, std140) uniform Bloom {
    vec2 texel;
    float threshold;
    float knee;
    float strength;
} bloom;

layout(set = 0, binding = 1) uniform texture2D source;
layout(set = 0, binding = 2) uniform sampler source_samp;

layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 color;

vec3 tap(vec2 uv, float x, float y) {
    return textureLod(sampler2D(source, source_samp), uv + vec2(x, y) * bloom.texel, 0.0).rgb;
}

vec3 box(vec2 uv, float x, float y, float reach) {
    return 0.25 * (
        tap(uv, x - reach, y - reach) + tap(uv, x + reach, y - reach)
        + tap(uv, x - reach, y + reach) + tap(uv, x + reach, y + reach)
    );
}

void main() {
    vec3 corners = box(uv, -1.0, -1.0, 1.0) + box(uv, 1.0, -1.0, 1.0);
    corners += box(uv, -1.0, 1.0, 1.0) + box(uv, 1.0, 1.0, 1.0);
    color = vec4(box(uv, 0.0, 0.0, 1.0) * 0.5 + corners * 0.125, 1.0);
}
