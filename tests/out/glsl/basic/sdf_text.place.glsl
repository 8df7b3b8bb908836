#version 450

struct Glyph {
    vec2 place;
    vec2 size;
    vec4 atlas;
    vec4 color;
};

layout(binding = 3, std430) readonly buffer Glyphs {
    Glyph glyphs[];
};

layout(location = 0) out vec2 uv;
layout(location = 1) out vec4 color;

void main() {
    Glyph glyph = glyphs[gl_InstanceIndex];
    vec2 corner = vec2(float(gl_VertexIndex & 1), float(gl_VertexIndex >> 1));
    gl_Position = vec4(glyph.place + corner * glyph.size, 0.0, 1.0);
    uv = mix(glyph.atlas.xy, glyph.atlas.zw, corner);
    color = glyph.color;
}
