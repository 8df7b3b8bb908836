// dxc -T ps_6_2 -E antialias -HV 2021

struct Image {
    float2 texel;
};

ConstantBuffer<Image> image : register(b0);

Texture2D scene_tex : register(t1);
SamplerState scene_samp : register(s2);

float4 antialias(float2 uv : TEXCOORD0) : SV_Target0 {
    float3 center = scene_tex.SampleLevel(scene_samp, uv, 0.0).xyz;
    float3 factors = float3(0.2126, 0.7152, 0.0722);
    float nw = dot(scene_tex.SampleLevel(scene_samp, uv - image.texel, 0.0).xyz, factors);
    float ne = dot(scene_tex.SampleLevel(scene_samp, uv + float2(1.0, -1.0) * image.texel,
        0.0).xyz, factors);
    float sw = dot(scene_tex.SampleLevel(scene_samp, uv + float2(-1.0, 1.0) * image.texel,
        0.0).xyz, factors);
    float se = dot(scene_tex.SampleLevel(scene_samp, uv + image.texel, 0.0).xyz, factors);
    float middle = dot(center, factors);
    float low = min(middle, min(min(nw, ne), min(sw, se)));
    float high = max(middle, max(max(nw, ne), max(sw, se)));
    float nw_plus_ne = nw + ne;
    float difference = sw + se - nw_plus_ne;
    float difference_1 = nw + sw - (ne + se);
    float2 along = float2(difference, difference_1);
    float reduce = max((nw_plus_ne + sw + se) * 0.03125, 0.0078125);
    float shortest = min(abs(difference), abs(difference_1)) + reduce;
    float2 step_ = clamp(along * (1.0 / shortest), -8.0, 8.0) * image.texel;
    float2 product = step_ * 0.16666667;
    float3 sum = scene_tex.SampleLevel(scene_samp, uv - product, 0.0).xyz
        + scene_tex.SampleLevel(scene_samp, uv + product, 0.0).xyz;
    float2 half_step = step_ * 0.5;
    float3 outer = 0.25
        * (sum + (scene_tex.SampleLevel(scene_samp, uv - half_step, 0.0).xyz
            + scene_tex.SampleLevel(scene_samp, uv + half_step, 0.0).xyz));
    float brightness = dot(outer, factors);
    if (brightness < low || brightness > high) {
        float3 inner = 0.5 * sum;
        return float4(inner, 1.0);
    }
    return float4(outer, 1.0);
}
