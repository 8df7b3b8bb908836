// dxc -T ps_6_2 -E shade -HV 2021

struct Blur {
    float2 direction;
};

static const float WEIGHTS[5] = { 0.22702703, 0.19459459, 0.12162162, 0.054054055, 0.016216217 };

ConstantBuffer<Blur> blur : register(b0);

Texture2D source_tex : register(t1);
SamplerState source_samp : register(s2);

float4 shade(float2 uv : TEXCOORD0) : SV_Target0 {
    float3 color = source_tex.Sample(source_samp, uv).xyz * 0.22702703;
    for (int i = 1; i < 5; i++) {
        float2 offset = blur.direction * float(i);
        color += source_tex.Sample(source_samp, uv + offset).xyz * WEIGHTS[i];
        color += source_tex.Sample(source_samp, uv - offset).xyz * WEIGHTS[i];
    }
    return float4(color, 1.0);
}
