#version 460 core
//! An acceleration structure has the low 16 bits of its number.
//= vulkan 1.2
//= set 0
//= binding 0 0x13F0 1 0 0
//= binding 2 6 1 0 0

#extension GL_EXT_ray_tracing : require
layout(set = 0, binding = 0) uniform accelerationStructureEXT scene;
layout(set = 0, binding = 2) uniform A { vec4 a; };
layout(location = 0) out vec4 color;
void main() { color = a; }
