// dxc -T ps_6_2 -E shade -HV 2021

struct Surface {
    float3 world;
    float3 normal;
    float3 tangent;
    float2 uv;
};

struct Light {
    float3 position;
    float3 color;
};

struct LightBlock {
    float3 position;
    float3 color;
    float pad_0;
};

struct Scene {
    LightBlock lights[2];
    float3 camera;
    float3 ambient;
    float shininess;
};

ConstantBuffer<Scene> scene : register(b0);

Texture2D albedo_map_tex : register(t0, space1);
SamplerState albedo_map_samp : register(s1, space1);
Texture2D normal_map_tex : register(t2, space1);
SamplerState normal_map_samp : register(s3, space1);

Light make_Light(float3 position, float3 color) {
    Light made = { position, color };
    return made;
}

float3 shading_normal(Surface surface) {
    float3 n = normalize(surface.normal);
    float3 t = normalize(surface.tangent - n * dot(surface.tangent, n));
    float3 b = cross(n, t);
    float3x3 tbn = float3x3(t, b, n);
    float3 mapped = normal_map_tex.Sample(normal_map_samp, surface.uv).xyz * 2.0 - 1.0;
    return normalize(mul(mapped, tbn));
}

float3 blinn_phong(Light light, float3 world, float3 n, float3 v, float4 albedo) {
    float3 position_minus_world = light.position - world;
    float3 l = normalize(position_minus_world);
    float3 h = normalize(l + v);
    float reach = length(position_minus_world);
    float attenuation = 1.0 / (1.0 + 0.09 * reach + 0.032 * reach * reach);
    float diffuse = max(dot(n, l), 0.0);
    float specular = pow(max(dot(n, h), 0.0), scene.shininess);
    return (albedo.xyz * diffuse + albedo.w * specular) * light.color * attenuation;
}

float4 shade(float3 world : TEXCOORD0, float3 normal : TEXCOORD1, float3 tangent : TEXCOORD2,
    float2 uv : TEXCOORD3) : SV_Target0 {
    Surface surface = { world, normal, tangent, uv };
    float4 albedo = albedo_map_tex.Sample(albedo_map_samp, uv);
    float3 n = shading_normal(surface);
    float3 v = normalize(scene.camera - world);
    float3 color = scene.ambient * albedo.xyz;
    for (int i = 0; i < 2; i++) {
        color += blinn_phong(make_Light(scene.lights[i].position, scene.lights[i].color), world, n,
            v, albedo);
    }
    return float4(color, 1.0);
}
