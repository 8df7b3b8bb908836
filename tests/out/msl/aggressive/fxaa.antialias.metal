#include <metal_stdlib>

using namespace metal;

struct alignas(16) Image {
    float2 texel;
};

struct AntialiasInput {
    float2 uv [[user(locn0)]];
};

struct AntialiasOutput {
    float4 color [[color(0)]];
};

fragment AntialiasOutput antialias(
    AntialiasInput in [[stage_in]],
    constant Image& image [[buffer(0)]],
    texture2d<float> scene_tex [[texture(0)]],
    sampler scene_samp [[sampler(0)]]
) {
    float dot_product = dot(scene_tex.sample(scene_samp, in.uv - image.texel, level(0.0)).xyz,
        float3(0.2126, 0.7152, 0.0722));
    float dot_product_1 =
        dot(scene_tex.sample(scene_samp, in.uv + float2(1.0, -1.0) * image.texel, level(0.0)).xyz,
            float3(0.2126, 0.7152, 0.0722));
    float dot_product_2 =
        dot(scene_tex.sample(scene_samp, in.uv + float2(-1.0, 1.0) * image.texel, level(0.0)).xyz,
            float3(0.2126, 0.7152, 0.0722));
    float dot_product_3 = dot(scene_tex.sample(scene_samp, in.uv + image.texel, level(0.0)).xyz,
        float3(0.2126, 0.7152, 0.0722));
    float dot_product_4 = dot(scene_tex.sample(scene_samp, in.uv, level(0.0)).xyz,
        float3(0.2126, 0.7152, 0.0722));
    float low = min(dot_product_4,
        min(min(dot_product, dot_product_1), min(dot_product_2, dot_product_3)));
    float high = max(dot_product_4,
        max(max(dot_product, dot_product_1), max(dot_product_2, dot_product_3)));
    float sum = dot_product + dot_product_1;
    float difference = dot_product_2 + dot_product_3 - sum;
    float difference_1 = dot_product + dot_product_2 - (dot_product_1 + dot_product_3);
    float2 along = float2(difference, difference_1);
    float reduce = max((sum + dot_product_2 + dot_product_3) * 0.03125, 0.0078125);
    float shortest = min(abs(difference), abs(difference_1)) + reduce;
    float2 step_ = clamp(along * (1.0 / shortest), float2(-8.0), float2(8.0)) * image.texel;
    float2 product = step_ * 0.16666667;
    float3 sum_1 = scene_tex.sample(scene_samp, in.uv - product, level(0.0)).xyz
        + scene_tex.sample(scene_samp, in.uv + product, level(0.0)).xyz;
    float2 half_step = step_ * 0.5;
    float3 outer = 0.25
        * (sum_1 + (scene_tex.sample(scene_samp, in.uv - half_step, level(0.0)).xyz
            + scene_tex.sample(scene_samp, in.uv + half_step, level(0.0)).xyz));
    float dot_product_5 = dot(outer, float3(0.2126, 0.7152, 0.0722));
    if (dot_product_5 < low || dot_product_5 > high) {
        float3 inner = 0.5 * sum_1;
        return {float4(inner, 1.0)};
    }
    return {float4(outer, 1.0)};
}
