#version 460 core
//! Inputs of fragment shaders are listed too, flat ones and all.
//= input 0 103
//= input 1 106
//= input 2 98

layout(location = 0) in vec2 uv;
layout(location = 1) in vec3 normal;
layout(location = 2) flat in uint index;
layout(location = 0) out vec4 color;
void main() { color = vec4(uv, normal.x, float(index)) + gl_FragCoord; }
