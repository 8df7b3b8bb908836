#version 460 core
//! The types of specialization constants.
//= spec 0 1
//= spec 1 2
//= spec 2 3
//= spec 3 4

layout(constant_id = 0) const bool a = true;
layout(constant_id = 1) const uint b = 1u;
layout(constant_id = 2) const int c = 2;
layout(constant_id = 3) const float d = 3.0;
layout(location = 0) out vec4 color;
void main() { color = a ? vec4(float(b), float(c), d, 1.0) : vec4(0.0); }
