#include <metal_stdlib>

using namespace metal;

struct Grade {
    float exposure;
    float saturation;
    float3 lift;
};

struct ShadeInput {
    float2 uv [[user(locn0)]];
};

fragment float4 shade(
    ShadeInput in [[stage_in]],
    texture2d<float> hdr [[texture(0)]],
    sampler nearest [[sampler(0)]],
    constant Grade& grade [[buffer(0)]]
) {
    float3 light = hdr.sample(nearest, in.uv).xyz * exp2(grade.exposure);
    float grey = dot(light, float3(0.2126, 0.7152, 0.0722));
    float3 graded = max(mix(float3(grey), light, float3(grade.saturation)) + grade.lift,
        float3(0.0));
    float3 value = saturate(graded * (2.51 * graded + 0.03)
        / (graded * (2.43 * graded + 0.59) + 0.14));
    float3 low = value * 12.92;
    float3 high = 1.055 * powr(value, float3(0.41666666)) - 0.055;
    return float4(select(high, low, value <= float3(0.0031308)), grey);
}
