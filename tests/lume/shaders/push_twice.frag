#version 460 core
//! A member counts once, however often it is accessed.
//= push 16
//= member .a 0x8B52 0 16 0 0 0

layout(push_constant) uniform Push { vec4 a; };
layout(location = 0) out vec4 color;
void main() { color = a.xxxx + a.yyyy + a; }
