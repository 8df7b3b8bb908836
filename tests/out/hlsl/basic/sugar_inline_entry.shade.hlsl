// dxc -T ps_6_2 -E shade -HV 2021

Texture2D material_tex_tex : register(t0);
SamplerState material_tex_samp : register(s1);

float4 shade(float2 uv : TEXCOORD0, float level : TEXCOORD1) : SV_Target0 {
    float4 albedo = material_tex_tex.Sample(material_tex_samp, uv);
    return float4(albedo.xyz * level, 1.0);
}
