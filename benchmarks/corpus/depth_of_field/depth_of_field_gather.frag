#version 450
// Depth of field, second pass: a gather on a golden spiral.

const int TAPS = 32;
const float GOLDEN_ANGLE = 2.39996323;

layout(set = 0, binding = 0, std140) uniform Lens {
    vec2 texel;
    float focal_length;
    float aperture;
    float focus;
    float max_radius;
    float near;
    float far;
} lens;

layout(set = 0, binding = 1) uniform texture2D colors;
layout(set = 0, binding = 2) uniform sampler colors_samp;

layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 color;

void main() {
    vec4 center = texture(sampler2D(colors, colors_samp), uv);
    vec3 sum = center.rgb;
    float total = 1.0;
    for (int i = 1; i < TAPS; i++) {
        float angle = float(i) * GOLDEN_ANGLE;
        float reach = lens.max_radius * sqrt(float(i) / float(TAPS));
        vec2 offset = vec2(cos(angle), sin(angle)) * reach;
        vec4 found = textureLod(sampler2D(colors, colors_samp), uv + offset * lens.texel, 0.0);
        float size = found.a;
        if (found.a > center.a) {
            size = clamp(found.a, 0.0, abs(center.a) * 2.0);
        }
        float weight = smoothstep(reach - 0.5, reach + 0.5, abs(size));
        sum += mix(sum / total, found.rgb, weight);
        total += 1.0;
    }
    color = vec4(sum / total, 1.0);
}
