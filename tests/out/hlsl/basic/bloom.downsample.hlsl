// dxc -T ps_6_2 -E downsample -HV 2021

struct Bloom {
    float2 texel;
    float threshold;
    float knee;
    float strength;
};

ConstantBuffer<Bloom> bloom : register(b0);

Texture2D source_tex : register(t1);
SamplerState source_samp : register(s2);

float3 tap(float2 uv, float x, float y) {
    return source_tex.SampleLevel(source_samp, uv + float2(x, y) * bloom.texel, 0.0).xyz;
}

float3 box(float2 uv, float x, float y, float reach) {
    float x_minus_reach = x - reach;
    float y_minus_reach = y - reach;
    float x_plus_reach = x + reach;
    float y_plus_reach = y + reach;
    return 0.25 * (tap(uv, x_minus_reach, y_minus_reach) + tap(uv, x_plus_reach, y_minus_reach)
        + tap(uv, x_minus_reach, y_plus_reach) + tap(uv, x_plus_reach, y_plus_reach));
}

float4 downsample(float2 uv : TEXCOORD0) : SV_Target0 {
    float3 corners = box(uv, -1.0, -1.0, 1.0) + box(uv, 1.0, -1.0, 1.0);
    corners += box(uv, -1.0, 1.0, 1.0) + box(uv, 1.0, 1.0, 1.0);
    return float4(box(uv, 0.0, 0.0, 1.0) * 0.5 + corners * 0.125, 1.0);
}
