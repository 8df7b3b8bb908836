#include <metal_stdlib>

using namespace metal;

struct alignas(16) Grade {
    float exposure;
    float saturation;
    float vignette;
};

struct ShadeInput {
    float2 uv [[user(locn0)]];
};

static float3 aces(float3 x) {
    return saturate(x * (2.51 * x + 0.03) / (x * (2.43 * x + 0.59) + 0.14));
}

static float3 linear_to_srgb(float3 color) {
    float3 low = color * 12.92;
    float3 high = powr(color, float3(0.41666666)) * 1.055 - 0.055;
    return mix(high, low, step(color, float3(0.0031308)));
}

fragment float4 shade(
    ShadeInput in [[stage_in]],
    constant Grade& grade [[buffer(0)]],
    texture2d<float> hdr_tex [[texture(0)]],
    sampler hdr_samp [[sampler(0)]]
) {
    float3 color = hdr_tex.sample(hdr_samp, in.uv).xyz;
    color *= exp2(grade.exposure);
    float luma = dot(color, float3(0.2126, 0.7152, 0.0722));
    color = mix(float3(luma), color, float3(grade.saturation));
    color = aces(max(color, float3(0.0)));
    float2 centered = in.uv * 2.0 - 1.0;
    color *= 1.0 - smoothstep(0.4, 1.6, length(centered)) * grade.vignette;
    return float4(linear_to_srgb(color), 1.0);
}
