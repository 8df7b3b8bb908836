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

static float3 tap(float2 uv, float x, float y, constant Bloom& bloom, texture2d<float> source_tex,
    sampler source_samp) {
    return source_tex.sample(source_samp, uv + float2(x, y) * bloom.texel, level(0.0)).xyz;
}

static float3 box(float2 uv, float x, float y, constant Bloom& bloom, texture2d<float> source_tex,
    sampler source_samp) {
    float x_minus_one = x - 1.0;
    float y_minus_one = y - 1.0;
    float x_plus_one = x + 1.0;
    float y_plus_one = y + 1.0;
    return 0.25 * (tap(uv, x_minus_one, y_minus_one, bloom, source_tex, source_samp)
        + tap(uv, x_plus_one, y_minus_one, bloom, source_tex, source_samp)
        + tap(uv, x_minus_one, y_plus_one, bloom, source_tex, source_samp)
        + tap(uv, x_plus_one, y_plus_one, bloom, source_tex, source_samp));
}

fragment float4 downsample(
    DownsampleInput in [[stage_in]],
    constant Bloom& bloom [[buffer(0)]],
    texture2d<float> source_tex [[texture(0)]],
    sampler source_samp [[sampler(0)]]
) {
    float3 corners = box(in.uv, -1.0, -1.0, bloom, source_tex, source_samp)
        + box(in.uv, 1.0, -1.0, bloom, source_tex, source_samp);
    corners += box(in.uv, -1.0, 1.0, bloom, source_tex, source_samp)
        + box(in.uv, 1.0, 1.0, bloom, source_tex, source_samp);
    return float4(box(in.uv, 0.0, 0.0, bloom, source_tex, source_samp) * 0.5 + corners * 0.125,
        1.0);
}
