// dxc -T ps_6_2 -E shade -HV 2021

struct Grade {
    float exposure;
    float saturation;
    float vignette;
};

ConstantBuffer<Grade> grade : register(b0);

Texture2D hdr_tex : register(t1);
SamplerState hdr_samp : register(s2);

float3 aces(float3 x) {
    return saturate(x * (2.51 * x + 0.03) / (x * (2.43 * x + 0.59) + 0.14));
}

float3 linear_to_srgb(float3 color) {
    float3 low = color * 12.92;
    float3 high = pow(color, 0.41666666) * 1.055 - 0.055;
    return lerp(high, low, step(color, (float3)0.0031308));
}

float4 shade(float2 uv : TEXCOORD0) : SV_Target0 {
    float3 color = hdr_tex.Sample(hdr_samp, uv).xyz;
    color *= exp2(grade.exposure);
    float luma = dot(color, float3(0.2126, 0.7152, 0.0722));
    color = lerp((float3)luma, color, grade.saturation);
    color = aces(max(color, 0.0));
    float2 centered = uv * 2.0 - 1.0;
    color *= 1.0 - smoothstep(0.4, 1.6, length(centered)) * grade.vignette;
    return float4(linear_to_srgb(color), 1.0);
}
