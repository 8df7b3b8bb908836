#version 460 core
//! Every member is accessed; the names of a block without a name begin with a point.
//= push 32
//= member .tint 0x8B52 0 16 0 0 0
//= member .scale 0x1406 16 4 0 0 0
//= member .offset 0x8B50 24 8 0 0 0

layout(push_constant) uniform Push { vec4 tint; float scale; vec2 offset; };
layout(location = 0) out vec4 color;
void main() { color = tint * scale + vec4(offset, 0.0, 0.0); }
