#version 460 core
//! A matrix or an array is one input, of its column's or element's format.
//= input 0 109
//= input 4 106
//= input 7 103

layout(location = 0) in mat4 a;
layout(location = 4) in mat2x3 b;
layout(location = 7) in vec2 c[2];
void main() { gl_Position = a * vec4(b[0], c[1].x); }
