#include <metal_stdlib>

using namespace metal;

struct Glyph {
    float2 place;
    float2 size;
    float4 atlas;
    float4 color;
};

struct PlaceOutput {
    float4 position [[position]];
    float2 uv [[user(locn0)]];
    float4 color [[user(locn1)]];
};

vertex PlaceOutput place(
    uint vertex_1 [[vertex_id]],
    uint instance [[instance_id]],
    const device Glyph* glyphs [[buffer(0)]]
) {
    Glyph glyph = glyphs[int(instance)];
    float2 corner = float2(float(int(vertex_1) & 1), float(int(vertex_1) >> 1));
    PlaceOutput out;
    out.position = float4(glyph.place + corner * glyph.size, 0.0, 1.0);
    out.uv = mix(glyph.atlas.xy, glyph.atlas.zw, corner);
    out.color = glyph.color;
    return out;
}
