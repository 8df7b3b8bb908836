#version 460 core
//! Texel buffers count as the kinds of images that they look like, of dimension 5.
//= set 0
//= binding 0 1 1 5 8
//= binding 1 2 1 5 8
//= binding 2 3 1 5 16

layout(set = 0, binding = 0) uniform samplerBuffer a;
layout(set = 0, binding = 1) uniform textureBuffer b;
layout(set = 0, binding = 2, rgba32f) uniform imageBuffer c;
layout(location = 0) out vec4 color;
void main() { color = texelFetch(a, 0) + imageLoad(c, 0); }
