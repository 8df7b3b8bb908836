#include <metal_stdlib>

using namespace metal;

struct ShadeInput {
    float2 uv [[user(locn0)]];
    float3 normal [[user(locn1)]];
};

fragment float4 shade(
    ShadeInput in [[stage_in]],
    texture2d<float> material_tex_tex [[texture(0)]],
    sampler material_tex_samp [[sampler(0)]],
    constant packed_float3& light_dir [[buffer(0)]]
) {
    float4 albedo = material_tex_tex.sample(material_tex_samp, in.uv);
    float3 n = normalize(in.normal);
    float light = max(dot(n, float3(light_dir)), 0.0);
    return float4(albedo.xyz * light, albedo.w);
}
