// dxc -T vs_6_2 -E transform -HV 2021

struct Frame {
    row_major float4x4 projection;
    row_major float4x4 view;
    row_major float4x4 model;
    float fog_density;
};

ConstantBuffer<Frame> frame : register(b0);

struct VertexOutput {
    float3 world : TEXCOORD0;
    float3 normal : TEXCOORD1;
    float2 uv : TEXCOORD2;
    float fog : TEXCOORD3;
    float4 position : SV_Position;
};

float3x3 inverse_mat3(float3x3 m) {
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

VertexOutput transform(float3 position : TEXCOORD0, float3 normal : TEXCOORD1,
    float2 uv : TEXCOORD2) {
    float4 value = float4(position, 1.0);
    float4 world = mul(value, frame.model);
    float4 eye = mul(value, mul(frame.model, frame.view));
    float reach = length(eye.xyz);
    VertexOutput output;
    output.position = mul(value, mul(frame.model, mul(frame.view, frame.projection)));
    output.world = world.xyz;
    output.normal =
        normalize(mul(inverse_mat3(float3x3(frame.model[0].xyz, frame.model[1].xyz,
            frame.model[2].xyz)), normal));
    output.uv = uv;
    output.fog = saturate(exp(-pow(reach * frame.fog_density, 2.0)));
    return output;
}
