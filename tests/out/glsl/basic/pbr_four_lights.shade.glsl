#version 450

layout(binding = 0, std140) uniform Scene {
    vec4 light_positions[4];
    vec4 light_colors[4];
    vec3 camera;
} scene;

layout(set = 1, binding = 0) uniform sampler2D albedo_map;
layout(set = 1, binding = 2) uniform sampler2D surface_map;

layout(location = 0) in vec3 world;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec2 uv;
layout(location = 0) out vec4 out_color;

float distribution_ggx(vec3 n, vec3 h, float roughness) {
    float a = roughness * roughness;
    float a2 = a * a;
    float n_dot_h = max(dot(n, h), 0.0);
    float denominator = n_dot_h * n_dot_h * (a2 - 1.0) + 1.0;
    return a2 / (3.1415927 * denominator * denominator);
}

float geometry_schlick_ggx(float n_dot_v, float roughness) {
    float r = roughness + 1.0;
    float k = r * r * 0.125;
    return n_dot_v / (n_dot_v * (1.0 - k) + k);
}

float geometry_smith(vec3 n, vec3 v, vec3 l, float roughness) {
    float n_dot_v = max(dot(n, v), 0.0);
    float n_dot_l = max(dot(n, l), 0.0);
    return geometry_schlick_ggx(n_dot_v, roughness) * geometry_schlick_ggx(n_dot_l, roughness);
}

vec3 fresnel_schlick(float cos_theta, vec3 f0) {
    return f0 + (1.0 - f0) * pow(clamp(1.0 - cos_theta, 0.0, 1.0), 5.0);
}

void main() {
    vec3 albedo = pow(texture(albedo_map, uv).xyz, vec3(2.2));
    vec4 surface_map_texel = texture(surface_map, uv);
    vec3 n = normalize(normal);
    vec3 v = normalize(scene.camera - world);
    float metallic = surface_map_texel.z;
    vec3 f0 = mix(vec3(0.04), albedo, metallic);
    vec3 one_minus_metallic = vec3(1.0 - metallic);
    float product = 4.0 * max(dot(n, v), 0.0);
    float roughness = surface_map_texel.y;
    vec3 light = vec3(0.0);
    for (int i = 0; i < 4; i++) {
        vec3 difference = scene.light_positions[i].xyz - world;
        vec3 l = normalize(difference);
        vec3 h = normalize(v + l);
        float d = distribution_ggx(n, h, roughness);
        float g = geometry_smith(n, v, l, roughness);
        vec3 f = fresnel_schlick(max(dot(h, v), 0.0), f0);
        vec3 diffuse = (1.0 - f) * one_minus_metallic;
        vec3 numerator = d * g * f;
        float n_dot_l = max(dot(n, l), 0.0);
        float denominator = product * n_dot_l + 0.0001;
        vec3 specular = numerator / denominator;
        float reach = length(difference);
        float attenuation = 1.0 / (reach * reach);
        vec3 radiance = scene.light_colors[i].xyz * attenuation;
        light += (diffuse * albedo / 3.1415927 + specular) * radiance * n_dot_l;
    }
    vec3 color = 0.03 * albedo * surface_map_texel.x + light;
    color /= color + 1.0;
    out_color = vec4(pow(color, vec3(0.45454544)), 1.0);
}
