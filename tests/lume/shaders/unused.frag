#version 460 core
//! What is declared is listed, used or not; a constant that nothing uses too.
//= spec 9 4
//= set 0
//= binding 0 6 1 0 0
//= binding 1 1 1 1 8

layout(constant_id = 9) const float nine = 9.0;
layout(set = 0, binding = 0) uniform A { vec4 a; };
layout(set = 0, binding = 1) uniform sampler2D s;
void main() {}
