// dxc -T vs_6_2 -E enclose -HV 2021

struct Camera {
    row_major float4x4 inverse_view_proj;
    float3 fog;
    float density;
};

ConstantBuffer<Camera> camera : register(b0);

struct VertexOutput {
    float3 direction : TEXCOORD0;
    float4 position : SV_Position;
};

VertexOutput enclose(uint index : SV_VertexID) {
    int index_int = int(index);
    float2 corner = float2(float((index_int << 1) & 2), float(index_int & 2)) * 2.0 - 1.0;
    float4 value = float4(corner, 1.0, 1.0);
    float4 far = mul(value, camera.inverse_view_proj);
    VertexOutput output;
    output.position = value;
    output.direction = far.xyz * (1.0 / far.w);
    return output;
}
