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

static float luminance(float3 color) {
    return dot(color, float3(0.2126, 0.7152, 0.0722));
}

static float3 aces_fit(float3 x) {
    return saturate(x * (2.51 * x + 0.03) / (x * (2.43 * x + 0.59) + 0.14));
}

static float3 linear_to_srgb(float3 color) {
    float3 low = color * 12.92;
    float3 high = 1.055 * powr(max(color, float3(0.0)), float3(0.41666666)) - 0.055;
    return select(high, low, color <= float3(0.0031308));
}

fragment float4 shade(
    ShadeInput in [[stage_in]],
    texture2d<float> hdr [[texture(0)]],
    sampler nearest [[sampler(0)]],
    constant Grade& grade [[buffer(0)]]
) {
    float3 light = hdr.sample(nearest, in.uv).xyz * exp2(grade.exposure);
    float grey = luminance(light);
    float3 graded = max(mix(float3(grey), light, float3(grade.saturation)) + grade.lift,
        float3(0.0));
    return float4(linear_to_srgb(aces_fit(graded)), grey);
}
