#version 450
// Blinn and Phong's lighting with a normal map, under two point lights.

struct Light {
    vec3 position;
    vec3 color;
};

layout(set = 0, binding = 0, std140) uniform Scene {
    Light lights[2];
    vec3 camera;
    vec3 ambient;
    float shininess;
} scene;

layout(set = 1, binding = 0) uniform texture2D albedo_map;
layout(set = 1, binding = 1) uniform sampler albedo_samp;
layout(set = 1, binding = 2) uniform texture2D normal_map;
layout(set = 1, binding = 3) uniform sampler normal_samp;

layout(location = 0) in vec3 world;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec3 tangent;
layout(location = 3) in vec2 uv;

layout(location = 0) out vec4 out_color;

vec3 shading_normal() {
    vec3 n = normalize(normal);
    vec3 t = normalize(tangent - n * dot(tangent, n));
    vec3 b = cross(n, t);
    mat3 tbn = mat3(t, b, n);
    vec3 mapped = texture(sampler2D(normal_map, normal_samp), uv).xyz * 2.0 - 1.0;
    return normalize(tbn * mapped);
}

vec3 blinn_phong(Light light, vec3 n, vec3 v, vec4 albedo) {
    vec3 l = normalize(light.position - world);
    vec3 h = normalize(l + v);
    float reach = length(light.position - world);
    float attenuation = 1.0 / (1.0 + 0.09 * reach + 0.032 * reach * reach);
    float diffuse = max(dot(n, l), 0.0);
    float specular = pow(max(dot(n, h), 0.0), scene.shininess);
    return (albedo.rgb * diffuse + vec3(albedo.a) * specular) * light.color * attenuation;
}

void main() {
    vec4 albedo = texture(sampler2D(albedo_map, albedo_samp), uv); // gloss in alpha
    vec3 n = shading_normal();
    vec3 v = normalize(scene.camera - world);
    vec3 color = scene.ambient * albedo.rgb;
    for (int i = 0; i < 2; i++) {
        color += blinn_phong(scene.lights[i], n, v, albedo);
    }
    out_color = vec4(color, 1.0);
}
