#version 450

layout(binding = 0, std140) uniform Light {
    mat4 view_proj;
    vec3 color;
    float texel;
} light;

layout(binding = 1) uniform sampler2DShadow shadow_map;

layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 color;

void main() {
    vec4 world = vec4(uv.x * 3.0 - 1.5, 0.25, uv.y * 3.0 - 1.5, 1.0);
    vec4 transformed = light.view_proj * world;
    vec3 ndc = transformed.xyz * (1.0 / transformed.w);
    vec2 uv_1 = ndc.xy * 0.5 + 0.5;
    float lit;
    if (any(lessThan(uv_1, vec2(0.0))) || any(greaterThan(uv_1, vec2(1.0)))) {
        lit = 1.0;
    } else {
        float difference = ndc.z - 0.01;
        float lit_1 = 0.0;
        for (int y = -1; y < 2; y++) {
            float y_float = float(y);
            for (int x = -1; x < 2; x++) {
                vec2 offset = vec2(float(x), y_float) * light.texel;
                lit_1 += texture(shadow_map, vec3(uv_1 + offset, difference));
            }
        }
        lit = lit_1 * 0.11111111;
    }
    color = vec4(light.color * lit, lit);
}
