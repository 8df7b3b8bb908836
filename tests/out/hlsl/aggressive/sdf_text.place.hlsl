// dxc -T vs_6_2 -E place -HV 2021

struct Glyph {
    float2 place;
    float2 size;
    float4 atlas;
    float4 color;
};

StructuredBuffer<Glyph> glyphs : register(t3, space0);

struct VertexOutput {
    float2 uv : TEXCOORD0;
    float4 color : TEXCOORD1;
    float4 position : SV_Position;
};

VertexOutput place(uint vertex : SV_VertexID, uint instance : SV_InstanceID) {
    int vertex_int = int(vertex);
    int instance_int = int(instance);
    float4 atlas = glyphs[instance_int].atlas;
    float2 corner = float2(float(vertex_int & 1), float(vertex_int >> 1));
    VertexOutput output;
    output.position = float4(glyphs[instance_int].place + corner * glyphs[instance_int].size, 0.0,
        1.0);
    output.uv = lerp(atlas.xy, atlas.zw, corner);
    output.color = glyphs[instance_int].color;
    return output;
}
