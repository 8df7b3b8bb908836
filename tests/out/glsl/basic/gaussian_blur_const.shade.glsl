#version 450

const float WEIGHTS[5] = float[5](0.22702703, 0.19459459, 0.12162162, 0.054054055, 0.016216217);

layout(binding = 0, std140) uniform Blur {
    vec2 direction;
} blur;

layout(binding = 1) uniform sampler2D source;

layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 out_color;

void main() {
    vec3 color = texture(source, uv).xyz * 0.22702703;
    for (int i = 1; i < 5; i++) {
        vec2 offset = blur.direction * float(i);
        color += texture(source, uv + offset).xyz * WEIGHTS[i];
        color += texture(source, uv - offset).xyz * WEIGHTS[i];
    }
    out_color = vec4(color, 1.0);
}
