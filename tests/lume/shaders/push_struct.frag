#version 460 core
//! A struct is told by its members, with the way to them.
//= push 32
//= member .uPc.size 0x8B52 0 16 0 0 0
//= member .uPc.factor 0x1406 16 4 0 0 0
//= member .uPc.inner.x 0x1405 20 4 0 0 0
//= member .last 0x1406 32 4 0 0 0

struct Inner { uint x; };
struct Outer { vec4 size; float factor; Inner inner; };
layout(push_constant) uniform Push { Outer uPc; float last; };
layout(location = 0) out vec4 color;
void main() { color = uPc.size * uPc.factor; }
