#version 460 core
//! What an image holds makes no difference.
//= set 0
//= binding 0 1 1 1 8
//= binding 1 2 1 2 8
//= binding 2 3 1 1 16

layout(set = 0, binding = 0) uniform usampler2D a;
layout(set = 0, binding = 1) uniform itexture3D b;
layout(set = 0, binding = 2, r32ui) uniform uimage2D c;
void main() {}
