#version 450
// One direction of a Gaussian blur of nine taps with constant weights.

const float WEIGHTS[5] = float[](0.227027027, 0.194594595, 0.121621622, 0.054054054, 0.016216216);

layout(set = 0, binding = 0, std140) uniform Blur {
    vec2 direction; // one texel along the direction
} blur;

layout(set = 0, binding = 1) uniform texture2D source;
layout(set = 0, binding = 2) uniform sampler source_samp;

layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 out_color;

void main() {
    vec3 color = texture(sampler2D(source, source_samp), uv).rgb * WEIGHTS[0];
    for (int i = 1; i < 5; i++) {
        vec2 offset = blur.direction * float(i);
        color += texture(sampler2D(source, source_samp), uv + offset).rgb * WEIGHTS[i];
        color += texture(sampler2D(source, source_samp), uv - offset).rgb * WEIGHTS[i];
    }
    out_color = vec4(color, 1.0);
}
