#version 460 core
//! Members at 16, 64 and 112, the first and last accessed: 48 up to the next member, and 12.
//! What lies before the first member does not count.
//= push 60
//= member .a 0x8B52 16 16 0 0 0
//= member .b 0x8B52 64 16 0 0 0
//= member .c 0x1406 112 12 3 4 0

layout(push_constant) uniform Push {
    layout(offset = 16) vec4 a;
    layout(offset = 64) vec4 b;
    layout(offset = 112) float c[3];
};
layout(location = 0) out vec4 color;
void main() { color = a * c[1]; }
