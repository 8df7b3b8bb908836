#include <metal_stdlib>

using namespace metal;

struct alignas(16) Bloom {
    float2 texel;
    float threshold;
    float knee;
    float strength;
};

struct UpsampleInput {
    float2 uv [[user(locn0)]];
};

fragment float4 upsample(
    UpsampleInput in [[stage_in]],
    constant Bloom& bloom [[buffer(0)]],
    texture2d<float> source_tex [[texture(0)]],
    sampler source_samp [[sampler(0)]],
    texture2d<float> smaller_tex [[texture(1)]],
    sampler smaller_samp [[sampler(1)]]
) {
    float3 sum = float3(0.0);
    for (int y = -1; y < 2; y++) {
        float y_float = float(y);
        int difference = 2 - abs(y);
        for (int x = -1; x < 2; x++) {
            float2 offset = float2(float(x), y_float) * bloom.texel;
            float weight = float((2 - abs(x)) * difference) * 0.0625;
            sum += smaller_tex.sample(smaller_samp, in.uv + offset, level(0.0)).xyz * weight;
        }
    }
    return float4(source_tex.sample(source_samp, in.uv).xyz + sum * bloom.strength, 1.0);
}
