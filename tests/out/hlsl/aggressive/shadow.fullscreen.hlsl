// dxc -T vs_6_2 -E fullscreen -HV 2021

struct VertexOutput {
    float2 uv : TEXCOORD0;
    float4 position : SV_Position;
};

VertexOutput fullscreen(uint index : SV_VertexID) {
    int index_int = int(index);
    float2 corner = float2(float((index_int << 1) & 2), float(index_int & 2));
    VertexOutput output;
    output.position = float4(corner * 2.0 - 1.0, 0.0, 1.0);
    output.uv = corner;
    return output;
}
