#include <metal_stdlib>

using namespace metal;

struct alignas(16) Bloom {
    float2 texel;
    float threshold;
    float knee;
    float strength;
};

struct ThresholdInput {
    float2 uv [[user(locn0)]];
};

fragment float4 threshold(
    ThresholdInput in [[stage_in]],
    constant Bloom& bloom [[buffer(0)]],
    texture2d<float> source_tex [[texture(0)]],
    sampler source_samp [[sampler(0)]]
) {
    float3 light = source_tex.sample(source_samp, in.uv).xyz;
    float brightness = max(light.x, max(light.y, light.z));
    float difference = brightness - bloom.threshold;
    float soft = clamp(difference + bloom.knee, 0.0, 2.0 * bloom.knee);
    float knee = soft * soft / (4.0 * bloom.knee + 0.0001);
    float kept = max(knee, difference) / max(brightness, 0.0001);
    return float4(light * kept, 1.0);
}
