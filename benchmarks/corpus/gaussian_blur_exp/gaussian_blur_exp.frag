#version 450
// One direction of a Gaussian blur of nine taps; the weights follow from sigma.

const int RADIUS = 4;

layout(set = 0, binding = 0, std140) uniform Blur {
    vec2 direction; // one texel along the direction
    float sigma;
} blur;

layout(set = 0, binding = 1) uniform texture2D source;
layout(set = 0, binding = 2) uniform sampler source_samp;

layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 out_color;

void main() {
    vec4 sum = vec4(0.0);
    float total = 0.0;
    for (int i = -RADIUS; i <= RADIUS; i++) {
        float x = float(i);
        float weight = exp(-(x * x) / (2.0 * blur.sigma * blur.sigma));
        sum += texture(sampler2D(source, source_samp), uv + blur.direction * x) * weight;
        total += weight;
    }
    out_color = sum / total;
}
