#version 460 core
//! Uniform and storage buffers; an array of them has its size.
//= set 1
//= binding 0 6 1 0 0
//= binding 1 7 1 0 0
//= binding 2 7 1 0 0
//= binding 3 6 3 0 0

layout(set = 1, binding = 0) uniform A { vec4 a; };
layout(set = 1, binding = 1) buffer B { vec4 b; };
layout(set = 1, binding = 2) readonly buffer C { uint count; vec4 c[]; };
layout(set = 1, binding = 3) uniform D { vec4 d; } ds[3];
layout(location = 0) out vec4 color;
void main() { color = a + b + c[count] + ds[1].d; }
