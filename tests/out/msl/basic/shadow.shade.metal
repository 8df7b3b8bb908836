#include <metal_stdlib>

using namespace metal;

struct Light {
    float4x4 view_proj;
    packed_float3 color;
    float texel;
};

struct ShadeInput {
    float2 uv [[user(locn0)]];
};

static float shadow_factor(float4 clip, constant Light& light, depth2d<float> shadow_map_tex,
    sampler shadow_map_samp) {
    float2 uv = float2(clip.x / clip.w, clip.y / clip.w) * 0.5 + 0.5;
    if (any(uv < float2(0.0)) || any(uv > float2(1.0))) {
        return 1.0;
    }
    float difference = clip.z / clip.w - 0.01;
    float lit = 0.0;
    for (int y = -1; y < 2; y++) {
        float y_float = float(y);
        for (int x = -1; x < 2; x++) {
            float2 offset = float2(float(x), y_float) * light.texel;
            lit += shadow_map_tex.sample_compare(shadow_map_samp, uv + offset, difference);
        }
    }
    return lit / 9.0;
}

fragment float4 shade(
    ShadeInput in [[stage_in]],
    constant Light& light [[buffer(0)]],
    depth2d<float> shadow_map_tex [[texture(0)]],
    sampler shadow_map_samp [[sampler(0)]]
) {
    float4 world = float4(in.uv.x * 3.0 - 1.5, 0.25, in.uv.y * 3.0 - 1.5, 1.0);
    float lit = shadow_factor(light.view_proj * world, light, shadow_map_tex, shadow_map_samp);
    return float4(float3(light.color) * lit, lit);
}
