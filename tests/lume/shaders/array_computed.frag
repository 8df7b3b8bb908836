#version 460 core
//! The size may be computed from the constant.
//= spec 6 3
//= set 0
//= binding 0 1 11 1 8

layout(constant_id = 6) const int size = 5;
layout(set = 0, binding = 0) uniform sampler2D a[size * 2 + 1];
layout(location = 0) out vec4 color;
void main() { color = texture(a[0], vec2(0.5)); }
