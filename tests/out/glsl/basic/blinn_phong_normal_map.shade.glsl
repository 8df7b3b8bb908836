#version 450

struct Light {
    vec3 position;
    vec3 color;
};

struct Surface {
    vec3 world;
    vec3 normal;
    vec3 tangent;
    vec2 uv;
};

layout(binding = 0, std140) uniform Scene {
    Light lights[2];
    vec3 camera;
    vec3 ambient;
    float shininess;
} scene;

layout(set = 1, binding = 0) uniform sampler2D albedo_map;
layout(set = 1, binding = 2) uniform sampler2D normal_map;

layout(location = 0) in vec3 world;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec3 tangent;
layout(location = 3) in vec2 uv;
layout(location = 0) out vec4 out_color;

vec3 shading_normal(Surface surface) {
    vec3 n = normalize(surface.normal);
    vec3 t = normalize(surface.tangent - n * dot(surface.tangent, n));
    vec3 b = cross(n, t);
    mat3 tbn = mat3(t, b, n);
    vec3 mapped = texture(normal_map, surface.uv).xyz * 2.0 - 1.0;
    return normalize(tbn * mapped);
}

vec3 blinn_phong(Light light, vec3 world, vec3 n, vec3 v, vec4 albedo) {
    vec3 position_minus_world = light.position - world;
    vec3 l = normalize(position_minus_world);
    vec3 h = normalize(l + v);
    float reach = length(position_minus_world);
    float attenuation = 1.0 / (1.0 + 0.09 * reach + 0.032 * reach * reach);
    float diffuse = max(dot(n, l), 0.0);
    float specular = pow(max(dot(n, h), 0.0), scene.shininess);
    return (albedo.xyz * diffuse + albedo.w * specular) * light.color * attenuation;
}

void main() {
    Surface surface = Surface(world, normal, tangent, uv);
    vec4 albedo = texture(albedo_map, uv);
    vec3 n = shading_normal(surface);
    vec3 v = normalize(scene.camera - world);
    vec3 color = scene.ambient * albedo.xyz;
    for (int i = 0; i < 2; i++) {
        color += blinn_phong(scene.lights[i], world, n, v, albedo);
    }
    out_color = vec4(color, 1.0);
}
