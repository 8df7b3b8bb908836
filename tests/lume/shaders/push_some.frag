#version 460 core
//! A member that is not accessed does not count, wherever it lies; all are listed.
//= push 20
//= member .a 0x8B52 0 16 0 0 0
//= member .b 0x8B52 16 16 0 0 0
//= member .c 0x1406 32 4 0 0 0

layout(push_constant) uniform Push { vec4 a; vec4 b; float c; };
layout(location = 0) out vec4 color;
void main() { color = b * c; }
