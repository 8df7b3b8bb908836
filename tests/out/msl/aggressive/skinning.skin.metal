#include <metal_stdlib>

using namespace metal;

struct Frame {
    float4x4 projection;
    float4x4 view;
    float4x4 model;
};

struct Pose {
    float4x4 bones[64];
};

struct SkinInput {
    float3 position [[attribute(0)]];
    float3 normal [[attribute(1)]];
    float2 uv [[attribute(2)]];
    uint4 joints [[attribute(3)]];
    float4 weights [[attribute(4)]];
};

struct SkinOutput {
    float4 position [[position]];
    float3 world [[user(locn0)]];
    float3 normal [[user(locn1)]];
    float2 uv [[user(locn2)]];
};

vertex SkinOutput skin(
    SkinInput in [[stage_in]],
    constant Frame& frame [[buffer(0)]],
    constant Pose& pose [[buffer(1)]]
) {
    float4x4 blended = pose.bones[in.joints.x] * in.weights.x
        + pose.bones[in.joints.y] * in.weights.y + pose.bones[in.joints.z] * in.weights.z
        + pose.bones[in.joints.w] * in.weights.w;
    float4x4 to_world = frame.model * blended;
    float4 world = to_world * float4(in.position, 1.0);
    float3 value = cross(to_world[1].xyz, to_world[2].xyz);
    SkinOutput out;
    out.position = frame.projection * (frame.view * world);
    out.world = world.xyz;
    out.normal = normalize(float3x3(value, cross(to_world[2].xyz, to_world[0].xyz),
        cross(to_world[0].xyz, to_world[1].xyz)) * in.normal * (1.0 / dot(to_world[0].xyz, value)));
    out.uv = in.uv;
    return out;
}
