#include <metal_stdlib>

using namespace metal;

struct alignas(16) Bloom {
    float2 texel;
    float threshold;
    float knee;
    float strength;
};

struct DownsampleInput {
    float2 uv [[user(locn0)]];
};

struct DownsampleOutput {
    float4 color [[color(0)]];
};

fragment DownsampleOutput downsample(
    DownsampleInput in [[stage_in]],
    constant Bloom& bloom [[buffer(0)]],
    texture2d<float> source_tex [[texture(0)]],
    sampler source_samp [[sampler(0)]]
) {
    float3 source_texel = source_tex.sample(source_samp, in.uv + float2(0.0, -2.0) * bloom.texel,
        level(0.0)).xyz;
    float3 source_texel_1 = source_tex.sample(source_samp, in.uv + float2(-2.0, 0.0) * bloom.texel,
        level(0.0)).xyz;
    float3 source_texel_2 = source_tex.sample(source_samp, in.uv, level(0.0)).xyz;
    float3 source_texel_3 = source_tex.sample(source_samp, in.uv + float2(2.0, 0.0) * bloom.texel,
        level(0.0)).xyz;
    float3 source_texel_4 = source_tex.sample(source_samp, in.uv + float2(0.0, 2.0) * bloom.texel,
        level(0.0)).xyz;
    float3 sum = source_tex.sample(source_samp, in.uv - 2.0 * bloom.texel, level(0.0)).xyz
        + source_texel + source_texel_1 + source_texel_2
        + (source_texel
            + source_tex.sample(source_samp, in.uv + float2(2.0, -2.0) * bloom.texel,
                level(0.0)).xyz + source_texel_2 + source_texel_3);
    float3 corners = 0.25
        * (sum + (source_texel_1 + source_texel_2
            + source_tex.sample(source_samp, in.uv + float2(-2.0, 2.0) * bloom.texel,
                level(0.0)).xyz + source_texel_4
            + (source_texel_2 + source_texel_3 + source_texel_4
                + source_tex.sample(source_samp, in.uv + 2.0 * bloom.texel, level(0.0)).xyz)));
    return {float4(0.125
        * (source_tex.sample(source_samp, in.uv - bloom.texel, level(0.0)).xyz
            + source_tex.sample(source_samp, in.uv + float2(1.0, -1.0) * bloom.texel,
                level(0.0)).xyz
            + source_tex.sample(source_samp, in.uv + float2(-1.0, 1.0) * bloom.texel,
                level(0.0)).xyz
            + source_tex.sample(source_samp, in.uv + bloom.texel, level(0.0)).xyz + corners), 1.0)};
}
