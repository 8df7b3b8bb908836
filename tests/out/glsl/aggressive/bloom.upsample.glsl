#version 450

layout(binding = 0, std140) uniform Bloom {
    vec2 texel;
    float threshold;
    float knee;
    float strength;
} bloom;

layout(binding = 1) uniform sampler2D source;
layout(binding = 3) uniform sampler2D smaller;

layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 color;

void main() {
    vec3 sum = vec3(0.0);
    for (int y = -1; y < 2; y++) {
        float y_float = float(y);
        int difference = 2 - abs(y);
        for (int x = -1; x < 2; x++) {
            vec2 offset = vec2(float(x), y_float) * bloom.texel;
            float weight = float((2 - abs(x)) * difference) * 0.0625;
            sum += textureLod(smaller, uv + offset, 0.0).xyz * weight;
        }
    }
    color = vec4(texture(source, uv).xyz + sum * bloom.strength, 1.0);
}
