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

vertex TransformOutput transform(
    TransformInput in [[stage_in]],
    constant Frame& frame [[buffer(0)]]
) {
    float4 world = frame.model * float4(in.position, 1.0);
    float4 eye = frame.view * world;
    float reach = length(eye.xyz);
    float3 value = cross(frame.model[1].xyz, frame.model[2].xyz);
    float product = reach * frame.fog_density;
    TransformOutput out;
    out.position = frame.projection * eye;
    out.world = world.xyz;
    out.normal = normalize(float3x3(value, cross(frame.model[2].xyz, frame.model[0].xyz),
        cross(frame.model[0].xyz, frame.model[1].xyz)) * in.normal
        * (1.0 / dot(frame.model[0].xyz, value)));
    out.uv = in.uv;
    out.fog = saturate(exp(-(product * product)));
    return out;
}
