#version 460 core
//! Of an array of arrays the innermost size is told; the size is that of the whole.
//= push 96
//= member .a 0x8B52 0 96 2 32 0

layout(push_constant) uniform Push { vec4 a[3][2]; };
layout(location = 0) out vec4 color;
void main() { color = a[1][1]; }
