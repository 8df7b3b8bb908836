#include <metal_stdlib>

using namespace metal;

struct Frame {
    float4x4 projection;
    float4x4 view;
    float4x4 model;
    float fog_density;
};

struct TransformInput {
    float3 position [[attribute(0)]];
    float3 normal [[attribute(1)]];
    float2 uv [[attribute(2)]];
};

struct TransformOutput {
    float4 position [[position]];
    float3 world [[user(locn0)]];
    float3 normal [[user(locn1)]];
    float2 uv [[user(locn2)]];
    float fog [[user(locn3)]];
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

vertex TransformOutput transform(
    TransformInput in [[stage_in]],
    constant Frame& frame [[buffer(0)]]
) {
    float4 world = frame.model * float4(in.position, 1.0);
    float4 eye = frame.view * world;
    float reach = length(eye.xyz);
    float reach_times_fog_density = reach * frame.fog_density;
    TransformOutput out;
    out.position = frame.projection * eye;
    out.world = world.xyz;
    out.normal = normalize(in.normal
        * inverse_mat3(float3x3(frame.model[0].xyz, frame.model[1].xyz, frame.model[2].xyz)));
    out.uv = in.uv;
    out.fog = saturate(exp(-(reach_times_fog_density * reach_times_fog_density)));
    return out;
}
