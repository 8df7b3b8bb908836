#version 460 core
//! Input attachments have a dimension of their own.
//= set 0
//= binding 0 10 1 6 16
//= binding 1 10 1 6 20

layout(input_attachment_index = 0, set = 0, binding = 0) uniform subpassInput a;
layout(input_attachment_index = 1, set = 0, binding = 1) uniform subpassInputMS b;
layout(location = 0) out vec4 color;
void main() { color = subpassLoad(a) + subpassLoad(b, 0); }
