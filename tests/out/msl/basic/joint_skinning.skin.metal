#include <metal_stdlib>

using namespace metal;

struct Frame {
    float4x4 view_proj;
    uint first_joint;
};

struct SkinInput {
    float3 position [[attribute(0)]];
    float3 normal [[attribute(1)]];
    uint4 joints [[attribute(2)]];
    float4 weights [[attribute(3)]];
};

struct SkinOutput {
    float4 position [[position]];
    float3 world [[user(locn0)]];
    float3 normal [[user(locn1)]];
};

static float4x4 blend(uint4 indices, float4 weights, constant Frame& frame,
    const device float4x4* joints) {
    uint sum = frame.first_joint + indices.x;
    float4x4 m = joints[sum] * weights.x;
    uint sum_1 = frame.first_joint + indices.y;
    m += joints[sum_1] * weights.y;
    uint sum_2 = frame.first_joint + indices.z;
    m += joints[sum_2] * weights.z;
    uint sum_3 = frame.first_joint + indices.w;
    return m + joints[sum_3] * weights.w;
}

vertex SkinOutput skin(
    SkinInput in [[stage_in]],
    constant Frame& frame [[buffer(0)]],
    const device float4x4* joints [[buffer(1)]]
) {
    float4x4 m = blend(in.joints, in.weights / dot(in.weights, float4(1.0)), frame, joints);
    float4 world = m * float4(in.position, 1.0);
    SkinOutput out;
    out.position = frame.view_proj * world;
    out.world = world.xyz;
    out.normal = float3x3(m[0].xyz, m[1].xyz, m[2].xyz) * in.normal;
    return out;
}
