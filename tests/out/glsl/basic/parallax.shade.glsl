#version 450

layout(binding = 0, std140) uniform Material {
    float depth;
    vec3 eye;
} material;

layout(binding = 1) uniform sampler2D albedo;
layout(binding = 3) uniform sampler2D heights;

layout(location = 0) in vec3 world;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec4 tangent;
layout(location = 3) in vec2 uv;
layout(location = 0) out vec4 color;

float depth_at(vec2 uv) {
    return 1.0 - textureLod(heights, uv, 0.0).x;
}

vec2 displaced(vec2 uv, vec3 view) {
    float layers = mix(32.0, 8.0, abs(view.z));
    float thickness = 1.0 / layers;
    vec2 step_ = view.xy / max(view.z, 0.05) * (material.depth * thickness);
    float found = depth_at(uv);
    vec2 p = uv;
    float layer = 0.0;
    for (int i = 0; i < 32 && layer < found; i++) {
        p -= step_;
        found = depth_at(p);
        layer += thickness;
    }
    float after = found - layer;
    vec2 p_plus_step = p + step_;
    float before = depth_at(p_plus_step) - layer + thickness;
    return mix(p, p_plus_step, after / (after - before));
}

void main() {
    vec3 n = normalize(normal);
    vec3 t = normalize(tangent.xyz - n * dot(tangent.xyz, n));
    vec3 view = normalize((material.eye - world) * mat3(t, cross(n, t) * tangent.w, n));
    vec2 dx = dFdx(uv);
    vec2 dy = dFdy(uv);
    color = textureGrad(albedo, displaced(uv, view), dx, dy);
}
