// dxc -T vs_6_2 -E skin -HV 2021

struct Frame {
    row_major float4x4 projection;
    row_major float4x4 view;
    row_major float4x4 model;
};

struct Pose {
    row_major float4x4 bones[64];
};

ConstantBuffer<Frame> frame : register(b0);

ConstantBuffer<Pose> pose : register(b1);

struct VertexOutput {
    float3 world : TEXCOORD0;
    float3 normal : TEXCOORD1;
    float2 uv : TEXCOORD2;
    float4 position : SV_Position;
};

VertexOutput skin(float3 position : TEXCOORD0, float3 normal : TEXCOORD1, float2 uv : TEXCOORD2,
    uint4 joints : TEXCOORD3, float4 weights : TEXCOORD4) {
    float4x4 blended = pose.bones[joints.x] * weights.x + pose.bones[joints.y] * weights.y
        + pose.bones[joints.z] * weights.z + pose.bones[joints.w] * weights.w;
    float4x4 to_world = mul(blended, frame.model);
    float4 world = mul(float4(position, 1.0), to_world);
    float3 value = cross(to_world[1].xyz, to_world[2].xyz);
    VertexOutput output;
    output.position = mul(mul(world, frame.view), frame.projection);
    output.world = world.xyz;
    output.normal =
        normalize(mul(normal,
            float3x3(value, cross(to_world[2].xyz, to_world[0].xyz),
                cross(to_world[0].xyz, to_world[1].xyz))) * (1.0 / dot(to_world[0].xyz, value)));
    output.uv = uv;
    return output;
}
