// dxc -T ps_6_2 -E shade -HV 2021

struct Grade {
    float exposure;
    float saturation;
    float vignette;
};

ConstantBuffer<Grade> grade : register(b0);

Texture2D hdr_tex : register(t1);
SamplerState hdr_samp : register(s2);

float4 shade(float2 uv : TEXCOORD0) : SV_Target0 {
    float3 color = hdr_tex.Sample(hdr_samp, uv).xyz;
    color *= exp2(grade.exposure);
    float luma = dot(color, float3(0.2126, 0.7152, 0.0722));
    color = lerp((float3)luma, color, grade.saturation);
    float3 greatest = max(color, 0.0);
    color = saturate(greatest * (2.51 * greatest + 0.03)
        / (greatest * (2.43 * greatest + 0.59) + 0.14));
    color *= 1.0 - smoothstep(0.4, 1.6, distance(uv * 2.0, (float2)1.0)) * grade.vignette;
    float3 low = color * 12.92;
    float3 high = pow(color, 0.41666666) * 1.055 - 0.055;
    bool3 is_below = 0.0031308 < color;
    return float4(is_below.x ? high.x : low.x, is_below.y ? high.y : low.y,
        is_below.z ? high.z : low.z, 1.0);
}
