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
    vec2 product = lens.texel * lens.max_radius;
    float product_1 = abs(center.w) * 2.0;
    vec3 sum = center.xyz;
    float total = 1.0;
    for (int i = 1; i < 32; i++) {
        float i_float = float(i);
        float angle = i_float * 2.3999631;
        float root = sqrt(i_float * 0.03125);
        vec4 found = textureLod(colors, uv + product * vec2(cos(angle), sin(angle)) * root, 0.0);
        float reach = lens.max_radius * root;
        float size = found.w;
        float weight = smoothstep(reach - 0.5, reach + 0.5,
            abs(size > center.w ? clamp(size, 0.0, product_1) : size));
        sum += mix(sum * (1.0 / total), found.xyz, weight);
        total += 1.0;
    }
    color = vec4(sum * (1.0 / total), 1.0);
}
