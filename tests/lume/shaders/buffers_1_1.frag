#version 460 core
//! Storage buffers of SPIR-V 1.3 are of another storage class, and the same to the engine.
//= vulkan 1.1
//= set 0
//= binding 0 7 1 0 0
//= binding 1 6 1 0 0

layout(set = 0, binding = 0) buffer B { vec4 b; };
layout(set = 0, binding = 1) uniform A { vec4 a; };
layout(location = 0) out vec4 color;
void main() { color = a + b; }
