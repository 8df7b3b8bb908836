// dxc -T vs_6_2 -E skin -HV 2021
// Linear blend skinning with four bones, then model, view, projection and the normal matrix.

static const int MAX_BONES = 64;

struct Frame {
    float4x4 projection;
    float4x4 view;
    float4x4 model;
};

struct Pose {
    float4x4 bones[MAX_BONES];
};

struct VertexInput {
    float3 position : TEXCOORD0;
    float3 normal : TEXCOORD1;
    float2 uv : TEXCOORD2;
    uint4 joints : TEXCOORD3;
    float4 weights : TEXCOORD4;
};

struct VertexOutput {
    float4 position : SV_Position;
    float3 world : TEXCOORD0;
    float3 normal : TEXCOORD1;
    float2 uv : TEXCOORD2;
};

ConstantBuffer<Frame> frame : register(b0, space0);
ConstantBuffer<Pose> pose : register(b1, space0);

// HLSL has no inverse: the adjugate over the determinant.
float3x3 inverse(float3x3 m) {
    float3 a = cross(m[1], m[2]);
    float3 b = cross(m[2], m[0]);
    float3 c = cross(m[0], m[1]);
    return transpose(float3x3(a, b, c)) / dot(m[0], a);
}

VertexOutput skin(VertexInput input) {
    float4x4 blended = pose.bones[input.joints.x] * input.weights.x
        + pose.bones[input.joints.y] * input.weights.y
        + pose.bones[input.joints.z] * input.weights.z
        + pose.bones[input.joints.w] * input.weights.w;
    float4x4 to_world = mul(frame.model, blended);
    float4 world = mul(to_world, float4(input.position, 1.0));
    float3x3 normal_matrix = transpose(inverse((float3x3)to_world));
    VertexOutput output;
    output.position = mul(mul(frame.projection, frame.view), world);
    output.world = world.xyz;
    output.normal = normalize(mul(normal_matrix, input.normal));
    output.uv = input.uv;
    return output;
}
