#version 460 core
//! The types of scalars and vectors, in OpenGL's numbers.
//= push 128
//= member .f1 0x1406 0 4 0 0 0
//= member .f2 0x8B50 8 8 0 0 0
//= member .f3 0x8B51 16 12 0 0 0
//= member .f4 0x8B52 32 16 0 0 0
//= member .u1 0x1405 48 4 0 0 0
//= member .u2 0x8DC6 56 8 0 0 0
//= member .u3 0x8DC7 64 12 0 0 0
//= member .u4 0x8DC8 80 16 0 0 0
//= member .last 0x8B52 96 32 2 16 0

layout(push_constant) uniform Push {
    float f1; vec2 f2; vec3 f3; vec4 f4; uint u1; uvec2 u2; uvec3 u3; uvec4 u4; vec4 last[2];
};
layout(location = 0) out vec4 color;
void main() {
    color = vec4(f1) + vec4(f2, f2) + vec4(f3, 1.0) + f4 + last[0];
    color += vec4(float(u1)) + vec4(u2, u2) + vec4(u3, 1u) + vec4(u4);
}
