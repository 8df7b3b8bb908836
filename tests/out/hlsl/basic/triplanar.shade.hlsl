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

float3 bump(float2 uv) {
    return bumps_tex.Sample(bumps_samp, uv).xyz * 2.0 - 1.0;
}

float4 shade(float3 world : TEXCOORD0, float3 normal : TEXCOORD1) : SV_Target0 {
    float3 n = normalize(normal);
    float3 p = world * material.scale;
    float3 blend = pow(abs(n), material.sharpness);
    float sum = blend.x + blend.y + blend.z;
    float3 value = (float3)(blend.x / sum);
    float3 color = albedo_tex.Sample(albedo_samp, p.zy).xyz * value;
    float3 value_1 = (float3)(blend.y / sum);
    color += albedo_tex.Sample(albedo_samp, p.xz).xyz * value_1;
    float3 value_2 = (float3)(blend.z / sum);
    color += albedo_tex.Sample(albedo_samp, p.xy).xyz * value_2;
    float3 x = bump(p.zy);
    float3 y = bump(p.xz);
    float3 z = bump(p.xy);
    x = float3(x.xy + n.zy, abs(x.z) * n.x);
    y = float3(y.xy + n.xz, abs(y.z) * n.y);
    z = float3(z.xy + n.xy, abs(z.z) * n.z);
    float3 normal_1 = normalize(x.zyx * value + y.xzy * value_1 + z * value_2);
    float light = 0.1 + 0.9 * max(dot(normal_1, material.to_light), 0.0);
    return float4(color * light, 1.0);
}
