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

struct ShadeInput {
    float3 world [[user(locn0)]];
    float3 normal [[user(locn1)]];
    float3 tangent [[user(locn2)]];
    float2 uv [[user(locn3)]];
};

fragment float4 shade(
    ShadeInput in [[stage_in]],
    constant Scene& scene [[buffer(0)]],
    texture2d<float> albedo_map_tex [[texture(0)]],
    sampler albedo_map_samp [[sampler(0)]],
    texture2d<float> normal_map_tex [[texture(1)]],
    sampler normal_map_samp [[sampler(1)]]
) {
    float4 albedo = albedo_map_tex.sample(albedo_map_samp, in.uv);
    float3 n = normalize(in.normal);
    float3 t = normalize(in.tangent - n * dot(in.tangent, n));
    float3 b = cross(n, t);
    float3x3 tbn = float3x3(t, b, n);
    float3 mapped = normal_map_tex.sample(normal_map_samp, in.uv).xyz * 2.0 - 1.0;
    float3 transformed = tbn * mapped;
    n = normalize(transformed);
    float3 v = normalize(scene.camera - in.world);
    float3 color = float3(scene.ambient) * albedo.xyz;
    float dot_product = dot(transformed, v);
    float dot_product_1 = dot(transformed, transformed);
    for (int i = 0; i < 2; i++) {
        float3 difference = scene.lights[i].position - in.world;
        float3 l = normalize(difference);
        float diffuse = saturate(dot(n, l));
        float reach = length(difference);
        float attenuation = 1.0 / ((0.032 * reach + 0.09) * reach + 1.0);
        float specular =
            powr(saturate((dot(transformed, l) + dot_product)
                * rsqrt(dot_product_1 * (2.0 + 2.0 * dot(l, v)))), scene.shininess);
        color += scene.lights[i].color
            * (albedo.xyz * (diffuse * attenuation) + albedo.w * specular * attenuation);
    }
    return float4(color, 1.0);
}
