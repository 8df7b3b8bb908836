// dxc -T ps_6_2 -E shade -HV 2021
// One direction of a Gaussian blur of nine taps; the weights follow from sigma.

static const int RADIUS = 4;

struct Blur {
    float2 direction; // one texel along the direction
    float sigma;
};

ConstantBuffer<Blur> blur : register(b0, space0);

Texture2D source : register(t1, space0);
SamplerState source_samp : register(s2, space0);

float4 shade(float2 uv : TEXCOORD0) : SV_Target0 {
    float4 sum = 0.0;
    float total = 0.0;
    [unroll]
    for (int i = -RADIUS; i <= RADIUS; i++) {
        float x = float(i);
        float weight = exp(-(x * x) / (2.0 * blur.sigma * blur.sigma));
        sum += source.Sample(source_samp, uv + blur.direction * x) * weight;
        total += weight;
    }
    return sum / total;
}
