#version 460 core
//! A compute shader has no inputs but builtin ones.
//= set 0
//= binding 0 7 1 0 0
//= local 64 1 1

layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer A { uint a[]; };
void main() { a[gl_GlobalInvocationID.x] = gl_LocalInvocationIndex; }
