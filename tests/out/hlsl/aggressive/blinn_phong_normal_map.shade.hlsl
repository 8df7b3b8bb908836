// dxc -T ps_6_2 -E shade -HV 2021

struct Light {
    float3 position;
    float3 color;
    float pad_0;
};

struct Scene {
    Light lights[2];
    float3 camera;
    float3 ambient;
    float shininess;
};

ConstantBuffer<Scene> scene : register(b0);

Texture2D albedo_map_tex : register(t0, space1);
SamplerState albedo_map_samp : register(s1, space1);
Texture2D normal_map_tex : register(t2, space1);
SamplerState normal_map_samp : register(s3, space1);

float4 shade(float3 world : TEXCOORD0, float3 normal : TEXCOORD1, float3 tangent : TEXCOORD2,
    float2 uv : TEXCOORD3) : SV_Target0 {
    float4 albedo = albedo_map_tex.Sample(albedo_map_samp, uv);
    float3 n = normalize(normal);
    float3 t = normalize(tangent - n * dot(tangent, n));
    float3 b = cross(n, t);
    float3x3 tbn = float3x3(t, b, n);
    float3 mapped = normal_map_tex.Sample(normal_map_samp, uv).xyz * 2.0 - 1.0;
    float3 transformed = mul(mapped, tbn);
    n = normalize(transformed);
    float3 v = normalize(scene.camera - world);
    float3 color = scene.ambient * albedo.xyz;
    float dot_product = dot(transformed, v);
    float dot_product_1 = dot(transformed, transformed);
    for (int i = 0; i < 2; i++) {
        float3 position_minus_world = scene.lights[i].position - world;
        float3 l = normalize(position_minus_world);
        float diffuse = saturate(dot(n, l));
        float reach = length(position_minus_world);
        float attenuation = 1.0 / ((0.032 * reach + 0.09) * reach + 1.0);
        float specular =
            pow(saturate((dot(transformed, l) + dot_product)
                * rsqrt(dot_product_1 * (2.0 + 2.0 * dot(l, v)))), scene.shininess);
        color += scene.lights[i].color
            * (albedo.xyz * (diffuse * attenuation) + albedo.w * specular * attenuation);
    }
    return float4(color, 1.0);
}
