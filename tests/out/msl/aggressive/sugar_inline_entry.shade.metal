#include <metal_stdlib>

using namespace metal;

struct ShadeInput {
    float2 uv [[user(locn0)]];
    float level_1 [[user(locn1)]];
};

fragment float4 shade(
    ShadeInput in [[stage_in]],
    texture2d<float> material_tex_tex [[texture(0)]],
    sampler material_tex_samp [[sampler(0)]]
) {
    float4 albedo = material_tex_tex.sample(material_tex_samp, in.uv);
    return float4(albedo.xyz * in.level_1, 1.0);
}
