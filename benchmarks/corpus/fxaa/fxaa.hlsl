// dxc -T ps_6_2 -E antialias -HV 2021
// Fast approximate anti-aliasing: blur along the edge that the neighbours' luma shows.

static const float REDUCE_MIN = 1.0 / 128.0;
static const float REDUCE_MUL = 1.0 / 8.0;
static const float SPAN = 8.0;

struct Image {
    float2 texel;
};

ConstantBuffer<Image> image : register(b0, space0);

Texture2D scene : register(t1, space0);
SamplerState scene_samp : register(s2, space0);

float3 fetch(float2 uv) {
    return scene.SampleLevel(scene_samp, uv, 0.0).rgb;
}

float luminance(float3 color) {
    return dot(color, float3(0.2126, 0.7152, 0.0722));
}

float4 antialias(float2 uv : TEXCOORD0) : SV_Target0 {
    float3 center = fetch(uv);
    float nw = luminance(fetch(uv + float2(-1.0, -1.0) * image.texel));
    float ne = luminance(fetch(uv + float2(1.0, -1.0) * image.texel));
    float sw = luminance(fetch(uv + float2(-1.0, 1.0) * image.texel));
    float se = luminance(fetch(uv + float2(1.0, 1.0) * image.texel));
    float middle = luminance(center);
    float low = min(middle, min(min(nw, ne), min(sw, se)));
    float high = max(middle, max(max(nw, ne), max(sw, se)));

    float2 along = float2((sw + se) - (nw + ne), (nw + sw) - (ne + se));
    float reduce = max((nw + ne + sw + se) * (0.25 * REDUCE_MUL), REDUCE_MIN);
    float shortest = min(abs(along.x), abs(along.y)) + reduce;
    float2 step_ = clamp(along / shortest, -SPAN, SPAN) * image.texel;

    float3 inner = 0.5 * (fetch(uv - step_ / 6.0) + fetch(uv + step_ / 6.0));
    float3 outer = 0.5 * inner + 0.25 * (fetch(uv - step_ * 0.5) + fetch(uv + step_ * 0.5));
    float brightness = luminance(outer);
    if (brightness < low || brightness > high) {
        return float4(inner, 1.0);
    }
    return float4(outer, 1.0);
}
