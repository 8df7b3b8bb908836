#version 460 core
//! No member is accessed: there are no push constants, though a block is declared.

layout(push_constant) uniform Push { vec4 tint; };
layout(location = 0) out vec4 color;
void main() { color = vec4(1.0); }
