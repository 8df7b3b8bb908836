#version 460 core
//! Functions are gone through in the order of the source; unused constants follow.
//= spec 3 4
//= spec 1 4
//= spec 2 4

layout(constant_id = 1) const float one = 1.0;
layout(constant_id = 2) const float two = 2.0;
layout(constant_id = 3) const float three = 3.0;
layout(location = 0) out vec4 color;
float first() { return three; }
float never() { return two; }
void main() { color = vec4(one * first()); }
