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

void main() {
    vec3 n = normalize(normal);
    vec3 t = normalize(tangent.xyz - n * dot(tangent.xyz, n));
    vec3 view = normalize((material.eye - world) * mat3(t, cross(n, t) * tangent.w, n));
    vec2 dx = dFdx(uv);
    vec2 dy = dFdy(uv);
    float layers = 32.0 + abs(view.z) * -24.0;
    float thickness = 1.0 / layers;
    vec2 step_ = view.xy * (material.depth * thickness / max(view.z, 0.05));
    float found = 1.0 - textureLod(heights, uv, 0.0).x;
    vec2 p = uv;
    float layer = 0.0;
    for (int i = 0; i < 32 && layer < found; i++) {
        p -= step_;
        found = 1.0 - textureLod(heights, p, 0.0).x;
        layer += thickness;
    }
    float after = found - layer;
    float before = 1.0 - textureLod(heights, p + step_, 0.0).x - layer + thickness;
    color = textureGrad(albedo, p + after / (after - before) * step_, dx, dy);
}
