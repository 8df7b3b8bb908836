#version 460 core
//! A struct ends with its last member, without padding.
//= push 20
//= member .uPc.size 0x8B52 0 16 0 0 0
//= member .uPc.factor 0x1406 16 4 0 0 0

struct Outer { vec4 size; float factor; };
layout(push_constant) uniform Push { Outer uPc; };
layout(location = 0) out vec4 color;
void main() { color = uPc.size * uPc.factor; }
