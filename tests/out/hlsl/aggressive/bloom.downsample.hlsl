// dxc -T ps_6_2 -E downsample -HV 2021

struct Bloom {
    float2 texel;
    float threshold;
    float knee;
    float strength;
};

ConstantBuffer<Bloom> bloom : register(b0, space0);

Texture2D source_tex : register(t1, space0);
SamplerState source_samp : register(s2, space0);

float4 downsample(float2 uv : TEXCOORD0) : SV_Target0 {
    float3 source_texel = source_tex.SampleLevel(source_samp, uv + float2(0.0, -2.0) * bloom.texel,
        0.0).xyz;
    float3 source_texel_1 = source_tex.SampleLevel(source_samp,
        uv + float2(-2.0, 0.0) * bloom.texel, 0.0).xyz;
    float3 source_texel_2 = source_tex.SampleLevel(source_samp, uv, 0.0).xyz;
    float3 source_texel_3 = source_tex.SampleLevel(source_samp,
        uv + float2(2.0, 0.0) * bloom.texel, 0.0).xyz;
    float3 source_texel_4 = source_tex.SampleLevel(source_samp,
        uv + float2(0.0, 2.0) * bloom.texel, 0.0).xyz;
    float3 sum = source_tex.SampleLevel(source_samp, uv - 2.0 * bloom.texel, 0.0).xyz
        + source_texel + source_texel_1 + source_texel_2
        + (source_texel
            + source_tex.SampleLevel(source_samp, uv + float2(2.0, -2.0) * bloom.texel, 0.0).xyz
            + source_texel_2 + source_texel_3);
    float3 corners = 0.25
        * (sum + (source_texel_1 + source_texel_2
            + source_tex.SampleLevel(source_samp, uv + float2(-2.0, 2.0) * bloom.texel, 0.0).xyz
            + source_texel_4
            + (source_texel_2 + source_texel_3 + source_texel_4
                + source_tex.SampleLevel(source_samp, uv + 2.0 * bloom.texel, 0.0).xyz)));
    return float4(0.125
        * (source_tex.SampleLevel(source_samp, uv - bloom.texel, 0.0).xyz
            + source_tex.SampleLevel(source_samp, uv + float2(1.0, -1.0) * bloom.texel, 0.0).xyz
            + source_tex.SampleLevel(source_samp, uv + float2(-1.0, 1.0) * bloom.texel, 0.0).xyz
            + source_tex.SampleLevel(source_samp, uv + bloom.texel, 0.0).xyz + corners), 1.0);
}
