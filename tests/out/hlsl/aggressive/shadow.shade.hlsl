// dxc -T ps_6_2 -E shade -HV 2021

struct Light {
    row_major float4x4 view_proj;
    float3 color;
    float texel;
};

ConstantBuffer<Light> light : register(b0);

Texture2D<float> shadow_map_tex : register(t1);
SamplerComparisonState shadow_map_samp : register(s2);

float4 shade(float2 uv : TEXCOORD0) : SV_Target0 {
    float4 world = float4(uv.x * 3.0 - 1.5, 0.25, uv.y * 3.0 - 1.5, 1.0);
    float4 transformed = mul(world, light.view_proj);
    float3 ndc = transformed.xyz * (1.0 / transformed.w);
    float2 uv_1 = ndc.xy * 0.5 + 0.5;
    float lit;
    if (any(uv_1 < 0.0) || any(uv_1 > 1.0)) {
        lit = 1.0;
    } else {
        float difference = ndc.z - 0.01;
        float lit_1 = 0.0;
        for (int y = -1; y < 2; y++) {
            float y_float = float(y);
            for (int x = -1; x < 2; x++) {
                float2 offset = float2(float(x), y_float) * light.texel;
                lit_1 += shadow_map_tex.SampleCmp(shadow_map_samp, uv_1 + offset, difference);
            }
        }
        lit = lit_1 * 0.11111111;
    }
    return float4(light.color * lit, lit);
}
