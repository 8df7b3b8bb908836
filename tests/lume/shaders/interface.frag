#version 460 core
//! SPIR-V 1.4 and later lists all that is declared in the entry point's interface.
//= vulkan 1.2
//= push 16
//= member .tint 0x8B52 0 16 0 0 0
//= set 0
//= binding 0 6 1 0 0
//= binding 1 7 1 0 0
//= input 2 103

layout(push_constant) uniform Push { vec4 tint; };
layout(set = 0, binding = 0) uniform A { vec4 a; };
layout(set = 0, binding = 1) buffer B { vec4 b; };
layout(location = 2) in vec2 uv;
layout(location = 0) out vec4 color;
void main() { color = a + b + tint + uv.xyxy; }
