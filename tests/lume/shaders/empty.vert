#version 460 core
//! The stage of a vertex shader.

void main() { gl_Position = vec4(0.0); }
