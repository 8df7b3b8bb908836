#version 450

layout(binding = 0, std140) uniform Noise {
    vec2 offset;
    float scale;
} noise;

layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 color;

float hash(vec2 p) {
    return fract(sin(dot(p, vec2(127.1, 311.7))) * 43758.547);
}

float value_noise(vec2 p) {
    vec2 i = floor(p);
    vec2 f = fract(p);
    vec2 u = f * f * (3.0 - 2.0 * f);
    float a = hash(i);
    float b = hash(i + vec2(1.0, 0.0));
    float c = hash(i + vec2(0.0, 1.0));
    float d = hash(i + 1.0);
    return mix(mix(a, b, u.x), mix(c, d, u.x), u.y);
}

float fbm(vec2 start) {
    float sum = 0.0;
    vec2 p = start;
    float amplitude = 0.5;
    for (int i = 0; i < 5; i++) {
        sum += amplitude * value_noise(p);
        p *= 2.0;
        amplitude *= 0.5;
    }
    return sum;
}

void main() {
    float value = fbm(uv * noise.scale + noise.offset);
    color = vec4(mix(vec3(0.1, 0.2, 0.4), vec3(0.9, 0.9, 1.0), value), 1.0);
}
