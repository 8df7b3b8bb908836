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

vertex LiftOutput lift(
    LiftInput in [[stage_in]],
    constant Terrain& terrain [[buffer(0)]],
    texture2d<float> heights_tex [[texture(0)]],
    sampler heights_samp [[sampler(0)]]
) {
    float2 value = float2(terrain.texel, 0.0);
    float2 value_1 = float2(0.0, terrain.texel);
    float texel_times_2 = 2.0 * terrain.texel;
    float2 place = terrain.origin + in.cell * terrain.size;
    LiftOutput out;
    out.position = terrain.view_proj
        * float4(place.x, heights_tex.sample(heights_samp, in.cell, level(0.0)).x * terrain.height,
            place.y, 1.0);
    out.uv = in.cell;
    out.normal = normalize(float3(terrain.height
        * (heights_tex.sample(heights_samp, in.cell - value, level(0.0)).x
            - heights_tex.sample(heights_samp, in.cell + value, level(0.0)).x)
        / (texel_times_2 * terrain.size.x), 1.0,
        terrain.height * (heights_tex.sample(heights_samp, in.cell - value_1, level(0.0)).x
            - heights_tex.sample(heights_samp, in.cell + value_1, level(0.0)).x)
        / (texel_times_2 * terrain.size.y)));
    return out;
}
