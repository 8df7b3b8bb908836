#include <metal_stdlib>

using namespace metal;

struct alignas(16) Image {
    float2 texel;
};

struct AntialiasInput {
    float2 uv [[user(locn0)]];
};

fragment float4 antialias(
    AntialiasInput in [[stage_in]],
    constant Image& image [[buffer(0)]],
    texture2d<float> scene_tex [[texture(0)]],
    sampler scene_samp [[sampler(0)]]
) {
    float3 center = scene_tex.sample(scene_samp, in.uv, level(0.0)).xyz;
    float3 factors = float3(0.2126, 0.7152, 0.0722);
    float nw = dot(scene_tex.sample(scene_samp, in.uv - image.texel, level(0.0)).xyz, factors);
    float ne = dot(scene_tex.sample(scene_samp, in.uv + float2(1.0, -1.0) * image.texel,
        level(0.0)).xyz, factors);
    float sw = dot(scene_tex.sample(scene_samp, in.uv + float2(-1.0, 1.0) * image.texel,
        level(0.0)).xyz, factors);
    float se = dot(scene_tex.sample(scene_samp, in.uv + image.texel, level(0.0)).xyz, factors);
    float middle = dot(center, factors);
    float low = min(middle, min(min(nw, ne), min(sw, se)));
    float high = max(middle, max(max(nw, ne), max(sw, se)));
    float nw_plus_ne = nw + ne;
    float difference = sw + se - nw_plus_ne;
    float difference_1 = nw + sw - (ne + se);
    float2 along = float2(difference, difference_1);
    float reduce = max((nw_plus_ne + sw + se) * 0.03125, 0.0078125);
    float shortest = min(abs(difference), abs(difference_1)) + reduce;
    float2 step_ = clamp(along * (1.0 / shortest), float2(-8.0), float2(8.0)) * image.texel;
    float2 product = step_ * 0.16666667;
    float3 sum = scene_tex.sample(scene_samp, in.uv - product, level(0.0)).xyz
        + scene_tex.sample(scene_samp, in.uv + product, level(0.0)).xyz;
    float2 half_step = step_ * 0.5;
    float3 outer = 0.25
        * (sum + (scene_tex.sample(scene_samp, in.uv - half_step, level(0.0)).xyz
            + scene_tex.sample(scene_samp, in.uv + half_step, level(0.0)).xyz));
    float brightness = dot(outer, factors);
    if (brightness < low || brightness > high) {
        float3 inner = 0.5 * sum;
        return float4(inner, 1.0);
    }
    return float4(outer, 1.0);
}
