#include <metal_stdlib>

using namespace metal;

struct Light {
    float4x4 view_proj;
    packed_float3 color;
    float texel;
};

struct ShadeInput {
    float2 uv [[user(locn0)]];
};

fragment float4 shade(
    ShadeInput in [[stage_in]],
    constant Light& light [[buffer(0)]],
    depth2d<float> shadow_map_tex [[texture(0)]],
    sampler shadow_map_samp [[sampler(0)]]
) {
    float4 world = float4(in.uv.x * 3.0 - 1.5, 0.25, in.uv.y * 3.0 - 1.5, 1.0);
    float4 transformed = light.view_proj * world;
    float3 ndc = transformed.xyz * (1.0 / transformed.w);
    float2 uv = ndc.xy * 0.5 + 0.5;
    float lit;
    if (any(uv < float2(0.0)) || any(uv > float2(1.0))) {
        lit = 1.0;
    } else {
        float difference = ndc.z - 0.01;
        float lit_1 = 0.0;
        for (int y = -1; y < 2; y++) {
            float y_float = float(y);
            for (int x = -1; x < 2; x++) {
                float2 offset = float2(float(x), y_float) * light.texel;
                lit_1 += shadow_map_tex.sample_compare(shadow_map_samp, uv + offset, difference);
            }
        }
        lit = lit_1 * 0.11111111;
    }
    return float4(float3(light.color) * lit, lit);
}
