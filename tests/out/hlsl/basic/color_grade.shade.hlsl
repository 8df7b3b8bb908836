// dxc -T ps_6_2 -E shade -HV 2021

struct Grade {
    float exposure;
    float saturation;
    float3 lift;
};

ConstantBuffer<Grade> grade : register(b0, space1);

Texture2D hdr : register(t0);
SamplerState nearest : register(s1);

float luminance(float3 color) {
    return dot(color, float3(0.2126, 0.7152, 0.0722));
}

float3 aces_fit(float3 x) {
    return saturate(x * (2.51 * x + 0.03) / (x * (2.43 * x + 0.59) + 0.14));
}

float3 linear_to_srgb(float3 color) {
    float3 low = color * 12.92;
    float3 high = 1.055 * pow(max(color, 0.0), 0.41666666) - 0.055;
    bool3 is_at_most = color <= 0.0031308;
    return float3(is_at_most.x ? low.x : high.x, is_at_most.y ? low.y : high.y,
        is_at_most.z ? low.z : high.z);
}

float4 shade(float2 uv : TEXCOORD0) : SV_Target0 {
    float3 light = hdr.Sample(nearest, uv).xyz * exp2(grade.exposure);
    float grey = luminance(light);
    float3 graded = max(lerp((float3)grey, light, grade.saturation) + grade.lift, 0.0);
    return float4(linear_to_srgb(aces_fit(graded)), grey);
}
