#version 450
// Bloom, first pass: keep what is bright, with a soft knee.

layout(set = 0, binding = 0, std140) uniform Bloom {
    vec2 texel;
    float threshold;
    float knee;
    float strength;
} bloom;

layout(set = 0, binding = 1) uniform texture2D source;
layout(set = 0, binding = 2) uniform sampler source_samp;

layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 color;

void main() {
    vec3 light = texture(sampler2D(source, source_samp), uv).rgb;
    float brightness = max(light.r, max(light.g, light.b));
    float soft = clamp(brightness - bloom.threshold + bloom.knee, 0.0, 2.0 * bloom.knee);
    float knee = soft * soft / (4.0 * bloom.knee + 0.0001);
    float kept = max(knee, brightness - bloom.threshold) / max(brightness, 0.0001);
    color = vec4(light * kept, 1.0);
}
