// dxc -T vs_6_2 -E transform -HV 2021

struct VertexOutput {
    float2 uv : TEXCOORD0;
    float4 tint : TEXCOORD1;
    nointerpolation int layer : TEXCOORD5;
    float weight : TEXCOORD6;
    float4 position : SV_Position;
};

VertexOutput transform(float3 position : TEXCOORD0, float4 tint : TEXCOORD4,
    float2 uv : TEXCOORD5) {
    VertexOutput output;
    output.uv = uv;
    output.position = float4(position, 1.0);
    output.tint = tint * 0.5;
    output.layer = int(tint.w * 8.0);
    output.weight = position.x - position.y;
    return output;
}
