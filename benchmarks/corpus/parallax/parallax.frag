#version 450
// Parallax occlusion mapping: march through the height map, then meet between two layers.

const float MIN_LAYERS = 8.0;
const int MAX_LAYERS = 32;

layout(set = 0, binding = 0, std140) uniform Material {
    float depth;
    vec3 eye;
} material;

layout(set = 0, binding = 1) uniform texture2D albedo;
layout(set = 0, binding = 2) uniform sampler albedo_samp;
layout(set = 0, binding = 3) uniform texture2D heights;
layout(set = 0, binding = 4) uniform sampler heights_samp;

layout(location = 0) in vec3 world;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec4 tangent;
layout(location = 3) in vec2 uv;

layout(location = 0) out vec4 color;

float depth_at(vec2 uv) {
    return 1.0 - textureLod(sampler2D(heights, heights_samp), uv, 0.0).r;
}

vec2 displaced(vec2 uv, vec3 view) {
    float layers = mix(float(MAX_LAYERS), MIN_LAYERS, abs(view.z));
    float thickness = 1.0 / layers;
    vec2 step_ = view.xy / max(view.z, 0.05) * (material.depth * thickness);
    vec2 p = uv;
    float layer = 0.0;
    float found = depth_at(p);
    for (int i = 0; i < MAX_LAYERS && layer < found; i++) {
        p -= step_;
        found = depth_at(p);
        layer += thickness;
    }
    float after = found - layer;
    float before = depth_at(p + step_) - layer + thickness;
    return mix(p, p + step_, after / (after - before));
}

void main() {
    vec3 n = normalize(normal);
    vec3 t = normalize(tangent.xyz - n * dot(tangent.xyz, n));
    mat3 to_tangent = transpose(mat3(t, cross(n, t) * tangent.w, n));
    vec3 view = normalize(to_tangent * (material.eye - world));
    vec2 dx = dFdx(uv);
    vec2 dy = dFdy(uv);
    color = textureGrad(sampler2D(albedo, albedo_samp), displaced(uv, view), dx, dy);
}
