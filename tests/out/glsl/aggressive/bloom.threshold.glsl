#version 450

layout(binding = 0, std140) uniform Bloom {
    vec2 texel;
    float threshold;
    float knee;
    float strength;
} bloom;

layout(binding = 1) uniform sampler2D source;

layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 color;

void main() {
    vec3 light = texture(source, uv).xyz;
    float brightness = max(light.x, max(light.y, light.z));
    float difference = brightness - bloom.threshold;
    float soft = clamp(difference + bloom.knee, 0.0, 2.0 * bloom.knee);
    float knee = soft * soft / (4.0 * bloom.knee + 0.0001);
    float kept = max(knee, difference) / max(brightness, 0.0001);
    color = vec4(light * kept, 1.0);
}
