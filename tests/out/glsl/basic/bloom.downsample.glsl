#version 450

layout(binding = 0, std140) uniform Bloom {
    vec2 texel;
    float threshold;
    float knee;
    float strength;
} bloom;

layout(binding = 1) uniform sampler2D source;

layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 color;

vec3 tap(vec2 uv, float x, float y) {
    return textureLod(source, uv + vec2(x, y) * bloom.texel, 0.0).xyz;
}

vec3 box(vec2 uv, float x, float y, float reach) {
    float x_minus_reach = x - reach;
    float y_minus_reach = y - reach;
    float x_plus_reach = x + reach;
    float y_plus_reach = y + reach;
    return 0.25 * (tap(uv, x_minus_reach, y_minus_reach) + tap(uv, x_plus_reach, y_minus_reach)
        + tap(uv, x_minus_reach, y_plus_reach) + tap(uv, x_plus_reach, y_plus_reach));
}

void main() {
    vec3 corners = box(uv, -1.0, -1.0, 1.0) + box(uv, 1.0, -1.0, 1.0);
    corners += box(uv, -1.0, 1.0, 1.0) + box(uv, 1.0, 1.0, 1.0);
    color = vec4(box(uv, 0.0, 0.0, 1.0) * 0.5 + corners * 0.125, 1.0);
}
