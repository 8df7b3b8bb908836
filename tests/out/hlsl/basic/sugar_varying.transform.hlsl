// dxc -T vs_6_2 -E transform -HV 2021

struct VertexOutput {
    float2 uv : TEXCOORD0;
    float3 normal : TEXCOORD1;
    nointerpolation uint face : TEXCOORD2;
    float4 position : SV_Position;
};

VertexOutput transform(float4 position : TEXCOORD0, float3 normal : TEXCOORD1,
    uint face : TEXCOORD2) {
    VertexOutput output;
    output.position = position;
    output.uv = position.xy * 0.5 + 0.5;
    output.normal = normal;
    output.face = face * 2u;
    return output;
}
