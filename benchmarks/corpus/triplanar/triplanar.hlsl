// dxc -T ps_6_2 -E shade -HV 2021
// Triplanar mapping: a texture from three sides, and its normal map by whiteout blending.

struct Material {
    float scale;
    float sharpness;
    float2 padding;
    float3 to_light;
};

ConstantBuffer<Material> material : register(b0, space0);

Texture2D albedo : register(t1, space0);
SamplerState albedo_samp : register(s2, space0);
Texture2D bumps : register(t3, space0);
SamplerState bumps_samp : register(s4, space0);

float3 bump(float2 uv) {
    return bumps.Sample(bumps_samp, uv).xyz * 2.0 - 1.0;
}

float4 shade(float3 world : TEXCOORD0, float3 normal : TEXCOORD1) : SV_Target0 {
    float3 n = normalize(normal);
    float3 p = world * material.scale;
    float3 blend = pow(abs(n), material.sharpness);
    blend /= blend.x + blend.y + blend.z;

    float3 color = albedo.Sample(albedo_samp, p.zy).rgb * blend.x;
    color += albedo.Sample(albedo_samp, p.xz).rgb * blend.y;
    color += albedo.Sample(albedo_samp, p.xy).rgb * blend.z;

    float3 x = bump(p.zy);
    float3 y = bump(p.xz);
    float3 z = bump(p.xy);
    x = float3(x.xy + n.zy, abs(x.z) * n.x);
    y = float3(y.xy + n.xz, abs(y.z) * n.y);
    z = float3(z.xy + n.xy, abs(z.z) * n.z);
    float3 bumped = normalize(x.zyx * blend.x + y.xzy * blend.y + z.xyz * blend.z);
    float light = 0.1 + 0.9 * max(dot(bumped, material.to_light), 0.0);
    return float4(color * light, 1.0);
}
