// dxc -T ps_6_2 -E shade -HV 2021

struct Uniforms {
    float3 scale;
    float2 offset;
};

struct Light {
    float3 direction;
    float intensity;
};

ConstantBuffer<Uniforms> uniforms : register(b0);

cbuffer AmbientBlock : register(b3) {
    float3 ambient;
};

cbuffer ExposureBlock : register(b10) {
    float exposure;
};

cbuffer TintBlock : register(b11) {
    float4 tint;
};

cbuffer LightCountBlock : register(b1, space1) {
    int light_count;
};

Texture2D material_tex_tex : register(t1);
SamplerState material_tex_samp : register(s2);
RWStructuredBuffer<Light> lights : register(u0, space1);

float4 shade(float2 uv : TEXCOORD0) : SV_Target0 {
    float4 albedo = material_tex_tex.Sample(material_tex_samp,
        uv * uniforms.scale.xy + uniforms.offset);
    float3 total = ambient;
    for (int i = 0; i < light_count && i < 16; i++) {
        total += max(lights[i].direction.z, 0.0) * lights[i].intensity * float3(1.0, 0.5, 0.25);
    }
    return float4(albedo.xyz * total * exposure, uniforms.scale.z) * tint;
}
