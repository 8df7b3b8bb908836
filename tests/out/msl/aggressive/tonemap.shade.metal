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

struct ShadeOutput {
    float4 color [[color(0)]];
};

fragment ShadeOutput shade(
    ShadeInput in [[stage_in]],
    constant Grade& grade [[buffer(0)]],
    texture2d<float> hdr_tex [[texture(0)]],
    sampler hdr_samp [[sampler(0)]]
) {
    float3 color = hdr_tex.sample(hdr_samp, in.uv).xyz;
    float exp2_exposure = exp2(grade.exposure);
    float3 color_1 = color * exp2_exposure;
    float luma = dot(color, float3(0.2126, 0.7152, 0.0722)) * exp2_exposure;
    color_1 = mix(float3(luma), color_1, float3(grade.saturation));
    float3 greatest = max(color_1, float3(0.0));
    color_1 = saturate(greatest * (2.51 * greatest + 0.03)
        / (greatest * (2.43 * greatest + 0.59) + 0.14))
        * (1.0 - smoothstep(0.4, 1.6, distance(in.uv * 2.0, float2(1.0))) * grade.vignette);
    float3 low = color_1 * 12.92;
    float3 high = powr(color_1, float3(0.41666666)) * 1.055 - 0.055;
    return {float4(select(low, high, float3(0.0031308) < color_1), 1.0)};
}
