// dxc -T ps_6_2 -E shade -HV 2021

cbuffer LightDirBlock : register(b2, space1) {
    float3 light_dir;
};

Texture2D material_tex_tex : register(t0, space1);
SamplerState material_tex_samp : register(s1, space1);

float4 shade(float2 uv : TEXCOORD0, float3 normal : TEXCOORD1) : SV_Target0 {
    float4 albedo = material_tex_tex.Sample(material_tex_samp, uv);
    float light = max(dot(normal, light_dir) * rsqrt(dot(normal, normal)), 0.0);
    return float4(albedo.xyz * light, albedo.w);
}
