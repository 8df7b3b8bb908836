#include <metal_stdlib>

using namespace metal;

struct Scene {
    float4 light_positions[4];
    float4 light_colors[4];
    float3 camera;
};

struct ShadeInput {
    float3 world [[user(locn0)]];
    float3 normal [[user(locn1)]];
    float2 uv [[user(locn2)]];
};

static float distribution_ggx(float3 n, float3 h, float roughness) {
    float a = roughness * roughness;
    float a2 = a * a;
    float n_dot_h = max(dot(n, h), 0.0);
    float denominator = n_dot_h * n_dot_h * (a2 - 1.0) + 1.0;
    return a2 / (3.1415927 * denominator * denominator);
}

static float geometry_schlick_ggx(float n_dot_v, float roughness) {
    float r = roughness + 1.0;
    float k = r * r * 0.125;
    return n_dot_v / (n_dot_v * (1.0 - k) + k);
}

static float geometry_smith(float3 n, float3 v, float3 l, float roughness) {
    float n_dot_v = max(dot(n, v), 0.0);
    float n_dot_l = max(dot(n, l), 0.0);
    return geometry_schlick_ggx(n_dot_v, roughness) * geometry_schlick_ggx(n_dot_l, roughness);
}

static float3 fresnel_schlick(float cos_theta, float3 f0) {
    return f0 + (1.0 - f0) * powr(saturate(1.0 - cos_theta), 5.0);
}

fragment float4 shade(
    ShadeInput in [[stage_in]],
    constant Scene& scene [[buffer(0)]],
    texture2d<float> albedo_map_tex [[texture(0)]],
    sampler albedo_map_samp [[sampler(0)]],
    texture2d<float> surface_map_tex [[texture(1)]],
    sampler surface_map_samp [[sampler(1)]]
) {
    float3 albedo = powr(albedo_map_tex.sample(albedo_map_samp, in.uv).xyz, float3(2.2));
    float4 surface_map_texel = surface_map_tex.sample(surface_map_samp, in.uv);
    float3 n = normalize(in.normal);
    float3 v = normalize(scene.camera - in.world);
    float metallic = surface_map_texel.z;
    float3 f0 = mix(float3(0.04), albedo, float3(metallic));
    float3 one_minus_metallic = float3(1.0 - metallic);
    float product = 4.0 * max(dot(n, v), 0.0);
    float roughness = surface_map_texel.y;
    float3 light = float3(0.0);
    for (int i = 0; i < 4; i++) {
        float3 difference = scene.light_positions[i].xyz - in.world;
        float3 l = normalize(difference);
        float3 h = normalize(v + l);
        float d = distribution_ggx(n, h, roughness);
        float g = geometry_smith(n, v, l, roughness);
        float3 f = fresnel_schlick(max(dot(h, v), 0.0), f0);
        float3 diffuse = (1.0 - f) * one_minus_metallic;
        float3 numerator = d * g * f;
        float n_dot_l = max(dot(n, l), 0.0);
        float denominator = product * n_dot_l + 0.0001;
        float3 specular = numerator / denominator;
        float reach = length(difference);
        float attenuation = 1.0 / (reach * reach);
        float3 radiance = scene.light_colors[i].xyz * attenuation;
        light += (diffuse * albedo / 3.1415927 + specular) * radiance * n_dot_l;
    }
    float3 color = 0.03 * albedo * surface_map_texel.x + light;
    color /= color + 1.0;
    return float4(powr(color, float3(0.45454544)), 1.0);
}
