#version 460 core
//! Sets and bindings are ascending, whatever the order in the source.
//= set 0
//= binding 1 6 1 0 0
//= binding 3 6 1 0 0
//= set 2
//= binding 0 6 1 0 0
//= binding 5 6 1 0 0

layout(set = 2, binding = 5) uniform A { vec4 a; };
layout(set = 0, binding = 3) uniform B { vec4 b; };
layout(set = 2, binding = 0) uniform C { vec4 c; };
layout(set = 0, binding = 1) uniform D { vec4 d; };
layout(location = 0) out vec4 color;
void main() { color = a + b + c + d; }
