#version 450
#extension GL_EXT_control_flow_attributes : require

struct PointLight {
    vec3 position;
    float radius;
    vec3 color;
    float intensity;
};

struct Surface {
    vec4 position;
    vec3 world;
    vec3 normal;
    vec4 tangent;
    vec2 uv;
};

layout(binding = 0, std140) uniform Scene {
    vec3 camera;
    int light_count;
    vec3 ambient;
    float exposure;
    PointLight lights[4];
} scene;

layout(set = 1, binding = 0, std140) uniform Material {
    vec4 albedo;
    float roughness;
    float metallic;
    float normal_scale;
} material;

layout(set = 1, binding = 1) uniform sampler2D albedo_tex;
layout(set = 1, binding = 3) uniform sampler2D normal_tex;
layout(set = 1, binding = 5) uniform sampler2D surface_tex;

layout(location = 0) in vec3 world;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec4 tangent;
layout(location = 3) in vec2 uv;
layout(location = 0) out vec4 color;

float square(float x) {
    return x * x;
}

float distribution_ggx(float n_dot_h, float roughness) {
    float alpha2 = square(square(roughness));
    float denominator = square(n_dot_h) * (alpha2 - 1.0) + 1.0;
    return alpha2 / (3.1415927 * square(denominator));
}

float geometry_schlick(float n_dot_x, float roughness) {
    float k = square(roughness + 1.0) * 0.125;
    return n_dot_x / (n_dot_x * (1.0 - k) + k);
}

float geometry_smith(float n_dot_v, float n_dot_l, float roughness) {
    return geometry_schlick(n_dot_v, roughness) * geometry_schlick(n_dot_l, roughness);
}

vec3 fresnel_schlick(float cos_theta, vec3 f0) {
    return f0 + (1.0 - f0) * pow(clamp(1.0 - cos_theta, 0.0, 1.0), 5.0);
}

vec3 aces_fit(vec3 x) {
    return clamp(x * (2.51 * x + 0.03) / (x * (2.43 * x + 0.59) + 0.14), 0.0, 1.0);
}

vec3 shading_normal(Surface surface) {
    vec3 n = normalize(surface.normal);
    vec3 t = normalize(surface.tangent.xyz - n * dot(n, surface.tangent.xyz));
    vec3 b = cross(n, t) * surface.tangent.w;
    vec3 mapped = texture(normal_tex, surface.uv).xyz * 2.0 - 1.0;
    mapped.xy *= material.normal_scale;
    return normalize(mat3(t, b, n) * mapped);
}

float attenuation(float distance2, float radius) {
    float window = clamp(1.0 - square(distance2 / square(radius)), 0.0, 1.0);
    return square(window) / max(distance2, 0.0001);
}

vec3 direct_light(PointLight light, vec3 world, vec3 n, vec3 v, vec3 albedo, float roughness,
    float metallic) {
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
    vec3 diffuse = (1.0 - f) * (1.0 - metallic) * albedo / 3.1415927;
    vec3 radiance = light.color * (light.intensity * attenuation(distance2, light.radius));
    return (diffuse + specular) * radiance * n_dot_l;
}

void main() {
    Surface surface = Surface(vec4(0.0), world, normal, tangent, uv);
    vec4 base = texture(albedo_tex, uv) * material.albedo;
    vec4 surface_texel = texture(surface_tex, uv);
    float roughness = clamp(surface_texel.y * material.roughness, 0.04, 1.0);
    float metallic = clamp(surface_texel.z * material.metallic, 0.0, 1.0);
    vec3 n = shading_normal(surface);
    vec3 v = normalize(scene.camera - world);
    vec3 light = scene.ambient * base.xyz * surface_texel.x;
    [[unroll]] for (int i = 0; i < scene.light_count && i < 4; i++) {
        light += direct_light(scene.lights[i], world, n, v, base.xyz, roughness, metallic);
    }
    vec3 mapped = aces_fit(light * scene.exposure);
    color = vec4(pow(mapped, vec3(0.45454544)), base.w);
}
