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
    float3 product = albedo * ((1.0 - metallic) * 0.31830987);
    float dot_n_v = dot(n, v);
    float n_dot_v = saturate(dot_n_v);
    float roughness = surface_map_texel.y;
    float a = roughness * roughness;
    float a2 = a * a;
    float r = roughness + 1.0;
    float k = r * r * 0.125;
    float one_minus_k = 1.0 - k;
    float quotient = n_dot_v * a2 * 0.31830987 / (n_dot_v * one_minus_k + k);
    float product_1 = 4.0 * n_dot_v;
    float a2_minus_one = a2 - 1.0;
    float3 one_minus_f0 = 1.0 - f0;
    float3 light = float3(0.0);
    for (int i = 0; i < 4; i++) {
        float3 difference = scene.light_positions[i].xyz - in.world;
        float3 l = normalize(difference);
        float dot_n_l = dot(n, l);
        float n_dot_l = saturate(dot_n_l);
        float denominator = product_1 * n_dot_l + 0.0001;
        float dot_v_l = dot(v, l);
        float value = rsqrt(2.0 + 2.0 * dot_v_l);
        float n_dot_h = saturate((dot_n_v + dot_n_l) * value);
        float denominator_1 = n_dot_h * n_dot_h * a2_minus_one + 1.0;
        float difference_1 = 1.0 - saturate((1.0 + dot_v_l) * value);
        float product_2 = difference_1 * difference_1;
        float3 f = f0 + one_minus_f0 * (product_2 * product_2 * difference_1);
        light += scene.light_colors[i].xyz
            * mix(product, float3(quotient
                * (n_dot_l / ((n_dot_l * one_minus_k + k) * denominator
                    * (denominator_1 * denominator_1)))), f)
            * (n_dot_l / dot(difference, difference));
    }
    float3 color = albedo * (0.03 * surface_map_texel.x) + light;
    color /= color + 1.0;
    return float4(powr(color, float3(0.45454544)), 1.0);
}
