// dxc -T ps_6_2 -E splat -HV 2021

struct Terrain {
    row_major float4x4 view_proj;
    float3 to_sun;
    float height;
    float2 origin;
    float2 size;
    float texel;
    float tiling;
    float contrast;
};

ConstantBuffer<Terrain> terrain : register(b0);

Texture2D weights_tex : register(t3);
SamplerState weights_samp : register(s4);
Texture2DArray albedo_tex : register(t5);
SamplerState albedo_samp : register(s6);

float4 splat(float2 uv : TEXCOORD0, float3 normal : TEXCOORD1) : SV_Target0 {
    float4 weight = weights_tex.Sample(weights_samp, uv);
    float share[4] = { weight.x, weight.y, weight.z, weight.w };
    float2 uv_times_tiling = uv * terrain.tiling;
    float3 color = (float3)0.0;
    float total = 0.0;
    for (int layer = 0; layer < 4; layer++) {
        float4 ground = albedo_tex.Sample(albedo_samp, float3(uv_times_tiling, float(layer)));
        float strength = pow(share[layer] * (ground.w + 0.01), terrain.contrast);
        color += ground.xyz * strength;
        total += strength;
    }
    float sun = max(dot(normalize(normal), terrain.to_sun), 0.0);
    return float4(color / max(total, 0.0001) * (0.2 + 0.8 * sun), 1.0);
}
