// dxc -T ps_6_2 -E shade -HV 2021
// One direction of a Gaussian blur of nine taps with constant weights.

static const float WEIGHTS[5] = { 0.227027027, 0.194594595, 0.121621622, 0.054054054, 0.016216216 };

struct Blur {
    float2 direction; // one texel along the direction
};

ConstantBuffer<Blur> blur : register(b0, space0);

Texture2D source : register(t1, space0);
SamplerState source_samp : register(s2, space0);

float4 shade(float2 uv : TEXCOORD0) : SV_Target0 {
    float3 color = source.Sample(source_samp, uv).rgb * WEIGHTS[0];
    [unroll]
    for (int i = 1; i < 5; i++) {
        float2 offset = blur.direction * float(i);
        color += source.Sample(source_samp, uv + offset).rgb * WEIGHTS[i];
        color += source.Sample(source_samp, uv - offset).rgb * WEIGHTS[i];
    }
    return float4(color, 1.0);
}
