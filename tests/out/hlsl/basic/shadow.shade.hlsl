// dxc -T ps_6_2 -E shade -HV 2021

struct Light {
    row_major float4x4 view_proj;
    float3 color;
    float texel;
};

ConstantBuffer<Light> light : register(b0);

Texture2D<float> shadow_map_tex : register(t1);
SamplerComparisonState shadow_map_samp : register(s2);

float shadow_factor(float4 clip) {
    float2 uv = float2(clip.x / clip.w, clip.y / clip.w) * 0.5 + 0.5;
    if (any(uv < 0.0) || any(uv > 1.0)) {
        return 1.0;
    }
    float difference = clip.z / clip.w - 0.01;
    float lit = 0.0;
    for (int y = -1; y < 2; y++) {
        float y_float = float(y);
        for (int x = -1; x < 2; x++) {
            float2 offset = float2(float(x), y_float) * light.texel;
            lit += shadow_map_tex.SampleCmp(shadow_map_samp, uv + offset, difference);
        }
    }
    return lit / 9.0;
}

float4 shade(float2 uv : TEXCOORD0) : SV_Target0 {
    float4 world = float4(uv.x * 3.0 - 1.5, 0.25, uv.y * 3.0 - 1.5, 1.0);
    float lit = shadow_factor(mul(world, light.view_proj));
    return float4(light.color * lit, lit);
}
