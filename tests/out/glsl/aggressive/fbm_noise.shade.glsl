#version 450

layout(binding = 0, std140) uniform Noise {
    vec2 offset;
    float scale;
} noise;

layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 color;

void main() {
    float sum = 0.0;
    vec2 p = uv * noise.scale + noise.offset;
    float amplitude = 0.5;
    for (int i = 0; i < 5; i++) {
        vec2 i_1 = floor(p);
        float a = fract(sin(dot(i_1, vec2(127.1, 311.7))) * 43758.547);
        float b = fract(sin(dot(i_1 + vec2(1.0, 0.0), vec2(127.1, 311.7))) * 43758.547);
        vec2 f = fract(p);
        vec2 u = f * f * (3.0 - 2.0 * f);
        float c = fract(sin(dot(i_1 + vec2(0.0, 1.0), vec2(127.1, 311.7))) * 43758.547);
        float d = fract(sin(dot(i_1 + 1.0, vec2(127.1, 311.7))) * 43758.547);
        sum += amplitude * mix(mix(a, b, u.x), mix(c, d, u.x), u.y);
        p *= 2.0;
        amplitude *= 0.5;
    }
    color = vec4(0.1 + sum * 0.79999995, 0.2 + sum * 0.7, 0.4 + sum * 0.6, 1.0);
}
