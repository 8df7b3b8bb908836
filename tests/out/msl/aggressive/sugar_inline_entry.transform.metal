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

vertex TransformOutput transform(TransformInput in [[stage_in]], uint index [[vertex_id]]) {
    float2 corner = float2(float((int(index) << 1) & 2), float(int(index) & 2));
    TransformOutput out;
    out.place = float4(corner * 2.0 - 1.0, 0.0, 1.0);
    out.uv = corner + in.offset;
    out.level_1 = in.shade;
    return out;
}
