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

void main() {
    vec3 albedo = pow(texture(albedo_map, uv).xyz, vec3(2.2));
    vec4 surface_map_texel = texture(surface_map, uv);
    vec3 n = normalize(normal);
    vec3 v = normalize(scene.camera - world);
    float metallic = surface_map_texel.z;
    vec3 f0 = mix(vec3(0.04), albedo, metallic);
    vec3 product = albedo * ((1.0 - metallic) * 0.31830987);
    float dot_n_v = dot(n, v);
    float n_dot_v = clamp(dot_n_v, 0.0, 1.0);
    float roughness = surface_map_texel.y;
    float a = roughness * roughness;
    float a2 = a * a;
    float r = roughness + 1.0;
    float k = r * r * 0.125;
    float one_minus_k = 1.0 - k;
    float quotient = n_dot_v * a2 * 0.31830987 / (n_dot_v * one_minus_k + k);
    float product_1 = 4.0 * n_dot_v;
    float a2_minus_one = a2 - 1.0;
    vec3 one_minus_f0 = 1.0 - f0;
    vec3 light = vec3(0.0);
    for (int i = 0; i < 4; i++) {
        vec3 difference = scene.light_positions[i].xyz - world;
        vec3 l = normalize(difference);
        float dot_n_l = dot(n, l);
        float n_dot_l = clamp(dot_n_l, 0.0, 1.0);
        float denominator = product_1 * n_dot_l + 0.0001;
        float dot_v_l = dot(v, l);
        float value = inversesqrt(2.0 + 2.0 * dot_v_l);
        float n_dot_h = clamp((dot_n_v + dot_n_l) * value, 0.0, 1.0);
        float denominator_1 = n_dot_h * n_dot_h * a2_minus_one + 1.0;
        float difference_1 = 1.0 - clamp((1.0 + dot_v_l) * value, 0.0, 1.0);
        float product_2 = difference_1 * difference_1;
        vec3 f = f0 + one_minus_f0 * (product_2 * product_2 * difference_1);
        light += scene.light_colors[i].xyz
            * mix(product, vec3(quotient
                * (n_dot_l / ((n_dot_l * one_minus_k + k) * denominator
                    * (denominator_1 * denominator_1)))), f)
            * (n_dot_l / dot(difference, difference));
    }
    vec3 color = albedo * (0.03 * surface_map_texel.x) + light;
    color /= color + 1.0;
    out_color = vec4(pow(color, vec3(0.45454544)), 1.0);
}
