#version 450

struct Light {
    vec3 direction;
    float intensity;
    vec3 color;
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
    float a2 = a * a;
    float f = (n_dot_h * a2 - n_dot_h) * n_dot_h + 1.0;
    return a2 / (3.1415927 * f * f);
}

void main() {
    vec3 coat_n = normalize(normal);
    vec3 t = normalize(tangent.xyz);
    vec3 b = normalize(cross(coat_n, t)) * tangent.w;
    vec3 flake = texture(flakes, uv * 4.0).xyz * 2.0 - 1.0;
    vec3 n = normalize(mat3(t, b, coat_n) * normalize(flake));
    vec3 v = normalize(scene.camera - world);
    float one_minus_metallic = 1.0 - material.metallic;
    vec3 diffuse = material.base_color * one_minus_metallic;
    vec3 f0 = mix(vec3(0.04), material.base_color, material.metallic);
    vec3 color = scene.ambient * (diffuse + f0);
    float dot_n_v = dot(n, v);
    float product = dot(normal, v) * inversesqrt(dot(normal, normal));
    vec3 product_1 = material.base_color * (one_minus_metallic * 0.31830987);
    float n_dot_v = abs(dot_n_v) + 0.00001;
    float a = material.roughness * material.roughness;
    float a2 = a * a;
    float one_minus_a2 = 1.0 - a2;
    float root = sqrt(n_dot_v * n_dot_v * one_minus_a2 + a2);
    vec3 one_minus_f0 = 1.0 - f0;
    for (int i = 0; i < 3; i++) {
        vec3 unit_direction = normalize(scene.lights[i].direction);
        vec3 l = -unit_direction;
        float dot_n_l = dot(n, l);
        float dot_unit_direction_v = dot(unit_direction, v);
        float value = inversesqrt(2.0 - 2.0 * dot_unit_direction_v);
        float n_dot_h = clamp((dot_n_v + dot_n_l) * value, 0.0, 1.0);
        float d = d_ggx(n_dot_h, material.roughness);
        float dot_coat_n_l = dot(coat_n, l);
        float coat_n_dot_h = clamp((product + dot_coat_n_l) * value, 0.0, 1.0);
        float coat_d = d_ggx(coat_n_dot_h, material.clearcoat_roughness);
        float n_dot_l = clamp(dot_n_l, 0.0, 1.0);
        float ggx_v = n_dot_l * root;
        float ggx_l = n_dot_v * sqrt(n_dot_l * n_dot_l * one_minus_a2 + a2);
        float vis = 0.5 / (0.00001 + ggx_v + ggx_l);
        float l_dot_h = clamp((1.0 - dot_unit_direction_v) * value, 0.001, 1.0);
        float difference = 1.0 - l_dot_h;
        float product_2 = difference * difference;
        float product_3 = product_2 * product_2 * difference;
        vec3 f = f0 + one_minus_f0 * product_3;
        vec3 specular = d * vis * f;
        float sum = 0.04 + 0.96 * product_3;
        float coat_f = sum * material.clearcoat;
        float one_minus_coat_f = 1.0 - coat_f;
        float coat_n_dot_l = clamp(dot_coat_n_l, 0.0, 1.0);
        color += scene.lights[i].color
            * ((product_1 + specular)
                * (n_dot_l * (one_minus_coat_f * one_minus_coat_f) * scene.lights[i].intensity)
                + material.clearcoat * coat_n_dot_l * coat_d * sum * 0.25 / (l_dot_h * l_dot_h)
                * scene.lights[i].intensity);
    }
    out_color = vec4(color, 1.0);
}
