#version 460 core
//! The order is that in which glslang meets the constants, not that of their ids.
//= spec 7 4
//= spec 2 4
//= spec 5 4
//= spec 0 4

layout(constant_id = 0) const float zero = 0.0;
layout(constant_id = 2) const float two = 2.0;
layout(constant_id = 5) const float five = 5.0;
layout(constant_id = 7) const float seven = 7.0;
layout(location = 0) out vec4 color;
void main() { color = vec4(seven); color += vec4(two); color *= five; }
