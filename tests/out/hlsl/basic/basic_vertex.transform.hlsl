// dxc -T vs_6_2 -E transform -HV 2021

struct Uniforms {
    row_major float4x4 model;
    row_major float4x4 view_proj;
    row_major float4x4 normal_mat;
};

ConstantBuffer<Uniforms> uniforms : register(b0);

struct VertexOutput {
    float2 uv : TEXCOORD0;
    float3 normal : TEXCOORD1;
    float4 position : SV_Position;
};

VertexOutput transform(float3 position : TEXCOORD0, float3 normal : TEXCOORD1,
    float2 uv : TEXCOORD2) {
    float4 world_pos = mul(float4(position, 1.0), uniforms.model);
    VertexOutput output;
    output.position = mul(world_pos, uniforms.view_proj);
    output.uv = uv;
    output.normal = normalize(mul(float4(normal, 0.0), uniforms.normal_mat).xyz);
    return output;
}
