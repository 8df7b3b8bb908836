// dxc -T ps_6_2 -E shade -HV 2021

struct Material {
    float scale;
    float sharpness;
    float3 to_light;
};

ConstantBuffer<Material> material : register(b0);

Texture2D albedo_tex : register(t1);
SamplerState albedo_samp : register(s2);
Texture2D bumps_tex : register(t3);
SamplerState bumps_samp : register(s4);

float4 shade(float3 world : TEXCOORD0, float3 normal : TEXCOORD1) : SV_Target0 {
    float3 n = normalize(normal);
    float3 p = world * material.scale;
    float3 blend = pow(abs(n), material.sharpness);
    blend *= 1.0 / (blend.x + blend.y + blend.z);
    float3 color = albedo_tex.Sample(albedo_samp, p.zy).xyz * blend.x;
    color += albedo_tex.Sample(albedo_samp, p.xz).xyz * blend.y;
    color += albedo_tex.Sample(albedo_samp, p.xy).xyz * blend.z;
    float3 x = bumps_tex.Sample(bumps_samp, p.zy).xyz * 2.0 - 1.0;
    float3 y = bumps_tex.Sample(bumps_samp, p.xz).xyz * 2.0 - 1.0;
    float3 z = bumps_tex.Sample(bumps_samp, p.xy).xyz * 2.0 - 1.0;
    x = float3(x.xy + n.zy, abs(x.z) * n.x);
    y = float3(y.xy + n.xz, abs(y.z) * n.y);
    z = float3(z.xy + n.xy, abs(z.z) * n.z);
    float3 sum = x.zyx * blend.x + y.xzy * blend.y + z * blend.z;
    float light = 0.1 + 0.9 * max(dot(sum, material.to_light) * rsqrt(dot(sum, sum)), 0.0);
    return float4(color * light, 1.0);
}
