#include <metal_stdlib>

using namespace metal;

struct Style {
    float4 outline;
    float outline_width;
    float range;
};

struct InkInput {
    float2 uv [[user(locn0)]];
    float4 color [[user(locn1)]];
};

static float median(float3 v) {
    return max(min(v.x, v.y), min(max(v.x, v.y), v.z));
}

fragment float4 ink(
    InkInput in [[stage_in]],
    constant Style& style [[buffer(0)]],
    texture2d<float> atlas_tex [[texture(0)]],
    sampler atlas_samp [[sampler(0)]]
) {
    float2 texels = float2(int2(atlas_tex.get_width(), atlas_tex.get_height())) * fwidth(in.uv);
    float sharpness = style.range / max(0.5 * (texels.x + texels.y), 0.0001);
    float edge = median(atlas_tex.sample(atlas_samp, in.uv).xyz) - 0.5;
    float outlined = saturate((edge + style.outline_width) * sharpness + 0.5);
    if (outlined <= 0.0) {
        discard_fragment();
        return {};
    }
    float inside = saturate(edge * sharpness + 0.5);
    float4 color = mix(style.outline, in.color, float4(inside));
    return float4(color.xyz, color.w * outlined);
}
