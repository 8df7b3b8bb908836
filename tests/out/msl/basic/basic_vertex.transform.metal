#include <metal_stdlib>

using namespace metal;

struct Uniforms {
    float4x4 model;
    float4x4 view_proj;
    float4x4 normal_mat;
};

struct TransformInput {
    float3 position [[attribute(0)]];
    float3 normal [[attribute(1)]];
    float2 uv [[attribute(2)]];
};

struct TransformOutput {
    float4 position [[position]];
    float2 uv [[user(locn0)]];
    float3 normal [[user(locn1)]];
};

vertex TransformOutput transform(
    TransformInput in [[stage_in]],
    constant Uniforms& uniforms [[buffer(0)]]
) {
    float4 world_pos = uniforms.model * float4(in.position, 1.0);
    TransformOutput out;
    out.position = uniforms.view_proj * world_pos;
    out.uv = in.uv;
    out.normal = normalize((uniforms.normal_mat * float4(in.normal, 0.0)).xyz);
    return out;
}
