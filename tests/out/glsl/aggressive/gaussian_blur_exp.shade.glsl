#version 450

layout(binding = 0, std140) uniform Blur {
    vec2 direction;
    float sigma;
} blur;

layout(binding = 1) uniform sampler2D source;

layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 color;

void main() {
    float quotient = -0.5 / (blur.sigma * blur.sigma);
    vec4 sum = vec4(0.0);
    float total = 0.0;
    for (int i = -4; i < 5; i++) {
        float x = float(i);
        float weight = exp(quotient * (x * x));
        sum += texture(source, uv + blur.direction * x) * weight;
        total += weight;
    }
    color = sum * (1.0 / total);
}
