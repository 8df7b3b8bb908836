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

vertex SkinOutput skin(
    SkinInput in [[stage_in]],
    constant Frame& frame [[buffer(0)]],
    const device float4x4* joints [[buffer(1)]]
) {
    float dot_product = dot(in.weights, float4(1.0));
    uint sum = frame.first_joint + in.joints.x;
    float4x4 m = joints[sum] * (in.weights.x / dot_product);
    uint sum_1 = frame.first_joint + in.joints.y;
    m += joints[sum_1] * (in.weights.y / dot_product);
    uint sum_2 = frame.first_joint + in.joints.z;
    m += joints[sum_2] * (in.weights.z / dot_product);
    uint sum_3 = frame.first_joint + in.joints.w;
    m += joints[sum_3] * (in.weights.w / dot_product);
    float4 world = m * float4(in.position, 1.0);
    SkinOutput out;
    out.position = frame.view_proj * world;
    out.world = world.xyz;
    out.normal = float3x3(m[0].xyz, m[1].xyz, m[2].xyz) * in.normal;
    return out;
}
