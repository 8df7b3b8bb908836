#version 450

layout(binding = 0, std140) uniform Image {
    vec2 texel;
} image;

layout(binding = 1) uniform sampler2D scene;

layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 color;

float luminance(vec3 color) {
    return dot(color, vec3(0.2126, 0.7152, 0.0722));
}

vec3 fetch(vec2 uv) {
    return textureLod(scene, uv, 0.0).xyz;
}

void main() {
    vec3 center = fetch(uv);
    float nw = luminance(fetch(uv - image.texel));
    float ne = luminance(fetch(uv + vec2(1.0, -1.0) * image.texel));
    float sw = luminance(fetch(uv + vec2(-1.0, 1.0) * image.texel));
    float se = luminance(fetch(uv + image.texel));
    float middle = luminance(center);
    float low = min(middle, min(min(nw, ne), min(sw, se)));
    float high = max(middle, max(max(nw, ne), max(sw, se)));
    float nw_plus_ne = nw + ne;
    float difference = sw + se - nw_plus_ne;
    float difference_1 = nw + sw - (ne + se);
    vec2 along = vec2(difference, difference_1);
    float reduce = max((nw_plus_ne + sw + se) * 0.03125, 0.0078125);
    float shortest = min(abs(difference), abs(difference_1)) + reduce;
    vec2 step_ = clamp(along / shortest, -8.0, 8.0) * image.texel;
    vec2 step_over_6 = step_ / 6.0;
    vec3 inner = 0.5 * (fetch(uv - step_over_6) + fetch(uv + step_over_6));
    vec2 half_step = step_ * 0.5;
    vec3 outer = 0.5 * inner + 0.25 * (fetch(uv - half_step) + fetch(uv + half_step));
    float brightness = luminance(outer);
    if (brightness < low || brightness > high) {
        color = vec4(inner, 1.0);
        return;
    }
    color = vec4(outer, 1.0);
}
