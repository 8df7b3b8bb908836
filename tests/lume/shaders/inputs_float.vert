#version 460 core
//! Formats of floats.
//= input 0 100
//= input 1 103
//= input 2 106
//= input 3 109

layout(location = 0) in float a;
layout(location = 1) in vec2 b;
layout(location = 2) in vec3 c;
layout(location = 3) in vec4 d;
void main() { gl_Position = vec4(a) + vec4(b, b) + vec4(c, 1.0) + d; }
