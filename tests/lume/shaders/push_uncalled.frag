#version 460 core
//! A function that is not called does not count.
//= push 16
//= member .a 0x8B52 0 16 0 0 0
//= member .b 0x8B52 16 16 0 0 0

layout(push_constant) uniform Push { vec4 a; vec4 b; };
layout(location = 0) out vec4 color;
vec4 never() { return b; }
void main() { color = a; }
