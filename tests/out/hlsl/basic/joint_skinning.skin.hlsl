// dxc -T vs_6_2 -E skin -HV 2021

struct Frame {
    row_major float4x4 view_proj;
    uint first_joint;
};

struct JointsElement {
    row_major float4x4 value;
};

ConstantBuffer<Frame> frame : register(b0);

StructuredBuffer<JointsElement> joints : register(t1);

struct VertexOutput {
    float3 world : TEXCOORD0;
    float3 normal : TEXCOORD1;
    float4 position : SV_Position;
};

float4x4 blend(uint4 indices, float4 weights) {
    float4x4 m = joints[frame.first_joint + indices.x].value * weights.x;
    m += joints[frame.first_joint + indices.y].value * weights.y;
    m += joints[frame.first_joint + indices.z].value * weights.z;
    return m + joints[frame.first_joint + indices.w].value * weights.w;
}

VertexOutput skin(float3 position : TEXCOORD0, float3 normal : TEXCOORD1,
    uint4 joints_1 : TEXCOORD2, float4 weights : TEXCOORD3) {
    float4x4 m = blend(joints_1, weights / dot(weights, (float4)1.0));
    float4 world = mul(float4(position, 1.0), m);
    VertexOutput output;
    output.position = mul(world, frame.view_proj);
    output.world = world.xyz;
    output.normal = mul(normal, float3x3(m[0].xyz, m[1].xyz, m[2].xyz));
    return output;
}
