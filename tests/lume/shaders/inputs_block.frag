#version 460 core
//! A block of inputs is one input without a format.
//= input 3 0
//= input 5 103

layout(location = 3) in Block { vec4 a; vec2 b; } block;
layout(location = 5) in vec2 uv;
layout(location = 0) out vec4 color;
void main() { color = block.a + vec4(uv, block.b); }
