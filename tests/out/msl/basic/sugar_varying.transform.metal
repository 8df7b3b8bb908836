#include <metal_stdlib>

using namespace metal;

struct TransformInput {
    float4 position [[attribute(0)]];
    float3 normal [[attribute(1)]];
    uint face [[attribute(2)]];
};

struct TransformOutput {
    float4 position [[position]];
    float2 uv [[user(locn0)]];
    float3 normal [[user(locn1)]];
    uint face [[user(locn2)]];
};

vertex TransformOutput transform(TransformInput in [[stage_in]]) {
    TransformOutput out;
    out.position = in.position;
    out.uv = in.position.xy * 0.5 + 0.5;
    out.normal = in.normal;
    out.face = in.face * 2u;
    return out;
}
