#version 450
// Shadow mapping: project into the light's clip space, filter 3x3 comparisons (PCF).

const float BIAS = 0.01;

layout(set = 0, binding = 0, std140) uniform Light {
    mat4 view_proj;
    vec3 color;
    float texel;
} light;

layout(set = 0, binding = 1) uniform texture2D shadow_map;
layout(set = 0, binding = 2) uniform samplerShadow shadow_samp;

layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 color;

float shadow_factor(vec4 clip) {
    vec3 ndc = clip.xyz / clip.w;
    vec2 uv = ndc.xy * 0.5 + 0.5;
    if (any(lessThan(uv, vec2(0.0))) || any(greaterThan(uv, vec2(1.0)))) {
        return 1.0;
    }

    float lit = 0.0;
    for (int y = -1; y <= 1; y++) {
        for (int x = -1; x <= 1; x++) {
            vec2 offset = vec2(float(x), float(y)) * light.texel;
            vec3 place = vec3(uv + offset, ndc.z - BIAS);
            lit += texture(sampler2DShadow(shadow_map, shadow_samp), place);
        }
    }
    return lit / 9.0;
}

void main() {
    vec4 world = vec4(uv.x * 3.0 - 1.5, 0.25, uv.y * 3.0 - 1.5, 1.0);
    float lit = shadow_factor(light.view_proj * world);
    color = vec4(light.color * lit, lit);
}
