// dxc -T ps_6_2 -E upsample -HV 2021

struct Bloom {
    float2 texel;
    float threshold;
    float knee;
    float strength;
};

ConstantBuffer<Bloom> bloom : register(b0);

Texture2D source_tex : register(t1);
SamplerState source_samp : register(s2);
Texture2D smaller_tex : register(t3);
SamplerState smaller_samp : register(s4);

float4 upsample(float2 uv : TEXCOORD0) : SV_Target0 {
    float3 sum = (float3)0.0;
    for (int y = -1; y < 2; y++) {
        float y_float = float(y);
        int difference = 2 - abs(y);
        for (int x = -1; x < 2; x++) {
            float2 offset = float2(float(x), y_float) * bloom.texel;
            float weight = float((2 - abs(x)) * difference) * 0.0625;
            sum += smaller_tex.SampleLevel(smaller_samp, uv + offset, 0.0).xyz * weight;
        }
    }
    return float4(source_tex.Sample(source_samp, uv).xyz + sum * bloom.strength, 1.0);
}
