#include <metal_stdlib>

using namespace metal;

struct Terrain {
    float4x4 view_proj;
    packed_float3 to_sun;
    float height;
    float2 origin;
    float2 size;
    float texel;
    float tiling;
    float contrast;
};

struct SplatInput {
    float2 uv [[user(locn0)]];
    float3 normal [[user(locn1)]];
};

fragment float4 splat(
    SplatInput in [[stage_in]],
    constant Terrain& terrain [[buffer(0)]],
    texture2d<float> weights_tex [[texture(0)]],
    sampler weights_samp [[sampler(0)]],
    texture2d_array<float> albedo_tex [[texture(1)]],
    sampler albedo_samp [[sampler(1)]]
) {
    float4 weight = weights_tex.sample(weights_samp, in.uv);
    float share[4] = {weight.x, weight.y, weight.z, weight.w};
    float2 product = in.uv * terrain.tiling;
    float3 color = float3(0.0);
    float total = 0.0;
    for (int layer = 0; layer < 4; layer++) {
        float4 ground = albedo_tex.sample(albedo_samp, product, uint(rint(float(layer))));
        float strength = powr(share[layer] * (ground.w + 0.01), terrain.contrast);
        color += ground.xyz * strength;
        total += strength;
    }
    float sun = max(dot(normalize(in.normal), float3(terrain.to_sun)), 0.0);
    return float4(color / max(total, 0.0001) * (0.2 + 0.8 * sun), 1.0);
}
