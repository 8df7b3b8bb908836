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

struct ShadeOutput {
    float4 color [[color(0)]];
};

fragment ShadeOutput shade(
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
    float3 value = float3((1.0 - metallic) * 0.31830987);
    float roughness = surface_map_texel.y;
    float a = roughness * roughness;
    float a2 = a * a;
    float n_dot_v = max(dot(n, v), 0.0);
    float r = roughness + 1.0;
    float k = r * r * 0.125;
    float blend = mix(k, 1.0, n_dot_v);
    float n_dot_v_times_4 = 4.0 * n_dot_v;
    float3 light = float3(0.0);
    for (int i = 0; i < 4; i++) {
        float3 difference = scene.light_positions[i].xyz - in.world;
        float3 l = normalize(difference);
        float3 h = normalize(v + l);
        float value_1 = saturate(1.0 - max(dot(h, v), 0.0));
        float product = value_1 * value_1;
        float3 blend_1 = mix(f0, float3(1.0), float3(product * product * value_1));
        float n_dot_l = max(dot(n, l), 0.0);
        float n_dot_h = max(dot(n, h), 0.0);
        float denominator = mix(1.0, a2, n_dot_h * n_dot_h);
        float denominator_1 = n_dot_v_times_4 * n_dot_l + 0.0001;
        float3 specular = blend_1
            * (a2 * (n_dot_v * n_dot_l)
                / (3.1415927 * denominator * denominator * (blend * mix(k, 1.0, n_dot_l))
                    * denominator_1));
        light += scene.light_colors[i].xyz * ((1.0 - blend_1) * albedo * value + specular)
            * (n_dot_l / dot(difference, difference));
    }
    float3 color = albedo * (0.03 * surface_map_texel.x) + light;
    color /= color + 1.0;
    return {float4(powr(color, float3(0.45454544)), 1.0)};
}
