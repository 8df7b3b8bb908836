// dxc -T ps_6_2 -E shade -HV 2021
// Blinn and Phong's lighting with a normal map, under two point lights.

struct Light {
    float3 position;
    float3 color;
};

struct Scene {
    Light lights[2];
    float3 camera;
    float3 ambient;
    float shininess;
};

ConstantBuffer<Scene> scene : register(b0, space0);

Texture2D albedo_map : register(t0, space1);
SamplerState albedo_samp : register(s1, space1);
Texture2D normal_map : register(t2, space1);
SamplerState normal_samp : register(s3, space1);

float3 shading_normal(float3 normal, float3 tangent, float2 uv) {
    float3 n = normalize(normal);
    float3 t = normalize(tangent - n * dot(tangent, n));
    float3 b = cross(n, t);
    float3x3 tbn = float3x3(t, b, n);
    float3 mapped = normal_map.Sample(normal_samp, uv).xyz * 2.0 - 1.0;
    return normalize(mul(mapped, tbn));
}

float3 blinn_phong(Light light, float3 world, float3 n, float3 v, float4 albedo) {
    float3 l = normalize(light.position - world);
    float3 h = normalize(l + v);
    float reach = length(light.position - world);
    float attenuation = 1.0 / (1.0 + 0.09 * reach + 0.032 * reach * reach);
    float diffuse = max(dot(n, l), 0.0);
    float specular = pow(max(dot(n, h), 0.0), scene.shininess);
    return (albedo.rgb * diffuse + albedo.aaa * specular) * light.color * attenuation;
}

float4 shade(
    float3 world : TEXCOORD0, float3 normal : TEXCOORD1, float3 tangent : TEXCOORD2,
    float2 uv : TEXCOORD3
) : SV_Target0 {
    float4 albedo = albedo_map.Sample(albedo_samp, uv); // gloss in alpha
    float3 n = shading_normal(normal, tangent, uv);
    float3 v = normalize(scene.camera - world);
    float3 color = scene.ambient * albedo.rgb;
    for (int i = 0; i < 2; i++) {
        color += blinn_phong(scene.lights[i], world, n, v, albedo);
    }
    return float4(color, 1.0);
}
