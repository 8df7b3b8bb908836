#version 460 core
//! Of a size that is specialized the default is told.
//= spec 6 3
//= set 0
//= binding 0 1 5 1 8

layout(constant_id = 6) const int size = 5;
layout(set = 0, binding = 0) uniform sampler2D a[size];
layout(location = 0) out vec4 color;
void main() { color = texture(a[0], vec2(0.5)); }
