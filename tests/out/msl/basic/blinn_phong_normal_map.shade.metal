#include <metal_stdlib>

using namespace metal;

struct Light {
    float3 position;
    float3 color;
};

struct Scene {
    Light lights[2];
    float3 camera;
    packed_float3 ambient;
    float shininess;
};

struct Surface {
    float3 world;
    float3 normal;
    float3 tangent;
    float2 uv;
};

struct ShadeInput {
    float3 world [[user(locn0)]];
    float3 normal [[user(locn1)]];
    float3 tangent [[user(locn2)]];
    float2 uv [[user(locn3)]];
};

static float3 shading_normal(Surface surface, texture2d<float> normal_map_tex,
    sampler normal_map_samp) {
    float3 n = normalize(surface.normal);
    float3 t = normalize(surface.tangent - n * dot(surface.tangent, n));
    float3 b = cross(n, t);
    float3x3 tbn = float3x3(t, b, n);
    float3 mapped = normal_map_tex.sample(normal_map_samp, surface.uv).xyz * 2.0 - 1.0;
    return normalize(tbn * mapped);
}

static float3 blinn_phong(Light light, float3 world, float3 n, float3 v, float4 albedo,
    constant Scene& scene) {
    float3 position_minus_world = light.position - world;
    float3 l = normalize(position_minus_world);
    float3 h = normalize(l + v);
    float reach = length(position_minus_world);
    float attenuation = 1.0 / (1.0 + 0.09 * reach + 0.032 * reach * reach);
    float diffuse = max(dot(n, l), 0.0);
    float specular = powr(max(dot(n, h), 0.0), scene.shininess);
    return (albedo.xyz * diffuse + albedo.w * specular) * light.color * attenuation;
}

fragment float4 shade(
    ShadeInput in [[stage_in]],
    constant Scene& scene [[buffer(0)]],
    texture2d<float> albedo_map_tex [[texture(0)]],
    sampler albedo_map_samp [[sampler(0)]],
    texture2d<float> normal_map_tex [[texture(1)]],
    sampler normal_map_samp [[sampler(1)]]
) {
    Surface surface = Surface{in.world, in.normal, in.tangent, in.uv};
    float4 albedo = albedo_map_tex.sample(albedo_map_samp, in.uv);
    float3 n = shading_normal(surface, normal_map_tex, normal_map_samp);
    float3 v = normalize(scene.camera - in.world);
    float3 color = float3(scene.ambient) * albedo.xyz;
    for (int i = 0; i < 2; i++) {
        color += blinn_phong(scene.lights[i], in.world, n, v, albedo, scene);
    }
    return float4(color, 1.0);
}
