#version 460 core
//! A format of 64 bits is not known: 0.
//= input 0 0
//= input 3 103

layout(location = 0) in dvec2 a;
layout(location = 3) in vec2 b;
void main() { gl_Position = vec4(vec2(a), b); }
