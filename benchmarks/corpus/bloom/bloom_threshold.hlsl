// dxc -T ps_6_2 -E threshold -HV 2021
// Bloom, first pass: keep what is bright, with a soft knee.

struct Bloom {
    float2 texel;
    float threshold;
    float knee;
    float strength;
};

ConstantBuffer<Bloom> bloom : register(b0, space0);

Texture2D source : register(t1, space0);
SamplerState source_samp : register(s2, space0);

float4 threshold(float2 uv : TEXCOORD0) : SV_Target0 {
    float3 light = source.Sample(source_samp, uv).rgb;
    float brightness = max(light.r, max(light.g, light.b));
    float soft = clamp(brightness - bloom.threshold + bloom.knee, 0.0, 2.0 * bloom.knee);
    float knee = soft * soft / (4.0 * bloom.knee + 0.0001);
    float kept = max(knee, brightness - bloom.threshold) / max(brightness, 0.0001);
    return float4(light * kept, 1.0);
}
