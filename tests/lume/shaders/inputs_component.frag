#version 460 core
//! Components of one location are inputs of their own.
//= input 0 103
//= input 0 100

layout(location = 0, component = 0) in vec2 a;
layout(location = 0, component = 3) in float b;
layout(location = 0) out vec4 color;
void main() { color = vec4(a, b, 1.0); }
