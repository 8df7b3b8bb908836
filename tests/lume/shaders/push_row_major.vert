#version 460 core
//! A row-major matrix: the size is the stride times the rows.
//= push 32
//= member .a 0x8B66 0 32 0 0 8

layout(push_constant, row_major) uniform Push { mat2x4 a; };
void main() { gl_Position = a[0]; }
