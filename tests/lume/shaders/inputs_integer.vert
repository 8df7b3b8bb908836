#version 460 core
//! Formats of signed and unsigned integers; inputs that nothing uses are listed.
//= input 0 99
//= input 1 102
//= input 2 105
//= input 3 108
//= input 4 98
//= input 5 101
//= input 6 104
//= input 7 107

layout(location = 0) in int a;
layout(location = 1) in ivec2 b;
layout(location = 2) in ivec3 c;
layout(location = 3) in ivec4 d;
layout(location = 4) in uint e;
layout(location = 5) in uvec2 f;
layout(location = 6) in uvec3 g;
layout(location = 7) in uvec4 h;
void main() { gl_Position = vec4(d); }
