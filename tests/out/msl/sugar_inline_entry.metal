#include <metal_stdlib>

using namespace metal;

struct TransformInput {
    float2 offset [[attribute(0)]];
    float shade [[attribute(1)]];
};

struct TransformOutput {
    float4 place [[position]];
    float2 uv [[user(locn0)]];
    float level_1 [[user(locn1)]];
};

struct ShadeInput {
    float2 uv [[user(locn0)]];
    float level_1 [[user(locn1)]];
};

struct ShadeOutput {
    float4 color [[color(0)]];
};

vertex TransformOutput transform(TransformInput in [[stage_in]], uint index [[vertex_id]]) {
    float2 corner = float2(float((int(index) << 1) & 2), float(int(index) & 2));
    TransformOutput out;
    out.place = float4(corner * 2.0 - 1.0, 0.0, 1.0);
    out.uv = corner + in.offset;
    out.level_1 = in.shade;
    return out;
}

fragment ShadeOutput shade(
    ShadeInput in [[stage_in]],
    texture2d<float> material_tex_tex [[texture(0)]],
    sampler material_tex_samp [[sampler(0)]]
) {
    float4 albedo = material_tex_tex.sample(material_tex_samp, in.uv);
    return {float4(albedo.xyz * in.level_1, 1.0)};
}
