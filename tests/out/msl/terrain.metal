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

struct LiftInput {
    float2 cell [[attribute(0)]];
};

struct LiftOutput {
    float4 position [[position]];
    float2 uv [[user(locn0)]];
    float3 normal [[user(locn1)]];
};

struct SplatInput {
    float2 uv [[user(locn0)]];
    float3 normal [[user(locn1)]];
};

struct SplatOutput {
    float4 color [[color(0)]];
};

static float height_at(float2 uv, constant Terrain& terrain, texture2d<float> heights_tex,
    sampler heights_samp) {
    return heights_tex.sample(heights_samp, uv, level(0.0)).x * terrain.height;
}

vertex LiftOutput lift(
    LiftInput in [[stage_in]],
    constant Terrain& terrain [[buffer(0)]],
    texture2d<float> heights_tex [[texture(0)]],
    sampler heights_samp [[sampler(0)]]
) {
    float dx = height_at(in.cell + float2(terrain.texel, 0.0), terrain, heights_tex, heights_samp)
        - height_at(in.cell - float2(terrain.texel, 0.0), terrain, heights_tex, heights_samp);
    float dz = height_at(in.cell + float2(0.0, terrain.texel), terrain, heights_tex, heights_samp)
        - height_at(in.cell - float2(0.0, terrain.texel), terrain, heights_tex, heights_samp);
    float2 spacing = 2.0 * terrain.texel * terrain.size;
    float2 place = terrain.origin + in.cell * terrain.size;
    LiftOutput out;
    out.position = terrain.view_proj
        * float4(place.x, height_at(in.cell, terrain, heights_tex, heights_samp), place.y, 1.0);
    out.uv = in.cell;
    out.normal = normalize(float3(-dx / spacing.x, 1.0, -dz / spacing.y));
    return out;
}

fragment SplatOutput splat(
    SplatInput in [[stage_in]],
    constant Terrain& terrain [[buffer(0)]],
    texture2d<float> weights_tex [[texture(0)]],
    sampler weights_samp [[sampler(0)]],
    texture2d_array<float> albedo_tex [[texture(1)]],
    sampler albedo_samp [[sampler(1)]]
) {
    float4 weight = weights_tex.sample(weights_samp, in.uv);
    float share[4] = {weight.x, weight.y, weight.z, weight.w};
    float3 color = float3(0.0);
    float total = 0.0;
    for (int layer = 0; layer < 4; layer++) {
        float4 ground = albedo_tex.sample(albedo_samp, in.uv * terrain.tiling,
            uint(rint(float(layer))));
        float strength = powr(share[layer] * (ground.w + 0.01), terrain.contrast);
        color += ground.xyz * strength;
        total += strength;
    }
    float sun = max(dot(normalize(in.normal), float3(terrain.to_sun)), 0.0);
    return {float4(color / max(total, 0.0001) * (0.2 + 0.8 * sun), 1.0)};
}
