#include <metal_stdlib>

using namespace metal;

struct Uniforms {
    float3 scale;
    float2 offset;
};

struct Light {
    packed_float3 direction;
    float intensity;
};

struct ShadeInput {
    float2 uv [[user(locn0)]];
};

fragment float4 shade(
    ShadeInput in [[stage_in]],
    constant Uniforms& uniforms [[buffer(0)]],
    texture2d<float> material_tex_tex [[texture(0)]],
    sampler material_tex_samp [[sampler(0)]],
    device Light* lights [[buffer(4)]],
    constant packed_float3& ambient [[buffer(1)]],
    constant float& exposure [[buffer(2)]],
    constant float4& tint [[buffer(3)]],
    constant int& light_count [[buffer(5)]]
) {
    float4 albedo = material_tex_tex.sample(material_tex_samp,
        in.uv * uniforms.scale.xy + uniforms.offset);
    float3 total = float3(ambient);
#pragma unroll
    for (int i = 0; i < light_count && i < 16; i++) {
        total += max(lights[i].direction[2], 0.0) * lights[i].intensity * float3(1.0, 0.5, 0.25);
    }
    return float4(albedo.xyz * exposure * total, uniforms.scale.z) * tint;
}
