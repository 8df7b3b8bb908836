// dxc -T vs_6_2 -E place -HV 2021

struct Glyph {
    float2 place;
    float2 size;
    float4 atlas;
    float4 color;
};

StructuredBuffer<Glyph> glyphs : register(t3);

struct VertexOutput {
    float2 uv : TEXCOORD0;
    float4 color : TEXCOORD1;
    float4 position : SV_Position;
};

VertexOutput place(uint vertex : SV_VertexID, uint instance : SV_InstanceID) {
    int vertex_int = int(vertex);
    Glyph glyph = glyphs[int(instance)];
    float2 corner = float2(float(vertex_int & 1), float(vertex_int >> 1));
    VertexOutput output;
    output.position = float4(glyph.place + corner * glyph.size, 0.0, 1.0);
    output.uv = lerp(glyph.atlas.xy, glyph.atlas.zw, corner);
    output.color = glyph.color;
    return output;
}
