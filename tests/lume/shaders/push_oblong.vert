#version 460 core
//! Matrices of two columns and of four; the last one counts by its own size.
//= push 128
//= member .a 0x8B65 0 32 0 0 16
//= member .b 0x8B66 32 32 0 0 16
//= member .c 0x8B69 64 32 0 0 8
//= member .d 0x8B6A 96 64 0 0 16

layout(push_constant) uniform Push { mat2x3 a; mat2x4 b; mat4x2 c; mat4x3 d; };
void main() { gl_Position = vec4(a[0], 1.0) + vec4(c[0], c[1]) + vec4(d[1], 1.0); }
