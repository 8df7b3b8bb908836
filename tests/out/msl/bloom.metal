#include <metal_stdlib>

using namespace metal;

struct alignas(16) Bloom {
    float2 texel;
    float threshold;
    float knee;
    float strength;
};

struct FullscreenOutput {
    float4 position [[position]];
    float2 uv [[user(locn0)]];
};

struct ThresholdInput {
    float2 uv [[user(locn0)]];
};

struct ThresholdOutput {
    float4 color [[color(0)]];
};

struct DownsampleInput {
    float2 uv [[user(locn0)]];
};

struct DownsampleOutput {
    float4 color [[color(0)]];
};

struct UpsampleInput {
    float2 uv [[user(locn0)]];
};

struct UpsampleOutput {
    float4 color [[color(0)]];
};

vertex FullscreenOutput fullscreen(uint index [[vertex_id]]) {
    float2 corner = float2(float((int(index) << 1) & 2), float(int(index) & 2));
    FullscreenOutput out;
    out.position = float4(corner * 2.0 - 1.0, 0.0, 1.0);
    out.uv = corner;
    return out;
}

static float3 tap(float2 uv, float x, float y, constant Bloom& bloom, texture2d<float> source_tex,
    sampler source_samp) {
    return source_tex.sample(source_samp, uv + float2(x, y) * bloom.texel, level(0.0)).xyz;
}

static float3 box(float2 uv, float x, float y, float reach, constant Bloom& bloom,
    texture2d<float> source_tex, sampler source_samp) {
    return 0.25 * (tap(uv, x - reach, y - reach, bloom, source_tex, source_samp)
        + tap(uv, x + reach, y - reach, bloom, source_tex, source_samp)
        + tap(uv, x - reach, y + reach, bloom, source_tex, source_samp)
        + tap(uv, x + reach, y + reach, bloom, source_tex, source_samp));
}

fragment ThresholdOutput threshold(
    ThresholdInput in [[stage_in]],
    constant Bloom& bloom [[buffer(0)]],
    texture2d<float> source_tex [[texture(0)]],
    sampler source_samp [[sampler(0)]]
) {
    float3 light = source_tex.sample(source_samp, in.uv).xyz;
    float brightness = max(light.x, max(light.y, light.z));
    float soft = clamp(brightness - bloom.threshold + bloom.knee, 0.0, 2.0 * bloom.knee);
    float knee = soft * soft / (4.0 * bloom.knee + 0.0001);
    float kept = max(knee, brightness - bloom.threshold) / max(brightness, 0.0001);
    return {float4(light * kept, 1.0)};
}

fragment DownsampleOutput downsample(
    DownsampleInput in [[stage_in]],
    constant Bloom& bloom [[buffer(0)]],
    texture2d<float> source_tex [[texture(0)]],
    sampler source_samp [[sampler(0)]]
) {
    float3 corners = box(in.uv, -1.0, -1.0, 1.0, bloom, source_tex, source_samp)
        + box(in.uv, 1.0, -1.0, 1.0, bloom, source_tex, source_samp);
    corners += box(in.uv, -1.0, 1.0, 1.0, bloom, source_tex, source_samp)
        + box(in.uv, 1.0, 1.0, 1.0, bloom, source_tex, source_samp);
    return {float4(box(in.uv, 0.0, 0.0, 1.0, bloom, source_tex, source_samp) * 0.5
        + corners * 0.125, 1.0)};
}

fragment UpsampleOutput upsample(
    UpsampleInput in [[stage_in]],
    constant Bloom& bloom [[buffer(0)]],
    texture2d<float> source_tex [[texture(0)]],
    sampler source_samp [[sampler(0)]],
    texture2d<float> smaller_tex [[texture(1)]],
    sampler smaller_samp [[sampler(1)]]
) {
    float3 sum = float3(0.0);
    for (int y = -1; y < 2; y++) {
        for (int x = -1; x < 2; x++) {
            float weight = float((2 - abs(x)) * (2 - abs(y))) / 16.0;
            float2 offset = float2(float(x), float(y)) * bloom.texel;
            sum += smaller_tex.sample(smaller_samp, in.uv + offset, level(0.0)).xyz * weight;
        }
    }
    return {float4(source_tex.sample(source_samp, in.uv).xyz + sum * bloom.strength, 1.0)};
}
