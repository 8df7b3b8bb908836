#version 450

layout(binding = 0, std140) uniform Light {
    mat4 view_proj;
    vec3 color;
    float texel;
} light;

layout(binding = 1) uniform sampler2DShadow shadow_map;

layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 color;

float shadow_factor(vec4 clip) {
    vec2 uv = vec2(clip.x / clip.w, clip.y / clip.w) * 0.5 + 0.5;
    if (any(lessThan(uv, vec2(0.0))) || any(greaterThan(uv, vec2(1.0)))) {
        return 1.0;
    }
    float difference = clip.z / clip.w - 0.01;
    float lit = 0.0;
    for (int y = -1; y < 2; y++) {
        float y_float = float(y);
        for (int x = -1; x < 2; x++) {
            vec2 offset = vec2(float(x), y_float) * light.texel;
            lit += texture(shadow_map, vec3(uv + offset, difference));
        }
    }
    return lit / 9.0;
}

void main() {
    vec4 world = vec4(uv.x * 3.0 - 1.5, 0.25, uv.y * 3.0 - 1.5, 1.0);
    float lit = shadow_factor(light.view_proj * world);
    color = vec4(light.color * lit, lit);
}
