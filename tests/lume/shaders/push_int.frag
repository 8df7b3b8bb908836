#version 460 core
//! The engine's OpenGL does not know int: its type is 0.
//= warning W0995
//= push 4
//= member .number 0 0 4 0 0 0

layout(push_constant) uniform Push { int number; };
layout(location = 0) out vec4 color;
void main() { color = vec4(float(number)); }
