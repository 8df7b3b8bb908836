#version 460 core
//! The engine does not know double: its type is 0.
//= warning W0995
//= spec 4 0

layout(constant_id = 4) const double d = 1.0;
layout(location = 0) out vec4 color;
void main() { color = vec4(float(d)); }
