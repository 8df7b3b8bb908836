#version 460 core
//! The engine has sets 0 to 3; others are left out.
//= warning W0995
//= set 3
//= binding 0 6 1 0 0

layout(set = 3, binding = 0) uniform A { vec4 a; };
layout(set = 4, binding = 0) uniform B { vec4 b; };
layout(location = 0) out vec4 color;
void main() { color = a + b; }
