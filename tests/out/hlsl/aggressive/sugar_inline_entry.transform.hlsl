// dxc -T vs_6_2 -E transform -HV 2021

struct VertexOutput {
    float2 uv : TEXCOORD0;
    float level : TEXCOORD1;
    float4 place : SV_Position;
};

VertexOutput transform(float2 offset : TEXCOORD0, float shade : TEXCOORD1,
    uint index : SV_VertexID) {
    int index_int = int(index);
    float2 corner = float2(float((index_int << 1) & 2), float(index_int & 2));
    VertexOutput output;
    output.place = float4(corner * 2.0 - 1.0, 0.0, 1.0);
    output.uv = corner + offset;
    output.level = shade;
    return output;
}
