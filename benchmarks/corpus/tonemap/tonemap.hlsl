// dxc -T ps_6_2 -E shade -HV 2021
// An HDR image to display: exposure, saturation, the ACES curve, a vignette, sRGB.

struct Grade {
    float exposure;
    float saturation;
    float vignette;
};

ConstantBuffer<Grade> grade : register(b0, space0);

Texture2D hdr : register(t1, space0);
SamplerState hdr_samp : register(s2, space0);

float3 aces(float3 x) {
    float a = 2.51;
    float b = 0.03;
    float c = 2.43;
    float d = 0.59;
    float e = 0.14;
    return saturate((x * (a * x + b)) / (x * (c * x + d) + e));
}

float3 linear_to_srgb(float3 color) {
    float3 low = color * 12.92;
    float3 high = pow(color, 1.0 / 2.4) * 1.055 - 0.055;
    return lerp(high, low, step(color, 0.0031308));
}

float4 shade(float2 uv : TEXCOORD0) : SV_Target0 {
    float3 color = hdr.Sample(hdr_samp, uv).rgb;
    color *= exp2(grade.exposure);
    float luma = dot(color, float3(0.2126, 0.7152, 0.0722));
    color = lerp(luma.xxx, color, grade.saturation);
    color = aces(max(color, 0.0));
    float2 centered = uv * 2.0 - 1.0;
    color *= 1.0 - smoothstep(0.4, 1.6, length(centered)) * grade.vignette;
    return float4(linear_to_srgb(color), 1.0);
}
