struct Glyph {
    place: vec2<f32>,
    size: vec2<f32>,
    atlas: vec4<f32>,
    color: vec4<f32>,
}

struct PlaceOutput {
    @builtin(position) position: vec4<f32>,
    @location(0) uv: vec2<f32>,
    @location(1) color: vec4<f32>,
}

@group(0) @binding(3) var<storage, read> glyphs: array<Glyph>;

@vertex
fn place(@builtin(vertex_index) vertex_index: u32,
    @builtin(instance_index) instance_index: u32) -> PlaceOutput {
    let vertex = i32(vertex_index);
    let glyph = glyphs[i32(instance_index)];
    let corner = vec2<f32>(f32(vertex & 1), f32(vertex >> 1u));
    return PlaceOutput(vec4<f32>(glyph.place + corner * glyph.size, 0.0, 1.0),
        mix(glyph.atlas.xy, glyph.atlas.zw, corner), glyph.color);
}
