// dxc -T ps_6_2 -E antialias -HV 2021

struct Image {
    float2 texel;
};

ConstantBuffer<Image> image : register(b0, space0);

Texture2D scene_tex : register(t1, space0);
SamplerState scene_samp : register(s2, space0);

float4 antialias(float2 uv : TEXCOORD0) : SV_Target0 {
    float dot_product = dot(scene_tex.SampleLevel(scene_samp, uv - image.texel, 0.0).xyz,
        float3(0.2126, 0.7152, 0.0722));
    float dot_product_1 =
        dot(scene_tex.SampleLevel(scene_samp, uv + float2(1.0, -1.0) * image.texel, 0.0).xyz,
            float3(0.2126, 0.7152, 0.0722));
    float dot_product_2 =
        dot(scene_tex.SampleLevel(scene_samp, uv + float2(-1.0, 1.0) * image.texel, 0.0).xyz,
            float3(0.2126, 0.7152, 0.0722));
    float dot_product_3 = dot(scene_tex.SampleLevel(scene_samp, uv + image.texel, 0.0).xyz,
        float3(0.2126, 0.7152, 0.0722));
    float dot_product_4 = dot(scene_tex.SampleLevel(scene_samp, uv, 0.0).xyz,
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
    float2 step_ = clamp(along * (1.0 / shortest), -8.0, 8.0) * image.texel;
    float2 product = step_ * 0.16666667;
    float3 sum_1 = scene_tex.SampleLevel(scene_samp, uv - product, 0.0).xyz
        + scene_tex.SampleLevel(scene_samp, uv + product, 0.0).xyz;
    float2 half_step = step_ * 0.5;
    float3 outer = 0.25
        * (sum_1 + (scene_tex.SampleLevel(scene_samp, uv - half_step, 0.0).xyz
            + scene_tex.SampleLevel(scene_samp, uv + half_step, 0.0).xyz));
    float dot_product_5 = dot(outer, float3(0.2126, 0.7152, 0.0722));
    if (dot_product_5 < low || dot_product_5 > high) {
        float3 inner = 0.5 * sum_1;
        return float4(inner, 1.0);
    }
    return float4(outer, 1.0);
}
