#version 450
// A physically based surface (metal/roughness) lit by point lights.

const float PI = 3.14159265358979;
const int MAX_LIGHTS = 4;

struct PointLight {
    vec3 position;
    float radius;
    vec3 color;
    float intensity;
};

layout(set = 0, binding = 0, std140) uniform Scene {
    vec3 camera;
    int light_count;
    vec3 ambient;
    float exposure;
    PointLight lights[MAX_LIGHTS];
} scene;

layout(set = 1, binding = 0, std140) uniform Material {
    vec4 albedo;
    float roughness;
    float metallic;
    float normal_scale;
} material;

layout(set = 1, binding = 1) uniform texture2D albedo_tex;
layout(set = 1, binding = 2) uniform sampler albedo_samp;
layout(set = 1, binding = 3) uniform texture2D normal_tex;
layout(set = 1, binding = 4) uniform sampler normal_samp;
layout(set = 1, binding = 5) uniform texture2D surface_tex;
layout(set = 1, binding = 6) uniform sampler surface_samp;

layout(location = 0) in vec3 world;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec4 tangent;
layout(location = 3) in vec2 uv;

layout(location = 0) out vec4 color;

float square(float x) { return x * x; }

float distribution_ggx(float n_dot_h, float roughness) {
    float alpha2 = square(square(roughness));
    float denominator = square(n_dot_h) * (alpha2 - 1.0) + 1.0;
    return alpha2 / (PI * square(denominator));
}

float geometry_schlick(float n_dot_x, float roughness) {
    float k = square(roughness + 1.0) / 8.0;
    return n_dot_x / (n_dot_x * (1.0 - k) + k);
}

float geometry_smith(float n_dot_v, float n_dot_l, float roughness) {
    return geometry_schlick(n_dot_v, roughness) * geometry_schlick(n_dot_l, roughness);
}

vec3 fresnel_schlick(float cos_theta, vec3 f0) {
    return f0 + (1.0 - f0) * pow(clamp(1.0 - cos_theta, 0.0, 1.0), 5.0);
}

vec3 shading_normal() {
    vec3 n = normalize(normal);
    vec3 t = normalize(tangent.xyz - n * dot(n, tangent.xyz));
    vec3 b = cross(n, t) * tangent.w;
    vec3 mapped = texture(sampler2D(normal_tex, normal_samp), uv).xyz * 2.0 - 1.0;
    mapped.xy *= material.normal_scale;
    return normalize(mat3(t, b, n) * mapped);
}

float attenuation(float distance2, float radius) {
    float window = clamp(1.0 - square(distance2 / square(radius)), 0.0, 1.0);
    return square(window) / max(distance2, 0.0001);
}

vec3 direct_light(PointLight light, vec3 n, vec3 v, vec3 albedo, float roughness, float metallic) {
    vec3 to_light = light.position - world;
    float distance2 = dot(to_light, to_light);
    vec3 l = to_light * inversesqrt(distance2);
    vec3 h = normalize(v + l);

    float n_dot_l = max(dot(n, l), 0.0);
    float n_dot_v = max(dot(n, v), 0.0001);
    float n_dot_h = max(dot(n, h), 0.0);

    vec3 f0 = mix(vec3(0.04), albedo, metallic);
    vec3 f = fresnel_schlick(max(dot(h, v), 0.0), f0);
    float d = distribution_ggx(n_dot_h, roughness);
    float g = geometry_smith(n_dot_v, n_dot_l, roughness);

    vec3 specular = f * (d * g / max(4.0 * n_dot_v * n_dot_l, 0.001));
    vec3 diffuse = (1.0 - f) * (1.0 - metallic) * albedo / PI;
    vec3 radiance = light.color * (light.intensity * attenuation(distance2, light.radius));
    return (diffuse + specular) * radiance * n_dot_l;
}

vec3 aces_fit(vec3 x) {
    const float a = 2.51;
    const float b = 0.03;
    const float c = 2.43;
    const float d = 0.59;
    const float e = 0.14;
    return clamp((x * (a * x + b)) / (x * (c * x + d) + e), 0.0, 1.0);
}

void main() {
    vec4 base = texture(sampler2D(albedo_tex, albedo_samp), uv) * material.albedo;
    vec3 orm = texture(sampler2D(surface_tex, surface_samp), uv).rgb;
    float roughness = clamp(orm.g * material.roughness, 0.04, 1.0);
    float metallic = clamp(orm.b * material.metallic, 0.0, 1.0);

    vec3 n = shading_normal();
    vec3 v = normalize(scene.camera - world);

    vec3 light = scene.ambient * base.rgb * orm.r;
    for (int i = 0; i < min(scene.light_count, MAX_LIGHTS); i++) {
        light += direct_light(scene.lights[i], n, v, base.rgb, roughness, metallic);
    }

    vec3 mapped = aces_fit(light * scene.exposure);
    color = vec4(pow(mapped, vec3(1.0 / 2.2)), base.a);
}
