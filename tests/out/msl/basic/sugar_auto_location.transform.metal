#include <metal_stdlib>

using namespace metal;

struct TransformInput {
    float3 position [[attribute(0)]];
    float4 tint [[attribute(4)]];
    float2 uv [[attribute(5)]];
};

struct TransformOutput {
    float2 uv [[user(locn0)]];
    float4 position [[position]];
    float4 tint [[user(locn1)]];
    int layer [[user(locn5)]];
    float weight [[user(locn6)]];
};

vertex TransformOutput transform(TransformInput in [[stage_in]]) {
    TransformOutput out;
    out.uv = in.uv;
    out.position = float4(in.position, 1.0);
    out.tint = in.tint * 0.5;
    out.layer = int(in.tint.w * 8.0);
    out.weight = in.position.x - in.position.y;
    return out;
}
