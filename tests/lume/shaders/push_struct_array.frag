#version 460 core
//! An array of structs is told as one struct; its bytes are all counted.
//= push 96
//= member .lights.color 0x8B52 0 16 0 0 0
//= member .lights.reach 0x1406 16 4 0 0 0

struct Light { vec4 color; float reach; };
layout(push_constant) uniform Push { Light lights[3]; };
layout(location = 0) out vec4 color;
void main() { color = lights[1].color * lights[2].reach; }
