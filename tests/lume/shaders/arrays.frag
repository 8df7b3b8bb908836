#version 460 core
//! An array of resources has its size; of an array of arrays the innermost one is told.
//= set 0
//= binding 0 1 4 1 8
//= binding 1 1 2 1 8
//= binding 2 2 7 3 8

layout(set = 0, binding = 0) uniform sampler2D a[4];
layout(set = 0, binding = 1) uniform sampler2D b[3][2];
layout(set = 0, binding = 2) uniform textureCube c[7];
layout(location = 0) out vec4 color;
void main() { color = texture(a[3], vec2(0.0)) + texture(b[2][1], vec2(0.0)); }
