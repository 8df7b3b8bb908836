// dxc -T ps_6_2 -E downsample -HV 2021
// Bloom, second pass: halve with 13 taps.

struct Bloom {
    float2 texel;
    float threshold;
    float knee;
    float strength;
};

ConstantBuffer<Bloom> bloom : register(b0, space0);

Texture2D source : register(t1, space0);
SamplerState source_samp : register(s2, space0);

float3 tap(float2 uv, float x, float y) {
    return source.SampleLevel(source_samp, uv + float2(x, y) * bloom.texel, 0.0).rgb;
}

float3 box(float2 uv, float x, float y, float reach) {
    return 0.25 * (
        tap(uv, x - reach, y - reach) + tap(uv, x + reach, y - reach)
        + tap(uv, x - reach, y + reach) + tap(uv, x + reach, y + reach)
    );
}

float4 downsample(float2 uv : TEXCOORD0) : SV_Target0 {
    float3 corners = box(uv, -1.0, -1.0, 1.0) + box(uv, 1.0, -1.0, 1.0);
    corners += box(uv, -1.0, 1.0, 1.0) + box(uv, 1.0, 1.0, 1.0);
    return float4(box(uv, 0.0, 0.0, 1.0) * 0.5 + corners * 0.125, 1.0);
}
