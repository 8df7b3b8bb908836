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
    float3 greatest = max(color, float3(0.0));
    color = saturate(greatest * (2.51 * greatest + 0.03)
        / (greatest * (2.43 * greatest + 0.59) + 0.14));
    color *= 1.0 - smoothstep(0.4, 1.6, distance(in.uv * 2.0, float2(1.0))) * grade.vignette;
    float3 low = color * 12.92;
    float3 high = powr(color, float3(0.41666666)) * 1.055 - 0.055;
    return float4(select(low, high, float3(0.0031308) < color), 1.0);
}
