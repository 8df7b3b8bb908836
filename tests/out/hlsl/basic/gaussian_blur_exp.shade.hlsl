// dxc -T ps_6_2 -E shade -HV 2021

struct Blur {
    float2 direction;
    float sigma;
};

ConstantBuffer<Blur> blur : register(b0);

Texture2D source_tex : register(t1);
SamplerState source_samp : register(s2);

float4 shade(float2 uv : TEXCOORD0) : SV_Target0 {
    float product = 2.0 * blur.sigma * blur.sigma;
    float4 sum = (float4)0.0;
    float total = 0.0;
    for (int i = -4; i < 5; i++) {
        float x = float(i);
        float weight = exp(-(x * x) / product);
        sum += source_tex.Sample(source_samp, uv + blur.direction * x) * weight;
        total += weight;
    }
    return sum / total;
}
