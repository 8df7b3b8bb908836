#version 460 core
//! Functions that are called count, also those that they call.
//= push 32
//= member .a 0x8B52 0 16 0 0 0
//= member .b 0x8B52 16 16 0 0 0

layout(push_constant) uniform Push { vec4 a; vec4 b; };
layout(location = 0) out vec4 color;
vec4 inner() { return b; }
vec4 outer() { return a + inner(); }
void main() { color = outer(); }
