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

VertexOutput skin(float3 position : TEXCOORD0, float3 normal : TEXCOORD1,
    uint4 joints_1 : TEXCOORD2, float4 weights : TEXCOORD3) {
    float dot_weights_one = dot(weights, (float4)1.0);
    float4x4 m = joints[frame.first_joint + joints_1.x].value * (weights.x / dot_weights_one);
    m += joints[frame.first_joint + joints_1.y].value * (weights.y / dot_weights_one);
    m += joints[frame.first_joint + joints_1.z].value * (weights.z / dot_weights_one);
    m += joints[frame.first_joint + joints_1.w].value * (weights.w / dot_weights_one);
    float4 world = mul(float4(position, 1.0), m);
    VertexOutput output;
    output.position = mul(world, frame.view_proj);
    output.world = world.xyz;
    output.normal = mul(normal, float3x3(m[0].xyz, m[1].xyz, m[2].xyz));
    return output;
}
