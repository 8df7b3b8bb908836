#version 450

struct Light {
    vec3 direction;
    float intensity;
    vec3 color;
};

struct Surface {
    vec3 world;
    vec3 normal;
    vec4 tangent;
    vec2 uv;
};

layout(binding = 0, std140) uniform Scene {
    Light lights[3];
    vec3 camera;
    vec3 ambient;
} scene;

layout(set = 1, binding = 0, std140) uniform Material {
    vec3 base_color;
    float roughness;
    float metallic;
    float clearcoat;
    float clearcoat_roughness;
} material;

layout(set = 1, binding = 1) uniform sampler2D flakes;

layout(location = 0) in vec3 world;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec4 tangent;
layout(location = 3) in vec2 uv;
layout(location = 0) out vec4 out_color;

float d_ggx(float n_dot_h, float roughness) {
    float a = roughness * roughness;
    float f = (n_dot_h * a * a - n_dot_h) * n_dot_h + 1.0;
    return a * a / (3.1415927 * f * f);
}

float v_smith(float n_dot_v, float n_dot_l, float roughness) {
    float a = roughness * roughness;
    float a2 = a * a;
    float one_minus_a2 = 1.0 - a2;
    float ggx_v = n_dot_l * sqrt(n_dot_v * n_dot_v * one_minus_a2 + a2);
    float ggx_l = n_dot_v * sqrt(n_dot_l * n_dot_l * one_minus_a2 + a2);
    return 0.5 / (ggx_v + ggx_l + 0.00001);
}

float v_kelemen(float l_dot_h) {
    return 0.25 / (l_dot_h * l_dot_h);
}

vec3 f_schlick(vec3 f0, float cos_theta) {
    return f0 + (1.0 - f0) * pow(1.0 - cos_theta, 5.0);
}

float f_schlick_coat(float cos_theta) {
    return 0.04 + 0.96 * pow(1.0 - cos_theta, 5.0);
}

vec3 flake_normal(Surface surface, vec3 n) {
    vec3 t = normalize(surface.tangent.xyz);
    vec3 b = normalize(cross(n, t)) * surface.tangent.w;
    vec3 flake = texture(flakes, surface.uv * 4.0).xyz * 2.0 - 1.0;
    return normalize(mat3(t, b, n) * normalize(flake));
}

vec3 shine(Light light, vec3 n, vec3 coat_n, vec3 v, vec3 diffuse, vec3 f0) {
    vec3 l = normalize(-light.direction);
    vec3 h = normalize(v + l);
    float n_dot_l = clamp(dot(n, l), 0.0, 1.0);
    float n_dot_v = abs(dot(n, v)) + 0.00001;
    float n_dot_h = clamp(dot(n, h), 0.0, 1.0);
    float l_dot_h = clamp(dot(l, h), 0.001, 1.0);
    float d = d_ggx(n_dot_h, material.roughness);
    float vis = v_smith(n_dot_v, n_dot_l, material.roughness);
    vec3 f = f_schlick(f0, l_dot_h);
    vec3 specular = d * vis * f;
    vec3 base = (diffuse / 3.1415927 + specular) * n_dot_l;
    float coat_n_dot_h = clamp(dot(coat_n, h), 0.0, 1.0);
    float coat_n_dot_l = clamp(dot(coat_n, l), 0.0, 1.0);
    float coat_d = d_ggx(coat_n_dot_h, material.clearcoat_roughness);
    float coat_f = f_schlick_coat(l_dot_h) * material.clearcoat;
    float coat = coat_d * v_kelemen(l_dot_h) * coat_f;
    vec3 one_minus_coat_f = vec3(1.0 - coat_f);
    vec3 color = base * one_minus_coat_f * one_minus_coat_f + coat * coat_n_dot_l;
    return color * light.color * light.intensity;
}

void main() {
    Surface surface = Surface(world, normal, tangent, uv);
    vec3 coat_n = normalize(normal);
    vec3 n = flake_normal(surface, coat_n);
    vec3 v = normalize(scene.camera - world);
    vec3 diffuse = material.base_color * (1.0 - material.metallic);
    vec3 f0 = mix(vec3(0.04), material.base_color, material.metallic);
    vec3 color = scene.ambient * (diffuse + f0);
    for (int i = 0; i < 3; i++) {
        color += shine(scene.lights[i], n, coat_n, v, diffuse, f0);
    }
    out_color = vec4(color, 1.0);
}
