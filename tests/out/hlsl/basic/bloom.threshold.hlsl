// dxc -T ps_6_2 -E threshold -HV 2021

struct Bloom {
    float2 texel;
    float threshold;
    float knee;
    float strength;
};

ConstantBuffer<Bloom> bloom : register(b0);

Texture2D source_tex : register(t1);
SamplerState source_samp : register(s2);

float4 threshold(float2 uv : TEXCOORD0) : SV_Target0 {
    float3 light = source_tex.Sample(source_samp, uv).xyz;
    float brightness = max(light.x, max(light.y, light.z));
    float difference = brightness - bloom.threshold;
    float soft = clamp(difference + bloom.knee, 0.0, 2.0 * bloom.knee);
    float knee = soft * soft / (4.0 * bloom.knee + 0.0001);
    float kept = max(knee, difference) / max(brightness, 0.0001);
    return float4(light * kept, 1.0);
}
