#version 460 core
//! Of resources of one kind the one that the code meets first is listed.
//= set 0
//= binding 0 1 1 3 8
//= binding 1 6 2 0 0

layout(set = 0, binding = 0) uniform sampler2D flat2d;
layout(set = 0, binding = 0) uniform samplerCube cube;
layout(set = 0, binding = 1) uniform One { vec4 a; } one;
layout(set = 0, binding = 1) uniform Two { vec4 a; } two[2];
layout(location = 0) out vec4 color;
void main() { color = texture(cube, vec3(1.0)) + texture(flat2d, vec2(1.0)) + two[1].a + one.a; }
