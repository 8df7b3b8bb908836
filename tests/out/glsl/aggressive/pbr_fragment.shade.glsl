#version 450
#extension GL_EXT_control_flow_attributes : require

struct PointLight {
    vec3 position;
    float radius;
    vec3 color;
    float intensity;
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

void main() {
    vec4 base = texture(albedo_tex, uv) * material.albedo;
    vec4 surface_texel = texture(surface_tex, uv);
    float roughness = clamp(surface_texel.y * material.roughness, 0.04, 1.0);
    float metallic = clamp(surface_texel.z * material.metallic, 0.0, 1.0);
    vec3 n = normalize(normal);
    vec3 t = normalize(tangent.xyz - n * dot(n, tangent.xyz));
    vec3 b = cross(n, t) * tangent.w;
    vec3 mapped = texture(normal_tex, uv).xyz * 2.0 - 1.0;
    mapped.xy *= material.normal_scale;
    n = normalize(mat3(t, b, n) * mapped);
    vec3 v = normalize(scene.camera - world);
    vec3 light = scene.ambient * base.xyz * surface_texel.x;
    vec3 product = base.xyz * ((1.0 - metallic) * 0.31830987);
    float dot_n_v = dot(n, v);
    float n_dot_v = max(dot_n_v, 0.0001);
    float roughness2 = roughness * roughness;
    float alpha2 = roughness2 * roughness2;
    float roughness_plus_one = roughness + 1.0;
    float k = roughness_plus_one * roughness_plus_one * 0.125;
    float one_minus_k = 1.0 - k;
    float quotient = n_dot_v * alpha2 * 0.31830987 / (n_dot_v * one_minus_k + k);
    float product_1 = 4.0 * n_dot_v;
    float alpha2_minus_one = alpha2 - 1.0;
    vec3 f0 = mix(vec3(0.04), base.xyz, metallic);
    vec3 one_minus_f0 = 1.0 - f0;
    [[unroll]] for (int i = 0; i < scene.light_count && i < 4; i++) {
        vec3 to_light = scene.lights[i].position - world;
        vec3 l = normalize(to_light);
        float dot_n_l = dot(n, l);
        float n_dot_l = clamp(dot_n_l, 0.0, 1.0);
        float dot_v_l = dot(v, l);
        float value = inversesqrt(2.0 + 2.0 * dot_v_l);
        float n_dot_h = clamp((dot_n_v + dot_n_l) * value, 0.0, 1.0);
        float denominator = n_dot_h * n_dot_h * alpha2_minus_one + 1.0;
        float difference = 1.0 - clamp((1.0 + dot_v_l) * value, 0.0, 1.0);
        float product_2 = difference * difference;
        vec3 f = f0 + one_minus_f0 * (product_2 * product_2 * difference);
        float distance2 = dot(to_light, to_light);
        float quotient_1 = distance2 / (scene.lights[i].radius * scene.lights[i].radius);
        float window = clamp(1.0 - quotient_1 * quotient_1, 0.0, 1.0);
        light += scene.lights[i].color
            * mix(product, vec3(quotient
                * (n_dot_l / ((n_dot_l * one_minus_k + k) * max(product_1 * n_dot_l, 0.001)
                    * (denominator * denominator)))), f)
            * (scene.lights[i].intensity * (window * window / max(distance2, 0.0001)) * n_dot_l);
    }
    vec3 light_times_exposure = light * scene.exposure;
    vec3 mapped_1 =
        clamp(light_times_exposure * (2.51 * light_times_exposure + 0.03)
            / (light_times_exposure * (2.43 * light_times_exposure + 0.59) + 0.14), 0.0, 1.0);
    color = vec4(pow(mapped_1, vec3(0.45454544)), base.w);
}
