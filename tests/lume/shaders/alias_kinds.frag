#version 460 core
//! Of several resources at one binding one is listed: combined samplers come first, then samplers,
//! images, storage images, uniform buffers, storage buffers and input attachments.
//= set 0
//= binding 0 1 1 1 8
//= binding 1 0 1 0 0
//= binding 2 2 1 1 8
//= binding 3 3 1 1 16
//= binding 4 6 1 0 0
//= binding 5 7 1 0 0

layout(set = 0, binding = 0) buffer A0 { vec4 a0; };
layout(set = 0, binding = 0) uniform sampler2D b0;
layout(set = 0, binding = 1) uniform texture2D a1;
layout(set = 0, binding = 1) uniform sampler b1;
layout(set = 0, binding = 2, rgba8) uniform image2D a2;
layout(set = 0, binding = 2) uniform texture2D b2;
layout(set = 0, binding = 3) uniform A3 { vec4 a3; };
layout(set = 0, binding = 3, rgba8) uniform image2D b3;
layout(set = 0, binding = 4) buffer A4 { vec4 a4; };
layout(set = 0, binding = 4) uniform B4 { vec4 b4; };
layout(input_attachment_index = 0, set = 0, binding = 5) uniform subpassInput a5;
layout(set = 0, binding = 5) buffer B5 { vec4 b5; };
layout(location = 0) out vec4 color;
void main() { color = a0; }
