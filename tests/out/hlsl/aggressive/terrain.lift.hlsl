// dxc -T vs_6_2 -E lift -HV 2021

struct Terrain {
    row_major float4x4 view_proj;
    float3 to_sun;
    float height;
    float2 origin;
    float2 size;
    float texel;
    float tiling;
    float contrast;
};

ConstantBuffer<Terrain> terrain : register(b0);

Texture2D heights_tex : register(t1);
SamplerState heights_samp : register(s2);

struct VertexOutput {
    float2 uv : TEXCOORD0;
    float3 normal : TEXCOORD1;
    float4 position : SV_Position;
};

VertexOutput lift(float2 cell : TEXCOORD0) {
    float2 value = float2(terrain.texel, 0.0);
    float2 value_1 = float2(0.0, terrain.texel);
    float texel_times_2 = 2.0 * terrain.texel;
    float2 place = terrain.origin + cell * terrain.size;
    VertexOutput output;
    output.position =
        mul(float4(place.x, heights_tex.SampleLevel(heights_samp, cell, 0.0).x * terrain.height,
            place.y, 1.0), terrain.view_proj);
    output.uv = cell;
    output.normal =
        normalize(float3(terrain.height
            * (heights_tex.SampleLevel(heights_samp, cell - value, 0.0).x
                - heights_tex.SampleLevel(heights_samp, cell + value, 0.0).x)
            / (texel_times_2 * terrain.size.x), 1.0,
            terrain.height * (heights_tex.SampleLevel(heights_samp, cell - value_1, 0.0).x
                - heights_tex.SampleLevel(heights_samp, cell + value_1, 0.0).x)
            / (texel_times_2 * terrain.size.y)));
    return output;
}
