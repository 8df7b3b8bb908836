#version 460 core
//! Square matrices: the size is the stride times the columns.
//= push 128
//= member .two 0x8B5A 0 16 0 0 8
//= member .three 0x8B5B 16 48 0 0 16
//= member .four 0x8B5C 64 64 0 0 16

layout(push_constant) uniform Push { mat2 two; mat3 three; mat4 four; };
void main() { gl_Position = four * vec4(three * vec3(two * vec2(1.0), 1.0), 1.0); }
