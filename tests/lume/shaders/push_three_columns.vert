#version 460 core
//! Matrices of three columns; what lies between two members counts.
//= push 80
//= member .a 0x8B67 0 24 0 0 8
//= member .b 0x8B68 32 48 0 0 16

layout(push_constant) uniform Push { mat3x2 a; mat3x4 b; };
void main() { gl_Position = vec4(a[0], a[1]) + b[2]; }
