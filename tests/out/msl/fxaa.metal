#include <metal_stdlib>

using namespace metal;

struct alignas(16) Image {
    float2 texel;
};

struct FullscreenOutput {
    float4 position [[position]];
    float2 uv [[user(locn0)]];
};

struct AntialiasInput {
    float2 uv [[user(locn0)]];
};

struct AntialiasOutput {
    float4 color [[color(0)]];
};

vertex FullscreenOutput fullscreen(uint index [[vertex_id]]) {
    float2 corner = float2(float((int(index) << 1) & 2), float(int(index) & 2));
    FullscreenOutput out;
    out.position = float4(corner * 2.0 - 1.0, 0.0, 1.0);
    out.uv = corner;
    return out;
}

static float luminance(float3 color) {
    return dot(color, float3(0.2126, 0.7152, 0.0722));
}

static float3 fetch(float2 uv, texture2d<float> scene_tex, sampler scene_samp) {
    return scene_tex.sample(scene_samp, uv, level(0.0)).xyz;
}

fragment AntialiasOutput antialias(
    AntialiasInput in [[stage_in]],
    constant Image& image [[buffer(0)]],
    texture2d<float> scene_tex [[texture(0)]],
    sampler scene_samp [[sampler(0)]]
) {
    float3 center = fetch(in.uv, scene_tex, scene_samp);
    float nw = luminance(fetch(in.uv + (-1.0 * image.texel), scene_tex, scene_samp));
    float ne = luminance(fetch(in.uv + float2(1.0, -1.0) * image.texel, scene_tex, scene_samp));
    float sw = luminance(fetch(in.uv + float2(-1.0, 1.0) * image.texel, scene_tex, scene_samp));
    float se = luminance(fetch(in.uv + 1.0 * image.texel, scene_tex, scene_samp));
    float middle = luminance(center);
    float low = min(middle, min(min(nw, ne), min(sw, se)));
    float high = max(middle, max(max(nw, ne), max(sw, se)));
    float2 along = float2(sw + se - (nw + ne), nw + sw - (ne + se));
    float reduce = max((nw + ne + sw + se) * (0.25 * 0.125), 0.0078125);
    float shortest = min(abs(along.x), abs(along.y)) + reduce;
    float2 step_ = clamp(along / shortest, float2(-8.0), float2(8.0)) * image.texel;
    float3 inner = 0.5
        * (fetch(in.uv - step_ / 6.0, scene_tex, scene_samp)
        + fetch(in.uv + step_ / 6.0, scene_tex, scene_samp));
    float3 outer = 0.5 * inner
        + 0.25 * (fetch(in.uv - step_ * 0.5, scene_tex, scene_samp)
        + fetch(in.uv + step_ * 0.5, scene_tex, scene_samp));
    float brightness = luminance(outer);
    if (brightness < low || brightness > high) {
        return {float4(inner, 1.0)};
    }
    return {float4(outer, 1.0)};
}
