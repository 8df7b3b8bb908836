#version 450

layout(binding = 0, std140) uniform Blur {
    vec2 direction;
    float sigma;
} blur;

layout(binding = 1) uniform sampler2D source;

layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 color;

void main() {
    float product = 2.0 * blur.sigma * blur.sigma;
    vec4 sum = vec4(0.0);
    float total = 0.0;
    for (int i = -4; i < 5; i++) {
        float x = float(i);
        float weight = exp(-(x * x) / product);
        sum += texture(source, uv + blur.direction * x) * weight;
        total += weight;
    }
    color = sum / total;
}
