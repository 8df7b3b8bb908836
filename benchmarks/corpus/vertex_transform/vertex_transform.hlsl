// dxc -T vs_6_2 -E transform -HV 2021
// What most vertex shaders do: projection, view and model, the normal matrix, fog by distance.

struct Frame {
    float4x4 projection;
    float4x4 view;
    float4x4 model;
    float fog_density;
};

struct VertexInput {
    float3 position : TEXCOORD0;
    float3 normal : TEXCOORD1;
    float2 uv : TEXCOORD2;
};

struct VertexOutput {
    float4 position : SV_Position;
    float3 world : TEXCOORD0;
    float3 normal : TEXCOORD1;
    float2 uv : TEXCOORD2;
    float fog : TEXCOORD3;
};

ConstantBuffer<Frame> frame : register(b0, space0);

// HLSL has no inverse: the adjugate over the determinant.
float3x3 inverse(float3x3 m) {
    float3 a = cross(m[1], m[2]);
    float3 b = cross(m[2], m[0]);
    float3 c = cross(m[0], m[1]);
    return transpose(float3x3(a, b, c)) / dot(m[0], a);
}

VertexOutput transform(VertexInput input) {
    float4 position = float4(input.position, 1.0);
    float4 world = mul(frame.model, position);
    float4 eye = mul(mul(frame.view, frame.model), position);
    float3x3 normal_matrix = transpose(inverse((float3x3)frame.model));
    float reach = length(eye.xyz);
    VertexOutput output;
    output.position = mul(mul(mul(frame.projection, frame.view), frame.model), position);
    output.world = world.xyz;
    output.normal = normalize(mul(normal_matrix, input.normal));
    output.uv = input.uv;
    output.fog = saturate(exp(-pow(reach * frame.fog_density, 2.0)));
    return output;
}
