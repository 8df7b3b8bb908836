#include <metal_stdlib>

using namespace metal;

struct alignas(16) Blur {
    float2 direction;
};

struct ShadeInput {
    float2 uv [[user(locn0)]];
};

constant float WEIGHTS[5] = {0.22702703, 0.19459459, 0.12162162, 0.054054055, 0.016216217};

fragment float4 shade(
    ShadeInput in [[stage_in]],
    constant Blur& blur [[buffer(0)]],
    texture2d<float> source_tex [[texture(0)]],
    sampler source_samp [[sampler(0)]]
) {
    float3 color = source_tex.sample(source_samp, in.uv).xyz * 0.22702703;
    for (int i = 1; i < 5; i++) {
        float2 offset = blur.direction * float(i);
        color += source_tex.sample(source_samp, in.uv + offset).xyz * WEIGHTS[i];
        color += source_tex.sample(source_samp, in.uv - offset).xyz * WEIGHTS[i];
    }
    return float4(color, 1.0);
}
