#version 450

layout(binding = 0, std140) uniform Lens {
    vec2 texel;
    float focal_length;
    float aperture;
    float focus;
    float max_radius;
    float near;
    float far;
} lens;

layout(binding = 1) uniform sampler2D colors;

layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 color;

void main() {
    vec4 center = texture(colors, uv);
    float product = abs(center.w) * 2.0;
    vec3 sum = center.xyz;
    float total = 1.0;
    for (int i = 1; i < 32; i++) {
        vec3 quotient = sum / total;
        float i_float = float(i);
        float angle = i_float * 2.3999631;
        float reach = lens.max_radius * sqrt(i_float * 0.03125);
        vec2 offset = vec2(cos(angle), sin(angle)) * reach;
        vec4 found = textureLod(colors, uv + offset * lens.texel, 0.0);
        float size = found.w;
        if (size > center.w) {
            size = clamp(size, 0.0, product);
        }
        float weight = smoothstep(reach - 0.5, reach + 0.5, abs(size));
        sum += mix(quotient, found.xyz, weight);
        total += 1.0;
    }
    color = vec4(sum / total, 1.0);
}
