#version 450
// Fast approximate anti-aliasing: blur along the edge that the neighbours' luma shows.

const float REDUCE_MIN = 1.0 / 128.0;
const float REDUCE_MUL = 1.0 / 8.0;
const float SPAN = 8.0;

layout(set = 0, binding = 0, std140) uniform Image {
    vec2 texel;
} image;

layout(set = 0, binding = 1) uniform texture2D scene;
layout(set = 0, binding = 2) uniform sampler scene_samp;

layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 color;

vec3 fetch(vec2 uv) {
    return textureLod(sampler2D(scene, scene_samp), uv, 0.0).rgb;
}

float luminance(vec3 color) {
    return dot(color, vec3(0.2126, 0.7152, 0.0722));
}

void main() {
    vec3 center = fetch(uv);
    float nw = luminance(fetch(uv + vec2(-1.0, -1.0) * image.texel));
    float ne = luminance(fetch(uv + vec2(1.0, -1.0) * image.texel));
    float sw = luminance(fetch(uv + vec2(-1.0, 1.0) * image.texel));
    float se = luminance(fetch(uv + vec2(1.0, 1.0) * image.texel));
    float middle = luminance(center);
    float low = min(middle, min(min(nw, ne), min(sw, se)));
    float high = max(middle, max(max(nw, ne), max(sw, se)));

    vec2 along = vec2((sw + se) - (nw + ne), (nw + sw) - (ne + se));
    float reduce = max((nw + ne + sw + se) * (0.25 * REDUCE_MUL), REDUCE_MIN);
    float shortest = min(abs(along.x), abs(along.y)) + reduce;
    vec2 step_ = clamp(along / shortest, -SPAN, SPAN) * image.texel;

    vec3 inner = 0.5 * (fetch(uv - step_ / 6.0) + fetch(uv + step_ / 6.0));
    vec3 outer = 0.5 * inner + 0.25 * (fetch(uv - step_ * 0.5) + fetch(uv + step_ * 0.5));
    float brightness = luminance(outer);
    if (brightness < low || brightness > high) {
        color = vec4(inner, 1.0);
    } else {
        color = vec4(outer, 1.0);
    }
}
