#version 450
// Bloom, last pass: add the smaller image back with a 3x3 tent.

layout(set = 0, binding = 0, std140) uniform Bloom {
    vec2 texel;
    float threshold;
    float knee;
    float strength;
} bloom;

layout(set = 0, binding = 1) uniform texture2D source;
layout(set = 0, binding = 2) uniform sampler source_samp;
layout(set = 0, binding = 3) uniform texture2D smaller;
layout(set = 0, binding = 4) uniform sampler smaller_samp;

layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 color;

void main() {
    vec3 sum = vec3(0.0);
    for (int y = -1; y <= 1; y++) {
        for (int x = -1; x <= 1; x++) {
            float weight = float((2 - abs(x)) * (2 - abs(y))) / 16.0;
            vec2 offset = vec2(x, y) * bloom.texel;
            sum += textureLod(sampler2D(smaller, smaller_samp), uv + offset, 0.0).rgb * weight;
        }
    }
    vec3 base = texture(sampler2D(source, source_samp), uv).rgb;
    color = vec4(base + sum * bloom.strength, 1.0);
}
