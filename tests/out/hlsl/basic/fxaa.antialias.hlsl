// dxc -T ps_6_2 -E antialias -HV 2021

struct Image {
    float2 texel;
};

ConstantBuffer<Image> image : register(b0);

Texture2D scene_tex : register(t1);
SamplerState scene_samp : register(s2);

float luminance(float3 color) {
    return dot(color, float3(0.2126, 0.7152, 0.0722));
}

float3 fetch(float2 uv) {
    return scene_tex.SampleLevel(scene_samp, uv, 0.0).xyz;
}

float4 antialias(float2 uv : TEXCOORD0) : SV_Target0 {
    float3 center = fetch(uv);
    float nw = luminance(fetch(uv - image.texel));
    float ne = luminance(fetch(uv + float2(1.0, -1.0) * image.texel));
    float sw = luminance(fetch(uv + float2(-1.0, 1.0) * image.texel));
    float se = luminance(fetch(uv + image.texel));
    float middle = luminance(center);
    float low = min(middle, min(min(nw, ne), min(sw, se)));
    float high = max(middle, max(max(nw, ne), max(sw, se)));
    float nw_plus_ne = nw + ne;
    float difference = sw + se - nw_plus_ne;
    float difference_1 = nw + sw - (ne + se);
    float2 along = float2(difference, difference_1);
    float reduce = max((nw_plus_ne + sw + se) * 0.03125, 0.0078125);
    float shortest = min(abs(difference), abs(difference_1)) + reduce;
    float2 step_ = clamp(along / shortest, -8.0, 8.0) * image.texel;
    float2 step_over_6 = step_ / 6.0;
    float3 inner = 0.5 * (fetch(uv - step_over_6) + fetch(uv + step_over_6));
    float2 half_step = step_ * 0.5;
    float3 outer = 0.5 * inner + 0.25 * (fetch(uv - half_step) + fetch(uv + half_step));
    float brightness = luminance(outer);
    if (brightness < low || brightness > high) {
        return float4(inner, 1.0);
    }
    return float4(outer, 1.0);
}
