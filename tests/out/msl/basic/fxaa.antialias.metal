#include <metal_stdlib>

using namespace metal;

struct alignas(16) Image {
    float2 texel;
};

struct AntialiasInput {
    float2 uv [[user(locn0)]];
};

static float luminance(float3 color) {
    return dot(color, float3(0.2126, 0.7152, 0.0722));
}

static float3 fetch(float2 uv, texture2d<float> scene_tex, sampler scene_samp) {
    return scene_tex.sample(scene_samp, uv, level(0.0)).xyz;
}

fragment float4 antialias(
    AntialiasInput in [[stage_in]],
    constant Image& image [[buffer(0)]],
    texture2d<float> scene_tex [[texture(0)]],
    sampler scene_samp [[sampler(0)]]
) {
    float3 center = fetch(in.uv, scene_tex, scene_samp);
    float nw = luminance(fetch(in.uv - image.texel, scene_tex, scene_samp));
    float ne = luminance(fetch(in.uv + float2(1.0, -1.0) * image.texel, scene_tex, scene_samp));
    float sw = luminance(fetch(in.uv + float2(-1.0, 1.0) * image.texel, scene_tex, scene_samp));
    float se = luminance(fetch(in.uv + image.texel, scene_tex, scene_samp));
    float middle = luminance(center);
    float low = min(middle, min(min(nw, ne), min(sw, se)));
    float high = max(middle, max(max(nw, ne), max(sw, se)));
    float nw_plus_ne = nw + ne;
    float difference = sw + se - nw_plus_ne;
    float difference_1 = nw + sw - (ne + se);
    float2 along = float2(difference, difference_1);
    float reduce = max((nw_plus_ne + sw + se) * 0.03125, 0.0078125);
    float shortest = min(abs(difference), abs(difference_1)) + reduce;
    float2 step_ = clamp(along / shortest, float2(-8.0), float2(8.0)) * image.texel;
    float2 step_over_6 = step_ / 6.0;
    float3 inner = 0.5
        * (fetch(in.uv - step_over_6, scene_tex, scene_samp)
            + fetch(in.uv + step_over_6, scene_tex, scene_samp));
    float2 half_step = step_ * 0.5;
    float3 outer = 0.5 * inner
        + 0.25 * (fetch(in.uv - half_step, scene_tex, scene_samp)
            + fetch(in.uv + half_step, scene_tex, scene_samp));
    float brightness = luminance(outer);
    if (brightness < low || brightness > high) {
        return float4(inner, 1.0);
    }
    return float4(outer, 1.0);
}
