#version 460 core
//! A block with a name gives it to its members.
//= push 16
//= member push.tint 0x8B52 0 16 0 0 0

layout(push_constant) uniform Push { vec4 tint; } push;
layout(location = 0) out vec4 color;
void main() { color = push.tint; }
