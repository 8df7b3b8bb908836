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

static float3x3 inverse_mat3(float3x3 m) {
    float minor_12_12 = m[1].y * m[2].z - m[2].y * m[1].z;
    float minor_02_12 = m[0].y * m[2].z - m[2].y * m[0].z;
    float minor_01_12 = m[0].y * m[1].z - m[1].y * m[0].z;
    float determinant_m = m[0].x * minor_12_12 - m[1].x * minor_02_12 + m[2].x * minor_01_12;
    float minor_12_02 = m[1].x * m[2].z - m[2].x * m[1].z;
    float minor_02_02 = m[0].x * m[2].z - m[2].x * m[0].z;
    float minor_01_02 = m[0].x * m[1].z - m[1].x * m[0].z;
    float minor_12_01 = m[1].x * m[2].y - m[2].x * m[1].y;
    float minor_02_01 = m[0].x * m[2].y - m[2].x * m[0].y;
    float minor_01_01 = m[0].x * m[1].y - m[1].x * m[0].y;
    return float3x3(float3(minor_12_12, -minor_02_12, minor_01_12) / determinant_m,
        float3(-minor_12_02, minor_02_02, -minor_01_02) / determinant_m,
        float3(minor_12_01, -minor_02_01, minor_01_01) / determinant_m);
}

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
    SkinOutput out;
    out.position = frame.projection * (frame.view * world);
    out.world = world.xyz;
    out.normal = normalize(in.normal
        * inverse_mat3(float3x3(to_world[0].xyz, to_world[1].xyz, to_world[2].xyz)));
    out.uv = in.uv;
    return out;
}
