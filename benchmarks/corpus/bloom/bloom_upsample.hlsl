// dxc -T ps_6_2 -E upsample -HV 2021
// Bloom, last pass: add the smaller image back with a 3x3 tent.

struct Bloom {
    float2 texel;
    float threshold;
    float knee;
    float strength;
};

ConstantBuffer<Bloom> bloom : register(b0, space0);

Texture2D source : register(t1, space0);
SamplerState source_samp : register(s2, space0);
Texture2D smaller : register(t3, space0);
SamplerState smaller_samp : register(s4, space0);

float4 upsample(float2 uv : TEXCOORD0) : SV_Target0 {
    float3 sum = 0.0;
    for (int y = -1; y <= 1; y++) {
        for (int x = -1; x <= 1; x++) {
            float weight = float((2 - abs(x)) * (2 - abs(y))) / 16.0;
            float2 offset = float2(x, y) * bloom.texel;
            sum += smaller.SampleLevel(smaller_samp, uv + offset, 0.0).rgb * weight;
        }
    }
    return float4(source.Sample(source_samp, uv).rgb + sum * bloom.strength, 1.0);
}
